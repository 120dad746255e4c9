import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { failureBackoff, nextScopeCheck } from './failure-backoff.ts';
import { at, NOW, ROUTING } from './testing/builders.ts';

describe('the wait after failures in a row', () => {
  test.each([
    [1, 60],
    [2, 120],
    [3, 240],
    [4, 480],
    [5, 600],
    [6, 600],
    [1_000, 600],
  ])('[RR-148, RR-149, RR-160, RR-161] after %i of them is %i s', (failures, seconds) =>
    expect(failureBackoff(failures, ROUTING)).toBe(seconds * SECOND),
  );

  test.each([
    [4, 8],
    [5, 16],
    [6, 16],
  ])('[RR-150, RR-162] with a longest of 60 min, after %i of them it is %i min: the exponent is capped', (failures, minutes) =>
    expect(failureBackoff(failures, { ...ROUTING, exponentialBackoffMaxMs: 60 * MINUTE })).toBe(minutes * MINUTE),
  );

  test.each([0, -1])('of a count that makes no sense (%i) is that of the first', (failures) =>
    expect(failureBackoff(failures, ROUTING)).toBe(60 * SECOND),
  );

  test('follows the settings', () => {
    const routing = { ...ROUTING, exponentialBackoffBaseMs: SECOND, exponentialBackoffMaxMs: HOUR, exponentialBackoffMaxExponent: 2 };
    expect([1, 2, 3, 4].map((failures) => failureBackoff(failures, routing))).toEqual([1_000, 2_000, 4_000, 4_000]);
  });
});

describe('the looks at an unmanaged target', () => {
  const looks = (count: number, routing = ROUTING): readonly number[] => {
    const found: number[] = [];
    let look = NOW;
    for (let i = 0; i < count; i++) {
      const next = nextScopeCheck(NOW, look, routing);
      found.push((next - look) / SECOND);
      look = next;
    }
    return found;
  };

  test('[RR-129, RR-151, RR-152] are 5, 10, 20, 40, 80, 160, 300, 300 s apart', () =>
    expect(looks(9)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]));

  test('follow the settings', () =>
    expect(looks(4, { ...ROUTING, scopeBackoffBaseMs: 2 * SECOND, scopeBackoffMaxMs: 5 * SECOND })).toEqual([2, 4, 5, 5]));

  test.each([
    [0, 5],
    [4.999, 5],
    [5, 15],
    [14.999, 15],
    [15, 35],
    [314, 315],
    [315, 615],
    [614.999, 615],
    [615, 915],
    [86_400, 86_415],
  ])('keep their times whatever wakes the request in between: at %d s the next is at %d s', (elapsed, next) =>
    expect(nextScopeCheck(NOW, at(elapsed * SECOND), ROUTING)).toBe(at(next * SECOND)),
  );

  test('are not put off by a block that began in the future, by another clock', () =>
    expect(nextScopeCheck(at(HOUR), NOW, ROUTING)).toBe(at(5 * MINUTE)));

  test.each([0, -5])('come to an end whatever the settings: %i', (scopeBackoffBaseMs) => {
    expect(nextScopeCheck(NOW, at(HOUR), { ...ROUTING, scopeBackoffBaseMs })).toBeGreaterThan(at(HOUR));
    expect(nextScopeCheck(NOW, at(HOUR), { ...ROUTING, scopeBackoffBaseMs, scopeBackoffMaxMs: 0 })).toBeGreaterThan(at(HOUR));
  });
});
