import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../../base/index.ts';
import { decide } from '../decide.ts';
import type { LeftAlone, PowerCycleSeen, SeenPower, Standing } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';
import { agoMicro, aRequest, eventsOf, gist, LEDGER, NOW, said, seenWith, SILENT, withoutClaim } from '../testing/builders.ts';

const left = (reason: LeftAlone): Standing => ({ kind: 'left', reason, why: 'it is to be left alone' });
const PAUSED = left('Paused');

/** An attempt whose host was told so long ago. */
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

describe('an attempt whose Machine is to be left alone before its host went off', () => {
  test.each(['Paused', 'NotJudged', 'MachineHealthy', 'MachineDeleting', 'MachineMissing', 'AskedElsewhere', 'ControlPlane'] as const)(
    'gives its place back as soon as nothing is under way on the host, and says why: %s',
    (reason) => {
      const decision = at(30 * SECOND, { machine: left(reason) });
      expect(gist(decision)).toEqual({ phase: 'backoff', because: reason, does: [LEDGER], wakesInMs: 30 * SECOND });
      expect([endedAt(decision.effects), (decision.status as PowerCycleStatus).message]).toEqual([true, 'it is to be left alone']);
      expect(eventsOf(decision)).toEqual([`${reason === 'MachineHealthy' ? 'Normal' : 'Warning'} ${reason}`]);
    },
  );

  test('was no power cycle, and what is owed to its host stays so', () => {
    expect(at(30 * SECOND, { machine: PAUSED }).status).toMatchObject({
      retryCount: 2,
      attemptsNeverOff: 1,
      switchOnOwed: true,
      nextAttemptTime: agoMicro(0),
    });
    expect(at(30 * SECOND, { machine: PAUSED }, { attemptsNeverOff: 1 }).status).toMatchObject({ attemptsNeverOff: 2 });
  });

  test.each<{ reason: string; ms: number; power: SeenPower; machine: Standing; phase: string }>([
    { reason: 'the command may be on its way', ms: 29_999, power: said('On'), machine: PAUSED, phase: 'power-off' },
    { reason: 'the host goes off', ms: 30 * SECOND, power: said('PoweringOff'), machine: PAUSED, phase: 'power-off' },
    { reason: 'the host comes on', ms: 30 * SECOND, power: said('PoweringOn'), machine: PAUSED, phase: 'power-off' },
    { reason: 'nobody knows how the host is', ms: 30 * SECOND, power: SILENT, machine: PAUSED, phase: 'power-off' },
    { reason: 'the host is off', ms: 30 * SECOND, power: said('Off'), machine: PAUSED, phase: 'freeing' },
    {
      reason: 'nobody knows how the Machine is',
      ms: 30 * SECOND,
      power: said('On'),
      machine: { kind: 'unreadable', why: 'no' },
      phase: 'power-off',
    },
  ])('keeps its place where $reason', ({ ms, power, machine, phase }) =>
    expect(gist(at(ms, { power, machine }))).toMatchObject({ phase, does: [] }),
  );

  const calledOff = (status: PowerCycleStatus = {}) =>
    aRequest({
      status: { ...told(MINUTE).status, phase: 'backoff', attemptsNeverOff: 1, nextAttemptTime: agoMicro(30 * SECOND), ...status },
    });

  test('is followed by the next as soon as the Machine is not, and that one claims its place anew', () => {
    expect(gist(decide(seenWith({ object: calledOff(), machine: PAUSED, budget: withoutClaim() }), NOW))).toMatchObject({
      phase: 'backoff',
      because: 'Paused',
      does: [],
      wakesInMs: 30 * SECOND,
    });
    expect(gist(decide(seenWith({ object: calledOff(), budget: withoutClaim() }), NOW)).does).toEqual([LEDGER]);
    const begun = decide(seenWith({ object: calledOff() }), NOW);
    expect(gist(begun)).toMatchObject({ phase: 'power-off', does: ['off'] });
    expect(begun.status).toMatchObject({ retryCount: 3, attemptsNeverOff: 1 });
  });

  test('has its host switched on, should the command come late', () =>
    expect(gist(decide(seenWith({ object: calledOff(), machine: PAUSED, power: said('Off'), budget: withoutClaim() }), NOW)).does).toEqual([
      'on',
    ]));
});

describe('an attempt whose Machine is to be left alone after its host was off', () => {
  const waiting = (power: SeenPower) =>
    gist(
      decide(seenWith({ object: told(MINUTE, { phase: 'waiting', powerOnRequestedAt: agoMicro(MINUTE) }), machine: PAUSED, power }), NOW),
    );

  test('gives its place back when the host is on', () => expect(waiting(said('On')).does).toEqual([LEDGER]));

  test('keeps it while the host is off by a late command', () => {
    expect(waiting(said('Off')).does).toEqual(['on']);
    expect(waiting(said('PoweringOn')).does).toEqual([]);
  });

  test('gives it back where the host was seen on and does not answer any more', () => expect(waiting(SILENT).does).toEqual([LEDGER]));
});
