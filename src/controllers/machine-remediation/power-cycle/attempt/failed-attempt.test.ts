import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../../api/machine/machine.ts';
import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { MINUTE, parseTime, SECOND } from '../../../../base/index.ts';
import type { Decision } from '../../../../runtime/reconcile/controller.ts';
import { decide } from '../decide.ts';
import type { PowerCycleSeen } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';
import {
  agoMicro,
  anIllMachine,
  aRequest,
  eventsOf,
  gist,
  LEDGER,
  NOW,
  said,
  seenWith,
  SILENT,
  withoutClaim,
} from '../testing/builders.ts';

const WELL = { kind: 'left', reason: 'MachineHealthy', why: 'it is well' } as const;

/** An attempt that has just come to nothing, for each of the ways in which it can. */
const ways = [
  { name: 'it stayed on', phase: 'power-off', power: said('On'), why: 'the host did not report that it is off within 120 s' },
  { name: 'it stayed off', phase: 'power-on', power: said('Off'), why: 'the host did not report that it is on within 600 s' },
  {
    name: 'its Node stayed ill',
    phase: 'waiting',
    power: { kind: 'unasked' },
    why: 'the host is on, but its Node is not well after 600 s',
  },
] as const;

const failed = (phase: 'power-off' | 'power-on' | 'waiting', retryCount: number, spec: PowerCycleRemediation['spec'] = {}) =>
  aRequest({
    spec,
    status: { phase, retryCount, phaseStartTime: agoMicro(30 * MINUTE), powerOffRequestedAt: agoMicro(0), powerOnRequestedAt: agoMicro(0) },
  });

const statusOf = ({ status }: Decision) => status as PowerCycleStatus;
const pauseOf = (decision: Decision) => parseTime(statusOf(decision).nextAttemptTime)! - NOW;

describe.each(ways)('when $name', ({ phase, power, why }) => {
  const after = (retryCount: number, spec?: PowerCycleRemediation['spec']) =>
    decide(seenWith({ object: failed(phase, retryCount, spec), power }), NOW);

  test('[MH-039] people are told at once, with the retry that comes', () => {
    const decision = after(0);
    expect(statusOf(decision)).toMatchObject({
      phase: 'backoff',
      retryCount: 0,
      message: `${why}; retry 1 begins at 2026-01-10T12:01:00Z`,
    });
    expect(eventsOf(decision)).toEqual(['Warning PowerCycleUnsuccessful']);
  });

  test('[MH-040] it is tried again, with pauses that grow up to a limit, and never given up', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 1000].map((retries) => pauseOf(after(retries)) / MINUTE)).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    expect(gist(after(1000)).phase).toBe('backoff');
  });
});

