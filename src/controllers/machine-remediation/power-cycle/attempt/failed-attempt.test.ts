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
  anUnhealthyMachine,
  aRequest,
  eventsOf,
  summary,
  LEDGER,
  NOW,
  powerIs,
  seenWith,
  NO_ANSWER,
  withoutClaim,
} from '../testing/builders.ts';

const WELL = { kind: 'ineligible', reason: 'MachineHealthy', message: 'it is healthy' } as const;

/** An attempt that has just failed, in each of the possible ways. */
const ways = [
  { name: 'it stayed on', phase: 'power-off', power: powerIs('On'), why: 'the host did not report that it is off within 120 s' },
  { name: 'it stayed off', phase: 'power-on', power: powerIs('Off'), why: 'the host did not report that it is on within 600 s' },
  {
    name: 'its Node stayed unhealthy',
    phase: 'waiting',
    power: { kind: 'not-read' },
    why: 'the host is on, but its Node is not healthy after 600 s',
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

  test('[MH-039] the failure is reported at once, with the time of the retry', () => {
    const decision = after(0);
    expect(statusOf(decision)).toMatchObject({
      phase: 'backoff',
      retryCount: 0,
      message: `${why}; retry 1 starts at 2026-01-10T12:01:00Z`,
    });
    expect(eventsOf(decision)).toEqual(['Warning PowerCycleUnsuccessful']);
  });

  test('[MH-040] it is retried without end, with a backoff that grows up to a limit', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 1000].map((retries) => pauseOf(after(retries)) / MINUTE)).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    expect(summary(after(1000)).phase).toBe('backoff');
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

  test('the escalation is reported', () => {
    const decision = after(3, { strategy: 'escalate', deleteAfterRetries: 3 });
    expect(statusOf(decision).message).toBe(`${why}; after 3 retries without success its owner is requested to replace the Machine`);
    expect(eventsOf(decision)).toEqual(['Warning Escalated']);
  });

  test('[MH-124] the request escalates after ten retries without success, not after nine', () => {
    const spec = { strategy: 'escalate', deleteAfterRetries: 10 } as const;
    expect([8, 9, 10].map((retries) => summary(after(retries, spec)).phase)).toEqual(['backoff', 'backoff', 'escalated']);
  });

  test('[MH-123] [MH-034] the strategy escalate escalates after its retries, and never before one power cycle', () => {
    const spec = (deleteAfterRetries: number) => ({ strategy: 'escalate', deleteAfterRetries }) as const;
    expect(summary(after(0, spec(0)))).toMatchObject({ phase: 'escalated', because: 'Escalated', does: [LEDGER, 'Machine status'] });
    expect(summary(after(0, spec(1)))).toMatchObject({ phase: 'backoff', does: [LEDGER] });
    expect(summary(decide(seenWith({ object: aRequest({ spec: spec(0) }) }), NOW))).toMatchObject({ phase: 'power-off', does: ['off'] });
  });

  test('[MH-124] retries in which the host was never off do not count', () => {
    const spec = { strategy: 'escalate', deleteAfterRetries: 2 } as const;
    expect([2, 3, 4, 5].map((retries) => summary(after(retries, spec, 3)).phase)).toEqual(['backoff', 'backoff', 'backoff', 'escalated']);
    expect(statusOf(after(5, spec, 3)).message).toContain('after 2 retries without success');
  });

  test('an attempt whose Secret points to another host by now does not count: a cycle of that host may still help', () => {
    const spec = { strategy: 'escalate', deleteAfterRetries: 0 } as const;
    const object = failed(phase, 0, spec);
    const owing = { ...object, status: { ...object.status, switchOnOwed: true, host: { address: 'https://bmc-of-another' } } };
    const led = (address: string) => decide(seenWith({ object: owing, power: NO_ANSWER, host: { address } }), NOW);
    expect([summary(led('https://bmc-of-another')).phase, statusOf(led('https://bmc-0'))]).toMatchObject([
      'escalated',
      { phase: 'backoff', attemptsNeverOff: 1 },
    ]);
  });

  test('an attempt on the wrong host does not count', () => {
    const object = failed(phase, 0, { strategy: 'escalate', deleteAfterRetries: 0 });
    const found = { ...object, status: { ...object.status, anotherHost: true, host: { address: 'https://bmc-0' } } };
    expect(statusOf(decide(seenWith({ object: found, power }), NOW))).toMatchObject({ phase: 'backoff', attemptsNeverOff: 1 });
  });

  test('the number applies to escalate only, and defaults to 10', () => {
    expect(summary(after(50, { strategy: 'retry', deleteAfterRetries: 1 })).phase).toBe('backoff');
    expect(summary(after(50, { deleteAfterRetries: 1 })).phase).toBe('backoff');
    expect([9, 10].map((retries) => summary(after(retries, { strategy: 'escalate' })).phase)).toEqual(['backoff', 'escalated']);
  });
});

