import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { ExecutionSettings } from '../../settings.ts';
import { backoffMs } from './backoff.ts';

const { execution: DEFAULTS } = DEFAULT_SETTINGS;

describe('[BO-157] the wait after so many failures in a row', () => {
  test.each([
    { id: 'BO-030', failures: 1, minutes: 1, total: 1 },
    { id: 'BO-031', failures: 2, minutes: 2, total: 3 },
    { id: 'BO-032', failures: 3, minutes: 4, total: 7 },
    { id: 'BO-033', failures: 4, minutes: 8, total: 15 },
    { id: 'BO-034', failures: 5, minutes: 10, total: 25 },
  ])('[$id] [BO-029] [BO-152] number $failures: $minutes min, $total in all', ({ failures, minutes, total }) => {
    expect(backoffMs(failures, DEFAULTS)).toBe(minutes * MINUTE);
    const all = Array.from({ length: failures }, (_, i) => backoffMs(i + 1, DEFAULTS));
    expect(all.reduce((sum, wait) => sum + wait, 0)).toBe(total * MINUTE);
  });

  test.each([0, -1, -1000])('a count of %d, which cannot be, waits as long as the first', (failures) => {
    expect(backoffMs(failures, DEFAULTS)).toBe(MINUTE);
  });

  test.each([5, 6, 7])('[BO-027] [BO-088] [BO-162] the exponent is capped, not the counter: number %d', (failures) => {
    expect(backoffMs(failures, { ...DEFAULTS, maxCooldownMs: 60 * MINUTE, maxConsecutiveFailures: 10 })).toBe(16 * MINUTE);
  });

  test('[BO-089] the time is cut after the exponent was', () => {
    expect(backoffMs(5, DEFAULTS)).toBe(10 * MINUTE);
    expect(backoffMs(5, { ...DEFAULTS, maxBackoffExponent: 2 })).toBe(4 * MINUTE);
  });
});

test('[BO-141] [BO-142] [BO-143] [BO-144] [BO-024] [BO-025] [BO-155] what holds with no configuration', () => {
  expect(DEFAULTS).toEqual({ baseCooldownMs: MINUTE, maxCooldownMs: 10 * MINUTE, maxBackoffExponent: 4, maxConsecutiveFailures: 5 });
});

const settings: fc.Arbitrary<ExecutionSettings> = fc.record({
  baseCooldownMs: fc.integer({ min: 1_000, max: 86_400_000 }),
  maxCooldownMs: fc.integer({ min: 1_000, max: 86_400_000 }),
  maxBackoffExponent: fc.integer({ min: 0, max: 30 }),
  maxConsecutiveFailures: fc.integer({ min: 1, max: 100 }),
});

describe('whatever the settings', () => {
  test('[BO-021] [BO-027] a wait never shrinks with more failures, is bounded both ways, and [BO-156] has no chance in it', () => {
    fc.assert(
      fc.property(settings, fc.integer({ min: 1, max: 10_000 }), (chosen, failures) => {
        const wait = backoffMs(failures, chosen);
        expect(wait).toBeLessThanOrEqual(backoffMs(failures + 1, chosen));
        expect(wait).toBeLessThanOrEqual(Math.min(chosen.maxCooldownMs, chosen.baseCooldownMs * 2 ** chosen.maxBackoffExponent));
        expect(wait).toBeGreaterThanOrEqual(Math.min(chosen.baseCooldownMs, chosen.maxCooldownMs));
        expect(backoffMs(failures, chosen)).toBe(wait);
      }),
    );
  });
});
