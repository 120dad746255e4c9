import { describe, expect, test } from 'vitest';
import { after, SECOND } from '../../../base/index.ts';
import { NOW } from '../testing/a-notification.ts';
import { afterFailure, allowAttempt, CLOSED } from './circuit-breaker.ts';

const failed = (times: number) => Array.from({ length: times }).reduce<typeof CLOSED>((state) => afterFailure(state, NOW, 'no'), CLOSED);

describe('the circuit breaker of a channel', () => {
  test.each([0, 1, 2])('%i failures in a row: attempts are made', (times) => expect(allowAttempt(failed(times), NOW)).toBeDefined());

  test('after three it rests for 30 s', () => {
    expect(allowAttempt(failed(3), after(NOW, 30 * SECOND - 1))).toBeUndefined();
    expect(allowAttempt(failed(3), after(NOW, 30 * SECOND))).toBeDefined();
  });

  test('then two messages probe it, and without a result of theirs it rests again', () => {
    const later = after(NOW, 30 * SECOND);
    const first = allowAttempt(failed(3), later) ?? CLOSED;
    const second = allowAttempt(first, later) ?? CLOSED;
    expect(first.probes).toBe(1);
    expect(allowAttempt(second, later)).toBeUndefined();
    expect(allowAttempt(second, after(later, 30 * SECOND))).toBeDefined();
  });

  test('a probe that fails starts the rest again', () => {
    const later = after(NOW, 30 * SECOND);
    const state = afterFailure(allowAttempt(failed(3), later) ?? CLOSED, later, 'still no');
    expect(state).toEqual({ failures: 4, probes: 0, error: 'still no', openUntil: after(later, 30 * SECOND) });
  });
});
