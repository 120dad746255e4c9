import { expect, test } from 'vitest';
import { durationText } from './durations.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-5, '0s'],
  [0, '0s'],
  [499, '0s'],
  [59 * SECOND, '59s'],
  [MINUTE, '1m'],
  [MINUTE + SECOND, '1m1s'],
  [HOUR, '1h'],
  [HOUR + 5 * SECOND, '1h'],
  [2 * HOUR + MINUTE + 5 * SECOND, '2h1m'],
  [DAY + 23 * HOUR, '1d23h'],
  [400 * DAY, '400d'],
])('%i ms is %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});