describe.each(ways.slice(1))('when it was off and $name', ({ phase, power, why }) => {
  const after = (retryCount: number, spec?: PowerCycleRemediation['spec'], attemptsNeverOff?: number) => {
    const object = failed(phase, retryCount, spec);
    return decide(
      seenWith({ object: { ...object, status: { ...object.status, ...(attemptsNeverOff && { attemptsNeverOff }) } }, power }),
      NOW,
    );
  };

  test('people are told when it is given up', () => {
    const decision = after(3, { strategy: 'escalate', deleteAfterRetries: 3 });
    expect(statusOf(decision).message).toBe(`${why}; its owner is asked to replace the Machine after 3 retries without success`);
    expect(eventsOf(decision)).toEqual(['Warning Escalated']);
  });

  test('[MH-124] after ten retries without success the Machine is given up, not after nine', () => {
    const spec = { strategy: 'escalate', deleteAfterRetries: 10 } as const;
    expect([8, 9, 10].map((retries) => gist(after(retries, spec)).phase)).toEqual(['backoff', 'backoff', 'escalated']);
  });

  test('[MH-123] [MH-034] the strategy escalate gives up after its retries, and never before it was cycled once', () => {
    const spec = (deleteAfterRetries: number) => ({ strategy: 'escalate', deleteAfterRetries }) as const;
    expect(gist(after(0, spec(0)))).toMatchObject({ phase: 'escalated', because: 'Escalated', does: [LEDGER, 'Machine status'] });
    expect(gist(after(0, spec(1)))).toMatchObject({ phase: 'backoff', does: [LEDGER] });
    expect(gist(decide(seenWith({ object: aRequest({ spec: spec(0) }) }), NOW))).toMatchObject({ phase: 'power-off', does: ['off'] });
  });

  test('[MH-124] retries in which it never was off are none of them', () => {
    const spec = { strategy: 'escalate', deleteAfterRetries: 2 } as const;
    expect([2, 3, 4, 5].map((retries) => gist(after(retries, spec, 3)).phase)).toEqual(['backoff', 'backoff', 'backoff', 'escalated']);
    expect(statusOf(after(5, spec, 3)).message).toContain('after 2 retries without success');
  });

  test('nor is one whose Secret leads to another host by now: nobody knows yet whether a cycle of that helps', () => {
    const spec = { strategy: 'escalate', deleteAfterRetries: 0 } as const;
    const object = failed(phase, 0, spec);
    const owing = { ...object, status: { ...object.status, switchOnOwed: true, host: { address: 'https://bmc-of-another' } } };
    const led = (address: string) => decide(seenWith({ object: owing, power: SILENT, host: { address } }), NOW);
    expect([gist(led('https://bmc-of-another')).phase, statusOf(led('https://bmc-0'))]).toMatchObject([
      'escalated',
      { phase: 'backoff', attemptsNeverOff: 1 },
    ]);
  });

  test("nor is one on a host that was found to be another's", () => {
    const object = failed(phase, 0, { strategy: 'escalate', deleteAfterRetries: 0 });
    const found = { ...object, status: { ...object.status, anotherHost: true, host: { address: 'https://bmc-0' } } };
    expect(statusOf(decide(seenWith({ object: found, power }), NOW))).toMatchObject({ phase: 'backoff', attemptsNeverOff: 1 });
  });

  test('the number counts for escalate alone, and is 10 where none is given', () => {
    expect(gist(after(50, { strategy: 'retry', deleteAfterRetries: 1 })).phase).toBe('backoff');
    expect(gist(after(50, { deleteAfterRetries: 1 })).phase).toBe('backoff');
    expect([9, 10].map((retries) => gist(after(retries, { strategy: 'escalate' })).phase)).toEqual(['backoff', 'escalated']);
  });
});

describe('an attempt in which the host was never seen off', () => {
  const trouble = { fault: 'Unauthorized', message: 'its user may not reset it' } as const;
  const after = (spec: PowerCycleRemediation['spec']) =>
    decide(seenWith({ object: failed('power-off', 50, spec), power: said('On'), trouble }), NOW);

  test('never has the Machine given up, and says so', () => {
    const decision = after({ strategy: 'escalate', deleteAfterRetries: 0 });
    expect(gist(decision)).toMatchObject({ phase: 'backoff', does: [LEDGER] });
    expect(statusOf(decision)).toMatchObject({ retryCount: 50, attemptsNeverOff: 1 });
    expect(statusOf(decision).message).toBe(
      'the host did not report that it is off within 120 s (its user may not reset it); retry 51 begins at 2026-01-10T12:30:00Z; ' +
        'the Machine is not given up for this, as its host was never seen off',
    );
  });

  test('needs no such word where nothing is ever given up', () => expect(statusOf(after({})).message).not.toContain('given up'));
});

describe('the pause after an attempt', () => {
  test.each<readonly [string, PowerCycleStatus, number]>([
    ['nothing is left to do', { switchOnOwed: false }, 2 * MINUTE],
    ['the host is owed to be on', { switchOnOwed: true }, 30 * SECOND],
    ['its Node is still marked', { switchOnOwed: false, taintedNode: 'worker-0' }, 30 * SECOND],
  ])('is not slept through where something is owed: %s', (_, change, wakesInMs) => {
    const object = failed('waiting', 1);
    const seen = seenWith({ object: { ...object, status: { ...object.status, ...change } }, power: { kind: 'unasked' } });
    expect(gist(decide(seen, NOW))).toMatchObject({ phase: 'backoff', wakesInMs });
  });
});

describe('what is said of an attempt', () => {
  test('names what the host said last', () => {
    const object = failed('power-off', 0);
    expect(statusOf(decide(seenWith({ object, power: SILENT }), NOW)).message).toContain('(asking https://bmc-0: no answer)');
    const trouble = { fault: 'Refused', message: 'it cannot' } as const;
    expect(statusOf(decide(seenWith({ object, trouble }), NOW)).message).toContain('(it cannot)');
  });
});