describe('an attempt in which the host was never seen off', () => {
  const commandFailure = { fault: 'Unauthorized', message: 'its user may not reset it' } as const;
  const after = (spec: PowerCycleRemediation['spec']) =>
    decide(seenWith({ object: failed('power-off', 50, spec), power: powerIs('On'), commandFailure }), NOW);

  test('never escalates, and reports so', () => {
    const decision = after({ strategy: 'escalate', deleteAfterRetries: 0 });
    expect(summary(decision)).toMatchObject({ phase: 'backoff', does: [LEDGER] });
    expect(statusOf(decision)).toMatchObject({ retryCount: 50, attemptsNeverOff: 1 });
    expect(statusOf(decision).message).toBe(
      'the host did not report that it is off within 120 s (its user may not reset it); retry 51 starts at 2026-01-10T12:30:00Z; ' +
        'this attempt does not count towards escalation, because its host was never seen off',
    );
  });

  test('does not mention escalation where the strategy never escalates', () =>
    expect(statusOf(after({})).message).not.toContain('escalated'));
});

describe('the backoff after an attempt', () => {
  test.each<readonly [string, PowerCycleStatus, number]>([
    ['nothing is left to do', { switchOnOwed: false }, 2 * MINUTE],
    ['the host must still be switched on', { switchOnOwed: true }, 30 * SECOND],
    ['its Node is still tainted', { switchOnOwed: false, taintedNode: 'worker-0' }, 30 * SECOND],
  ])('is interrupted by rechecks while a cleanup is pending: %s', (_, change, wakesInMs) => {
    const object = failed('waiting', 1);
    const seen = seenWith({ object: { ...object, status: { ...object.status, ...change } }, power: { kind: 'not-read' } });
    expect(summary(decide(seen, NOW))).toMatchObject({ phase: 'backoff', wakesInMs });
  });
});

describe('the message about an attempt', () => {
  test('contains the last fault of the host', () => {
    const object = failed('power-off', 0);
    expect(statusOf(decide(seenWith({ object, power: NO_ANSWER }), NOW)).message).toContain('(asking https://bmc-0: no answer)');
    const commandFailure = { fault: 'Refused', message: 'it cannot' } as const;
    expect(statusOf(decide(seenWith({ object, commandFailure }), NOW)).message).toContain('(it cannot)');
  });
});

const escalating = { strategy: 'escalate', deleteAfterRetries: 0 } as const;
const FAILED_AT = anUnhealthyMachine().status!.conditions![0]!.lastTransitionTime!;
const machineWith = (conditions: NonNullable<Machine['status']>['conditions']) => {
  const machine = anUnhealthyMachine();
  return {
    kind: 'eligible',
    machine: { ...machine, status: { ...machine.status, conditions: [...machine.status!.conditions!, ...conditions!] } },
  } as const;
};
const written = ({ effects }: Decision) =>
  effects.flatMap((effect) => (effect.kind === 'PatchStatus' ? [effect.status as NonNullable<Machine['status']>] : []));

