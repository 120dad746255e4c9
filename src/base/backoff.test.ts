import { describe, expect, test } from 'vitest';
import { backoffDelay } from './backoff.ts';
import { seededRandom } from './random.ts';

describe('the delay after failures in a row', () => {
  const backoff = { baseMs: 10, maxMs: 1_000, jitter: 0.5 };
  const cases = [
    { failures: 1, want: 10, reason: 'the first waits the base' },
    { failures: 2, want: 20, reason: 'doubles' },
    { failures: 7, want: 640, reason: 'keeps doubling' },
    { failures: 8, want: 1_000, reason: 'never more than the maximum' },
    { failures: 5_000, want: 1_000, reason: 'does not overflow' },
  ];
  test.each(cases)('$failures: $reason', ({ failures, want }) => {
    expect(backoffDelay(backoff, failures)).toBe(want);
  });

  test('chance adds up to the share called jitter, never takes away', () => {
    const random = seededRandom(1);
    const delays = Array.from({ length: 200 }, () => backoffDelay(backoff, 8, random));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...delays)).toBeLessThan(1_500);
    expect(new Set(delays).size).toBeGreaterThan(100);
  });

  test('without a share there is no jitter', () => {
    expect(backoffDelay({ baseMs: 10, maxMs: 100 }, 1, seededRandom(1))).toBe(10);
  });
});