const escalating = { strategy: 'escalate', deleteAfterRetries: 0 } as const;
const FAILED_AT = anIllMachine().status!.conditions![0]!.lastTransitionTime!;
const machineWith = (conditions: NonNullable<Machine['status']>['conditions']) => {
  const machine = anIllMachine();
  return {
    kind: 'ill',
    machine: { ...machine, status: { ...machine.status, conditions: [...machine.status!.conditions!, ...conditions!] } },
  } as const;
};
const written = ({ effects }: Decision) =>
  effects.flatMap((effect) => (effect.kind === 'PatchStatus' ? [effect.status as NonNullable<Machine['status']>] : []));

describe('giving a Machine up', () => {
  test('asks its owner in both styles of conditions', () => {
    const [status] = written(decide(seenWith({ object: failed('waiting', 0, escalating), power: { kind: 'unasked' } }), NOW));
    const wanted = { type: 'OwnerRemediated', status: 'False', reason: 'WaitingForRemediation' };
    expect(status!.conditions).toContainEqual(expect.objectContaining(wanted));
    expect(status!.deprecated!.v1beta1!.conditions).toContainEqual(expect.objectContaining(wanted));
  });

  test('says of which generation of the Machine that holds', () => {
    const machine = { kind: 'ill', machine: anIllMachine({ generation: 6 }) } as const;
    const [status] = written(decide(seenWith({ object: failed('waiting', 0, escalating), machine, power: { kind: 'unasked' } }), NOW));
    expect(status!.conditions).toContainEqual(expect.objectContaining({ type: 'OwnerRemediated', observedGeneration: 6 }));
  });

  test('[MH-074] never touches the verdict of the health check', () => {
    const machine = anIllMachine();
    const verdicts = (status: Machine['status']) => status?.conditions?.filter(({ type }) => type === 'HealthCheckSucceeded');
    const [status] = written(decide(seenWith({ object: failed('waiting', 0, escalating), power: { kind: 'unasked' } }), NOW));
    expect(verdicts(status)).toEqual(verdicts(machine.status));
  });

  test('is not for a Machine that recovered, nor for one that cannot be read', () => {
    const object = failed('power-on', 0, escalating);
    expect(gist(decide(seenWith({ object, machine: WELL, power: said('Off') }), NOW))).toMatchObject({ phase: 'backoff' });
    const unknown = decide(seenWith({ object, machine: { kind: 'unreadable', why: 'no' }, power: said('Off') }), NOW);
    expect(gist(unknown)).toMatchObject({ phase: 'power-on', because: 'MachineUnreadable', does: [], wakesInMs: 30 * SECOND });
    expect(eventsOf(unknown)).toEqual(['Warning MachineUnreadable']);
  });

  test('waits for a Machine that cannot be read, and its host is told to switch on meanwhile', () => {
    const object = failed('power-on', 0, escalating);
    const status = { ...object.status, switchOnOwed: true, powerOnRequestedAt: agoMicro(30 * SECOND) };
    const seen = seenWith({ object: { ...object, status }, machine: { kind: 'unreadable', why: 'no' }, power: said('Off') });
    expect(gist(decide(seen, NOW))).toMatchObject({ phase: 'power-on', because: 'MachineUnreadable', does: ['on'] });
    expect(statusOf(decide(seen, NOW))).toMatchObject({ powerOnRequestedAt: agoMicro(0) });
  });

  const escalated = (change: PowerCycleStatus = {}) =>
    aRequest({ spec: escalating, status: { phase: 'escalated', retryCount: 0, escalatedFailure: FAILED_AT, ...change } });
  const asked = { type: 'OwnerRemediated', status: 'False', reason: 'WaitingForRemediation', lastTransitionTime: agoMicro(0) } as const;

  test.each([
    { reason: 'the condition was lost', machine: machineWith([]), does: ['Machine status'] },
    { reason: 'it says so already', machine: machineWith([asked]), does: [] },
    { reason: 'what the owner says of it stays', machine: machineWith([{ ...asked, reason: 'RemediationFailed' }]), does: [] },
    { reason: 'an owner that did it once is asked again', machine: machineWith([{ ...asked, status: 'True' }]), does: ['Machine status'] },
    { reason: 'it is well', machine: WELL, does: [] },
  ])('afterwards: $reason', ({ machine, does }) => {
    const decision = decide(seenWith({ object: escalated(), machine, power: { kind: 'unasked' }, budget: withoutClaim() }), NOW);
    expect(gist(decision)).toMatchObject({ phase: 'escalated', does, wakesInMs: does.length > 0 ? 30 * SECOND : undefined });
  });

  test.each([
    { told: 'itself', by: ['MachineMissing', 'MachineHealthy', 'MachineDeleting'], wakesInMs: undefined },
    { told: 'by nobody', by: ['Paused', 'NotJudged', 'ControlPlane', 'AskedElsewhere'], wakesInMs: 30 * SECOND },
  ] as const)('afterwards: when the Machine is no longer left alone is told $told', ({ by, wakesInMs }) => {
    for (const reason of by) {
      const machine = { kind: 'left', reason, why: 'so' } as const;
      const decision = decide(seenWith({ object: escalated(), machine, power: { kind: 'unasked' }, budget: withoutClaim() }), NOW);
      expect(gist(decision)).toMatchObject({ phase: 'escalated', does: [], wakesInMs });
    }
  });

  test.each<{ reason: string; seen: Partial<PowerCycleSeen> }>([
    { reason: 'the Machine, its Node or its check', seen: { machine: { kind: 'unreadable', why: 'not now' } } },
    { reason: 'the ledger, with its claim', seen: { budget: { kind: 'unreadable', reason: 'not now' } } },
  ])('afterwards: what could not be read is looked at again: $reason', ({ seen }) => {
    const rest = { machine: machineWith([asked]), power: { kind: 'unasked' }, budget: withoutClaim() } as const;
    const decision = decide(seenWith({ object: escalated(), ...rest, ...seen }), NOW);
    expect(gist(decision)).toMatchObject({ phase: 'escalated', does: [], wakesInMs: 30 * SECOND });
  });

  test('is on record with the failure that it is for', () => {
    const decision = decide(seenWith({ object: failed('waiting', 0, escalating), power: { kind: 'unasked' } }), NOW);
    expect(statusOf(decision)).toMatchObject({ phase: 'escalated', escalatedFailure: FAILED_AT });
  });

  test.each<{ reason: string; record: PowerCycleStatus }>([
    { reason: 'its owner was asked for the last one', record: { escalatedFailure: agoMicro(120 * MINUTE) } },
    { reason: 'which one it was asked for is not known', record: {} },
  ])('is over when the Machine fails anew: $reason', ({ record }) => {
    const object = aRequest({ spec: escalating, status: { phase: 'escalated', retryCount: 7, attemptsNeverOff: 2, ...record } });
    const decision = decide(seenWith({ object, machine: machineWith([]), power: { kind: 'unasked' }, budget: withoutClaim() }), NOW);
    expect(gist(decision)).toEqual({ phase: 'pending', because: 'FailedAnew', does: [], wakesInMs: 5 * SECOND });
    const begun = statusOf(decide(seenWith({ object: { ...object, status: statusOf(decision) }, machine: machineWith([]) }), NOW));
    expect(begun).toMatchObject({ phase: 'power-off', retryCount: 0 });
    expect(begun).not.toHaveProperty('escalatedFailure');
    expect(begun).not.toHaveProperty('attemptsNeverOff');
  });

  test('stays where it fails anew and somebody asked its owner for that', () => {
    const object = escalated({ escalatedFailure: agoMicro(120 * MINUTE) });
    const decision = decide(seenWith({ object, machine: machineWith([asked]), power: { kind: 'unasked' }, budget: withoutClaim() }), NOW);
    expect(gist(decision)).toMatchObject({ phase: 'escalated', does: [] });
  });

  test('afterwards a host that is owed to be on is switched on', () => {
    const object = escalated({ switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    const decision = decide(seenWith({ object, machine: machineWith([asked]), power: said('Off'), budget: withoutClaim() }), NOW);
    expect(gist(decision)).toMatchObject({ does: ['on'], because: 'Escalated', wakesInMs: 30 * SECOND });
    expect(statusOf(decision).message).toBe('power cycles did not help; its owner is asked to replace the Machine');
  });

  test('afterwards people are told where the host cannot be switched on', () => {
    const object = escalated({ switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    const decision = decide(seenWith({ object, machine: machineWith([asked]), power: SILENT, budget: withoutClaim() }), NOW);
    expect(statusOf(decision).message).toBe('the host has yet to be switched on again: asking https://bmc-0: no answer');
    expect(eventsOf(decision)).toEqual(['Warning BmcUnreachable']);
  });
});