describe('escalation', () => {
  test('requests remediation from the owner in both styles of conditions', () => {
    const [status] = written(decide(seenWith({ object: failed('waiting', 0, escalating), power: { kind: 'not-read' } }), NOW));
    const wanted = { type: 'OwnerRemediated', status: 'False', reason: 'WaitingForRemediation' };
    expect(status!.conditions).toContainEqual(expect.objectContaining(wanted));
    expect(status!.deprecated!.v1beta1!.conditions).toContainEqual(expect.objectContaining(wanted));
  });

  test('records the observed generation of the Machine', () => {
    const machine = { kind: 'eligible', machine: anUnhealthyMachine({ generation: 6 }) } as const;
    const [status] = written(decide(seenWith({ object: failed('waiting', 0, escalating), machine, power: { kind: 'not-read' } }), NOW));
    expect(status!.conditions).toContainEqual(expect.objectContaining({ type: 'OwnerRemediated', observedGeneration: 6 }));
  });

  test('[MH-074] never changes HealthCheckSucceeded', () => {
    const machine = anUnhealthyMachine();
    const verdicts = (status: Machine['status']) => status?.conditions?.filter(({ type }) => type === 'HealthCheckSucceeded');
    const [status] = written(decide(seenWith({ object: failed('waiting', 0, escalating), power: { kind: 'not-read' } }), NOW));
    expect(verdicts(status)).toEqual(verdicts(machine.status));
  });

  test('does not happen for a Machine that recovered or cannot be read', () => {
    const object = failed('power-on', 0, escalating);
    expect(summary(decide(seenWith({ object, machine: WELL, power: powerIs('Off') }), NOW))).toMatchObject({ phase: 'backoff' });
    const unknown = decide(seenWith({ object, machine: { kind: 'unreadable', reason: 'no' }, power: powerIs('Off') }), NOW);
    expect(summary(unknown)).toMatchObject({ phase: 'power-on', because: 'MachineUnreadable', does: [], wakesInMs: 30 * SECOND });
    expect(eventsOf(unknown)).toEqual(['Warning MachineUnreadable']);
  });

  test('waits for a Machine that cannot be read, and orders its host to switch on meanwhile', () => {
    const object = failed('power-on', 0, escalating);
    const status = { ...object.status, switchOnOwed: true, powerOnRequestedAt: agoMicro(30 * SECOND) };
    const seen = seenWith({ object: { ...object, status }, machine: { kind: 'unreadable', reason: 'no' }, power: powerIs('Off') });
    expect(summary(decide(seen, NOW))).toMatchObject({ phase: 'power-on', because: 'MachineUnreadable', does: ['on'] });
    expect(statusOf(decide(seen, NOW))).toMatchObject({ powerOnRequestedAt: agoMicro(0) });
  });

  const escalated = (change: PowerCycleStatus = {}) =>
    aRequest({ spec: escalating, status: { phase: 'escalated', retryCount: 0, escalatedFailure: FAILED_AT, ...change } });
  const asked = { type: 'OwnerRemediated', status: 'False', reason: 'WaitingForRemediation', lastTransitionTime: agoMicro(0) } as const;

  test.each([
    { reason: 'the condition was lost', machine: machineWith([]), does: ['Machine status'] },
    { reason: 'the condition exists already', machine: machineWith([asked]), does: [] },
    { reason: 'a condition that the owner wrote stays', machine: machineWith([{ ...asked, reason: 'RemediationFailed' }]), does: [] },
    {
      reason: 'an owner that remediated before is requested again',
      machine: machineWith([{ ...asked, status: 'True' }]),
      does: ['Machine status'],
    },
    { reason: 'it is healthy', machine: WELL, does: [] },
  ])('afterwards: $reason', ({ machine, does }) => {
    const decision = decide(seenWith({ object: escalated(), machine, power: { kind: 'not-read' }, budget: withoutClaim() }), NOW);
    expect(summary(decision)).toMatchObject({ phase: 'escalated', does, wakesInMs: does.length > 0 ? 30 * SECOND : undefined });
  });

  test.each([
    { told: 'itself', by: ['MachineMissing', 'MachineHealthy', 'MachineDeleting'], wakesInMs: undefined },
    { told: 'by no watch', by: ['Paused', 'NotJudged', 'ControlPlane', 'AskedElsewhere'], wakesInMs: 30 * SECOND },
  ] as const)('afterwards: that the Machine is no longer ineligible is reported $told', ({ by, wakesInMs }) => {
    for (const reason of by) {
      const machine = { kind: 'ineligible', reason, message: 'so' } as const;
      const decision = decide(seenWith({ object: escalated(), machine, power: { kind: 'not-read' }, budget: withoutClaim() }), NOW);
      expect(summary(decision)).toMatchObject({ phase: 'escalated', does: [], wakesInMs });
    }
  });

  test.each<{ reason: string; seen: Partial<PowerCycleSeen> }>([
    { reason: 'the Machine, its Node or its check', seen: { machine: { kind: 'unreadable', reason: 'not now' } } },
    { reason: 'the ledger, with its claim', seen: { budget: { kind: 'unreadable', reason: 'not now' } } },
  ])('afterwards: what could not be read is read again: $reason', ({ seen }) => {
    const rest = { machine: machineWith([asked]), power: { kind: 'not-read' }, budget: withoutClaim() } as const;
    const decision = decide(seenWith({ object: escalated(), ...rest, ...seen }), NOW);
    expect(summary(decision)).toMatchObject({ phase: 'escalated', does: [], wakesInMs: 30 * SECOND });
  });

  test('records the failure that it was for', () => {
    const decision = decide(seenWith({ object: failed('waiting', 0, escalating), power: { kind: 'not-read' } }), NOW);
    expect(statusOf(decision)).toMatchObject({ phase: 'escalated', escalatedFailure: FAILED_AT });
  });

  test.each<{ reason: string; record: PowerCycleStatus }>([
    { reason: 'its owner was requested for the last failure', record: { escalatedFailure: agoMicro(120 * MINUTE) } },
    { reason: 'status does not record the escalated failure', record: {} },
  ])('ends when the Machine has a new failure: $reason', ({ record }) => {
    const object = aRequest({ spec: escalating, status: { phase: 'escalated', retryCount: 7, attemptsNeverOff: 2, ...record } });
    const decision = decide(seenWith({ object, machine: machineWith([]), power: { kind: 'not-read' }, budget: withoutClaim() }), NOW);
    expect(summary(decision)).toEqual({ phase: 'pending', because: 'FailedAnew', does: [], wakesInMs: 5 * SECOND });
    const begun = statusOf(decide(seenWith({ object: { ...object, status: statusOf(decision) }, machine: machineWith([]) }), NOW));
    expect(begun).toMatchObject({ phase: 'power-off', retryCount: 0 });
    expect(begun).not.toHaveProperty('escalatedFailure');
    expect(begun).not.toHaveProperty('attemptsNeverOff');
  });

  test('stays where the owner was requested for the new failure already', () => {
    const object = escalated({ escalatedFailure: agoMicro(120 * MINUTE) });
    const decision = decide(seenWith({ object, machine: machineWith([asked]), power: { kind: 'not-read' }, budget: withoutClaim() }), NOW);
    expect(summary(decision)).toMatchObject({ phase: 'escalated', does: [] });
  });

  test('afterwards a host that must still be switched on is switched on', () => {
    const object = escalated({ switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    const decision = decide(seenWith({ object, machine: machineWith([asked]), power: powerIs('Off'), budget: withoutClaim() }), NOW);
    expect(summary(decision)).toMatchObject({ does: ['on'], because: 'Escalated', wakesInMs: 30 * SECOND });
    expect(statusOf(decision).message).toBe('power cycles did not help; its owner is requested to replace the Machine');
  });

  test('afterwards it is reported that the host cannot be switched on', () => {
    const object = escalated({ switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    const decision = decide(seenWith({ object, machine: machineWith([asked]), power: NO_ANSWER, budget: withoutClaim() }), NOW);
    expect(statusOf(decision).message).toBe('the host is not switched on again yet: asking https://bmc-0: no answer');
    expect(eventsOf(decision)).toEqual(['Warning BmcUnreachable']);
  });
});
