import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../../base/index.ts';
import { decide } from '../decide.ts';
import type { IneligibleReason, PowerCycleSeen, ObservedPower, Eligibility } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';
import { agoMicro, aRequest, eventsOf, summary, LEDGER, NOW, powerIs, seenWith, NO_ANSWER, withoutClaim } from '../testing/builders.ts';

const left = (reason: IneligibleReason): Eligibility => ({ kind: 'ineligible', reason, message: 'it is ineligible' });
const PAUSED = left('Paused');

/** An attempt whose host was ordered to switch off so long ago. */
const told = (ms: number, change: PowerCycleStatus = {}) =>
  aRequest({
    status: {
      phase: 'power-off',
      phaseStartTime: agoMicro(ms),
      powerOffRequestedAt: agoMicro(ms),
      switchOnOwed: true,
      retryCount: 2,
      ...change,
    },
  });
const at = (ms: number, change: Partial<PowerCycleSeen>, status?: PowerCycleStatus) =>
  decide(seenWith({ object: told(ms, status), ...change }), NOW);
const endedAt = (effects: readonly unknown[]): boolean => JSON.stringify(effects).includes('endedAt');

describe('an attempt whose Machine becomes ineligible before its host went off', () => {
  test.each(['Paused', 'NotJudged', 'MachineHealthy', 'MachineDeleting', 'MachineMissing', 'AskedElsewhere', 'ControlPlane'] as const)(
    'ends its claim as soon as no command can be in progress on the host, and reports why: %s',
    (reason) => {
      const decision = at(30 * SECOND, { machine: left(reason) });
      expect(summary(decision)).toEqual({ phase: 'backoff', because: reason, does: [LEDGER], wakesInMs: 30 * SECOND });
      expect([endedAt(decision.effects), (decision.status as PowerCycleStatus).message]).toEqual([true, 'it is ineligible']);
      expect(eventsOf(decision)).toEqual([`${reason === 'MachineHealthy' ? 'Normal' : 'Warning'} ${reason}`]);
    },
  );

  test('does not count as a power cycle, and switchOnOwed stays true', () => {
    expect(at(30 * SECOND, { machine: PAUSED }).status).toMatchObject({
      retryCount: 2,
      attemptsNeverOff: 1,
      switchOnOwed: true,
      nextAttemptTime: agoMicro(0),
    });
    expect(at(30 * SECOND, { machine: PAUSED }, { attemptsNeverOff: 1 }).status).toMatchObject({ attemptsNeverOff: 2 });
  });

  test.each<{ reason: string; ms: number; power: ObservedPower; machine: Eligibility; phase: string }>([
    { reason: 'the command may still be in progress', ms: 29_999, power: powerIs('On'), machine: PAUSED, phase: 'power-off' },
    { reason: 'the host goes off', ms: 30 * SECOND, power: powerIs('PoweringOff'), machine: PAUSED, phase: 'power-off' },
    { reason: 'the host comes on', ms: 30 * SECOND, power: powerIs('PoweringOn'), machine: PAUSED, phase: 'power-off' },
    { reason: 'the host does not answer', ms: 30 * SECOND, power: NO_ANSWER, machine: PAUSED, phase: 'power-off' },
    { reason: 'the host is off', ms: 30 * SECOND, power: powerIs('Off'), machine: PAUSED, phase: 'freeing' },
    {
      reason: 'the Machine cannot be read',
      ms: 30 * SECOND,
      power: powerIs('On'),
      machine: { kind: 'unreadable', reason: 'no' },
      phase: 'power-off',
    },
  ])('keeps its budget slot where $reason', ({ ms, power, machine, phase }) =>
    expect(summary(at(ms, { power, machine }))).toMatchObject({ phase, does: [] }),
  );

  const whyCancel = (status: PowerCycleStatus = {}) =>
    aRequest({
      status: { ...told(MINUTE).status, phase: 'backoff', attemptsNeverOff: 1, nextAttemptTime: agoMicro(30 * SECOND), ...status },
    });

  test('is followed by the next as soon as the Machine is eligible again, with a new claim', () => {
    expect(summary(decide(seenWith({ object: whyCancel(), machine: PAUSED, budget: withoutClaim() }), NOW))).toMatchObject({
      phase: 'backoff',
      because: 'Paused',
      does: [],
      wakesInMs: 30 * SECOND,
    });
    expect(summary(decide(seenWith({ object: whyCancel(), budget: withoutClaim() }), NOW)).does).toEqual([LEDGER]);
    const begun = decide(seenWith({ object: whyCancel() }), NOW);
    expect(summary(begun)).toMatchObject({ phase: 'power-off', does: ['off'] });
    expect(begun.status).toMatchObject({ retryCount: 3, attemptsNeverOff: 1 });
  });

  test('has its host switched on if the command arrives late', () =>
    expect(
      summary(decide(seenWith({ object: whyCancel(), machine: PAUSED, power: powerIs('Off'), budget: withoutClaim() }), NOW)).does,
    ).toEqual(['on']));
});

describe('an attempt whose Machine becomes ineligible after its host was off', () => {
  const waiting = (power: ObservedPower) =>
    summary(
      decide(seenWith({ object: told(MINUTE, { phase: 'waiting', powerOnRequestedAt: agoMicro(MINUTE) }), machine: PAUSED, power }), NOW),
    );

  test('ends its claim when the host is on', () => expect(waiting(powerIs('On')).does).toEqual([LEDGER]));

  test('keeps its claim while a late command has the host off', () => {
    expect(waiting(powerIs('Off')).does).toEqual(['on']);
    expect(waiting(powerIs('PoweringOn')).does).toEqual([]);
  });

  test('ends its claim where the host was seen on and no longer answers', () => expect(waiting(NO_ANSWER).does).toEqual([LEDGER]));
});
