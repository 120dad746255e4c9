import { describe, expect, test } from 'vitest';
import { after, instant, MINUTE, SECOND, toTime } from '../base/index.ts';
import { isTooLate, readAgainAt, wakeBy } from './retry-times.ts';

const NOW = instant(1_794_711_600_000);

describe('readAgainAt', () => {
  test.each([
    [1, 30],
    [2, 60],
    [3, 120],
    [4, 240],
    [5, 300],
    [50, 300],
  ])('after %i failures in a row it waits %i s', (failures, seconds) =>
    expect(readAgainAt(NOW, failures)).toBe(after(NOW, seconds * SECOND)),
  );
});

describe('isTooLate', () => {
  test.each([
    { name: 'no limit', timesOutAt: undefined, want: false },
    { name: 'a second before', timesOutAt: toTime(after(NOW, SECOND)), want: false },
    { name: 'at the moment itself', timesOutAt: toTime(NOW), want: true },
    { name: 'afterwards', timesOutAt: toTime(after(NOW, -MINUTE)), want: true },
    { name: 'what is no time sets no limit', timesOutAt: 'soon', want: false },
  ])('$name: $want', ({ timesOutAt, want }) => expect(isTooLate(timesOutAt, NOW)).toBe(want));
});

describe('wakeBy', () => {
  const wished = after(NOW, MINUTE);
  test.each([
    { name: 'no limit', timesOutAt: undefined, want: wished },
    { name: 'the limit comes later', timesOutAt: toTime(after(NOW, 2 * MINUTE)), want: wished },
    { name: 'the limit comes first', timesOutAt: toTime(after(NOW, SECOND)), want: after(NOW, SECOND) },
  ])('$name', ({ timesOutAt, want }) => expect(wakeBy(wished, timesOutAt)).toBe(want));
});
