import { describe, expect, test } from 'vitest';
import { after, HOUR, MINUTE, SECOND, type Instant } from '../../../base/index.ts';
import { decide } from './decide.ts';
import type { PowerCycleSeen } from './observed.ts';
import { clampTimestamps } from './clamp-timestamps.ts';
import type { PowerCycleStatus } from './status.ts';
import { agoMicro, aRequest, summary, NOW, powerIs, seenWith } from './testing/builders.ts';

const AHEAD = agoMicro(-HOUR);
const escalating = { strategy: 'escalate', deleteAfterRetries: 0 } as const;

/** A request that entered its phase and sent its command before the clock was set back by an hour. */
const setBack = (phase: NonNullable<PowerCycleStatus['phase']>, change: PowerCycleStatus = {}) =>
  aRequest({
    spec: escalating,
    status: {
      phase,
      retryCount: 0,
      phaseStartTime: AHEAD,
      powerOffRequestedAt: AHEAD,
      ...(phase !== 'power-off' && { powerOnRequestedAt: AHEAD }),
      switchOnOwed: true,
      ...change,
    },
  });

/** The decision now, and again after so long. */
function twice(seen: Partial<PowerCycleSeen> & Pick<PowerCycleSeen, 'object'>, ms: number) {
  const first = decide(seenWith(seen), NOW);
  const later: Instant = after(NOW, ms);
  const second = decide(seenWith({ ...seen, object: { ...seen.object, status: first.status as PowerCycleStatus } }), later);
  return [summary(first), summary(second)].map(({ phase, does }) => [phase, ...does.filter((one) => one === 'on' || one === 'off')]);
}

test('timestamps in the past stay as they are', () => {
  const object = aRequest({
    status: { phaseStartTime: agoMicro(HOUR), powerOffRequestedAt: agoMicro(1), powerOnRequestedAt: agoMicro(0) },
  });
  expect(clampTimestamps(object, NOW)).toEqual(object);
  expect(clampTimestamps(aRequest(), NOW)).toEqual(aRequest());
});

describe('a clock that was set back', () => {
  test('does not extend the freeing timeout', () => {
    const seen = { object: setBack('freeing'), power: powerIs('Off') };
    expect(twice(seen, 2 * MINUTE - 1)).toEqual([['freeing'], ['freeing']]);
    expect(twice(seen, 2 * MINUTE)).toEqual([['freeing'], ['power-on', 'on']]);
  });

  test.each(['power-on', 'waiting', 'backoff', 'escalated'] as const)('repeats the command to switch on at once: %s', (phase) => {
    const object = setBack(phase, { nextAttemptTime: AHEAD, escalatedFailure: '2026-01-10T11:00:00Z' });
    expect(twice({ object, power: powerIs('Off') }, SECOND)).toEqual([[phase, 'on'], [phase]]);
  });

  test('repeats the command to switch on for a deleted request', () => {
    const object = setBack('waiting');
    const leaving = { ...object, metadata: { ...object.metadata, deletionTimestamp: agoMicro(0) } };
    expect(twice({ object: leaving, power: powerIs('Off') }, 30 * SECOND)).toEqual([
      ['waiting', 'on'],
      ['waiting', 'on'],
    ]);
  });

  test('switches nothing off before its time', () => {
    const seen = { object: setBack('power-off'), power: powerIs('On') };
    expect(twice(seen, 29 * SECOND)).toEqual([['power-off'], ['power-off']]);
    expect(twice(seen, 30 * SECOND)).toEqual([['power-off'], ['power-off', 'off']]);
    expect(twice(seen, 120 * SECOND)).toEqual([['power-off'], ['backoff']]);
  });

  test('clears switchOnOwed only when no command to switch off can still arrive', () => {
    const { status } = decide(seenWith({ object: setBack('power-on'), power: powerIs('On') }), NOW);
    expect(status).toMatchObject({ phase: 'waiting', switchOnOwed: true, powerOffRequestedAt: agoMicro(0) });
  });

  test('makes no backoff longer than the longest one', () => {
    const object = setBack('backoff', { retryCount: 1, nextAttemptTime: agoMicro(-24 * HOUR - 2 * MINUTE), switchOnOwed: false });
    const decision = decide(seenWith({ object }), NOW);
    expect(decision).toMatchObject({ status: { nextAttemptTime: agoMicro(-30 * MINUTE) }, wakeAt: after(NOW, 30 * MINUTE) });
    expect(twice({ object }, 30 * MINUTE - 1)).toEqual([['backoff'], ['backoff']]);
    expect(twice({ object }, 30 * MINUTE)).toEqual([['backoff'], ['power-off', 'off']]);
  });

  test.each([
    { ahead: 31 * MINUTE, becomes: 31 * MINUTE, reason: 'clocks differ' },
    { ahead: 31 * MINUTE + 1, becomes: 30 * MINUTE, reason: 'not by that much' },
  ])('keeps a backoff that is no longer than that: $reason', ({ ahead, becomes }) => {
    const object = aRequest({ status: { phase: 'backoff', nextAttemptTime: agoMicro(-ahead) } });
    expect(clampTimestamps(object, NOW).status?.nextAttemptTime).toBe(agoMicro(-becomes));
  });

  test('escalates no Machine early', () => {
    const on = { object: setBack('power-on'), power: powerIs('Off') };
    expect(twice(on, 599 * SECOND)).toEqual([
      ['power-on', 'on'],
      ['power-on', 'on'],
    ]);
    expect(twice(on, 600 * SECOND).at(-1)).toEqual(['escalated']);
    const waiting = { object: setBack('waiting', { switchOnOwed: false }), power: { kind: 'not-read' } } as const;
    expect(twice(waiting, 599 * SECOND)).toEqual([['waiting'], ['waiting']]);
    expect(twice(waiting, 600 * SECOND).at(-1)).toEqual(['escalated']);
  });
});
