import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../base/index.ts';
import { humanDuration } from './human-duration.ts';

const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

describe('a length of time', () => {
  const cases: readonly (readonly [ms: number, text: string])[] = [
    [-2 * SECOND, '<invalid>'],
    [-1.9 * SECOND, '0s'],
    [0, '0s'],
    [999, '0s'],
    [119.9 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [2 * MINUTE + SECOND, '2m1s'],
    [10 * MINUTE - SECOND, '9m59s'],
    [10 * MINUTE + 59 * SECOND, '10m'],
    [3 * HOUR - MINUTE, '179m'],
    [3 * HOUR, '3h'],
    [7 * HOUR + 59 * MINUTE, '7h59m'],
    [8 * HOUR + 59 * MINUTE, '8h'],
    [47 * HOUR, '47h'],
    [2 * DAY, '2d'],
    [7 * DAY + 5 * HOUR, '7d5h'],
    [8 * DAY + 5 * HOUR, '8d'],
    [2 * YEAR - HOUR, '729d'],
    [2 * YEAR + 3 * DAY, '2y3d'],
    [3 * YEAR, '3y'],
    [9 * YEAR + 100 * DAY, '9y'],
  ];
  test.each(cases)('%d ms is %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });
});
