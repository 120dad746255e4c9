import { describe, expect, test } from 'vitest';
import { after, instant, MINUTE, SECOND, toTime } from '../base/index.ts';
import { isPastDeadline, readRetryAt, wakeByDeadline } from './retry-times.ts';

const NOW = instant(1_794_711_600_000);

describe('readRetryAt', () => {
  test.each([
    [1, 30],
    [2, 60],
    [3, 120],
    [4, 240],
    [5, 300],
    [50, 300],
  ])('after %i failed reads in a row the next one is due in %i s', (failures, seconds) =>
    expect(readRetryAt(NOW, failures)).toBe(after(NOW, seconds * SECOND)),
  );
});

describe('isPastDeadline', () => {
  test.each([
    { name: 'no deadline', timesOutAt: undefined, want: false },
    { name: 'a second before the deadline', timesOutAt: toTime(after(NOW, SECOND)), want: false },
    { name: 'at the deadline', timesOutAt: toTime(NOW), want: true },
    { name: 'after the deadline', timesOutAt: toTime(after(NOW, -MINUTE)), want: true },
    { name: 'a value that is not a time sets no deadline', timesOutAt: 'soon', want: false },
  ])('$name: $want', ({ timesOutAt, want }) => expect(isPastDeadline(timesOutAt, NOW)).toBe(want));
});

describe('wakeByDeadline', () => {
  const planned = after(NOW, MINUTE);
  test.each([
    { name: 'no deadline', timesOutAt: undefined, want: planned },
    { name: 'the deadline comes later', timesOutAt: toTime(after(NOW, 2 * MINUTE)), want: planned },
    { name: 'the deadline comes first', timesOutAt: toTime(after(NOW, SECOND)), want: after(NOW, SECOND) },
  ])('$name', ({ timesOutAt, want }) => expect(wakeByDeadline(planned, timesOutAt)).toBe(want));
});
