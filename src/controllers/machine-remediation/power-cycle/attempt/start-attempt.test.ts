import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../../default-settings.ts';
import { decide } from '../decide.ts';
import type { PowerCycleSeen } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';
import {
  agoMicro,
  aRequest,
  eventsOf,
  FINALIZER,
  summary,
  LEDGER,
  NOW,
  powerIs,
  seenWith,
  NO_ANSWER,
  withoutClaim,
} from '../testing/builders.ts';

const bare = aRequest({ metadata: { finalizers: [] } });
const paused = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, paused: 'incident 7' } };
const backoff: PowerCycleStatus = { phase: 'backoff', retryCount: 2, nextAttemptTime: agoMicro(0), phaseStartTime: agoMicro(4 * MINUTE) };
const left = (reason: 'MachineMissing' | 'MachineHealthy' | 'Paused' | 'ControlPlane' | 'MachineDeleting') =>
  ({ kind: 'ineligible', reason, message: 'because' }) as const;

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly seen?: Partial<PowerCycleSeen>;
  readonly phase?: string;
  readonly because: string;
  readonly does?: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: '[MH-110] a new request',
    reason: 'the host is ordered to switch off',
    phase: 'power-off',
    because: 'PoweringOff',
    does: ['off'],
  },
  {
    name: '[MH-129] no finalizer',
    reason: 'it is added before the first command',
    seen: { object: bare },
    because: 'Pending',
    does: [FINALIZER],
  },
  { name: 'no claim', reason: 'the budget comes first', seen: { budget: withoutClaim() }, because: 'Pending', does: [LEDGER] },
  {
    name: 'neither',
    reason: 'both in one pass, and no command',
    seen: { object: bare, budget: withoutClaim(bare) },
    because: 'Pending',
    does: [FINALIZER, LEDGER],
  },
  {
    name: 'no room',
    reason: 'one on a node is enough',
    seen: { budget: withoutClaim(aRequest(), ['we-1@shop/worker-0']) },
    because: 'WaitingForBudget',
  },
  {
    name: 'paused by all',
    reason: 'nothing starts even with a claim, which is removed',
    seen: { settings: paused },
    because: 'BudgetPaused',
    does: [LEDGER],
  },
  {
    name: 'no ledger',
    reason: 'it is made',
    seen: { budget: { kind: 'absent' } },
    because: 'WaitingForLedger',
    does: ['Create ConfigMap'],
  },
  {
    name: 'ledger unreadable',
    reason: 'an unreadable ledger does not count as empty',
    seen: { budget: { kind: 'unreadable', reason: 'no' } },
    because: 'BudgetUnreadable',
  },
  {
    name: 'host silent',
    reason: 'nothing starts that cannot be completed, and the slot is free for others',
    seen: { power: NO_ANSWER },
    because: 'BmcUnreachable',
    does: [LEDGER],
  },
  { name: 'host silent, no claim', reason: 'none is made', seen: { power: NO_ANSWER, budget: withoutClaim() }, because: 'BmcUnreachable' },
  {
    name: 'no Secret',
    reason: 'a warning reports what is missing',
    seen: { power: { kind: 'fault', fault: 'NoAccess', message: 'no Secret' }, budget: withoutClaim() },
    because: 'BmcAccessMissing',
  },
  {
    name: 'power not read',
    reason: 'its power was not yet wanted',
    seen: { power: { kind: 'not-read' }, budget: withoutClaim() },
    because: 'Pending',
  },
  { name: 'off already', reason: 'it needs no command', seen: { power: powerIs('Off') }, phase: 'power-off', because: 'PoweringOff' },
  {
    name: 'on its way',
    reason: 'an order of another client counts too: the host must be off first',
    seen: { power: powerIs('PoweringOn') },
    phase: 'power-off',
    because: 'PoweringOff',
    does: ['off'],
  },
  {
    name: 'healthy',
    reason: 'only a Machine that fails is power-cycled',
    seen: { machine: left('MachineHealthy') },
    because: 'MachineHealthy',
    does: [LEDGER],
  },
  {
    name: 'no Machine',
    reason: 'the report says why',
    seen: { machine: left('MachineMissing') },
    because: 'MachineMissing',
    does: [LEDGER],
  },
  { name: 'paused', reason: 'an operator paused it', seen: { machine: left('Paused') }, because: 'Paused', does: [LEDGER] },
  {
    name: 'control plane',
    reason: 'it is never power-cycled',
    seen: { machine: left('ControlPlane') },
    because: 'ControlPlane',
    does: [LEDGER],
  },
  {
    name: 'being deleted',
    reason: 'it is being deleted',
    seen: { machine: left('MachineDeleting') },
    because: 'MachineDeleting',
    does: [LEDGER],
  },
  {
    name: 'Machine unreadable',
    reason: 'an unreadable Machine is not an unhealthy one',
    seen: { machine: { kind: 'unreadable', reason: 'no' } },
    because: 'MachineUnreadable',
    does: [LEDGER],
  },
];

describe('before an attempt', () => {
  test.each(cases)('$name: $reason', ({ seen, phase = 'pending', because, does = [] }) => {
    const decision = decide(seenWith(seen), NOW);
    expect(summary(decision)).toMatchObject({ phase, because, does });
    expect(decision.wakeAt).toBeGreaterThan(NOW);
  });

  test.each(cases)('$name: the same applies to the next attempt', ({ seen, phase = 'backoff', because, does = [] }) => {
    const { object = aRequest() } = seen ?? {};
    const next = { ...object, status: backoff };
    expect(summary(decide(seenWith({ ...seen, object: next }), NOW))).toMatchObject({ phase, because, does });
  });

  test('the command and switchOnOwed are recorded in status before the command is sent', () =>
    expect(decide(seenWith(), NOW).status).toMatchObject({
      phase: 'power-off',
      phaseStartTime: agoMicro(0),
      powerOffRequestedAt: agoMicro(0),
      switchOnOwed: true,
      retryCount: 0,
    }));

  test.each(['On', 'Off'] as const)('the host is recorded with it, also where it was found %s', (state) => {
    const host = { address: 'https://bmc-0' };
    expect(decide(seenWith({ power: powerIs(state), host }), NOW).status).toMatchObject({ switchOnOwed: true, host });
  });

  test.each([
    { finalizers: [], becomes: ['remediation.sickbay.dev'] },
    { finalizers: ['theirs'], becomes: ['theirs', 'remediation.sickbay.dev'] },
  ])('our finalizer is added to those of others: $finalizers', ({ finalizers, becomes }) =>
    expect(decide(seenWith({ object: aRequest({ metadata: { finalizers } }) }), NOW).effects[0]).toMatchObject({
      kind: 'Patch',
      operations: [{ op: 'add', path: '/metadata/finalizers', value: becomes }],
    }),
  );

  test('a host that was off already must be switched on, although it was sent no command', () => {
    const { status } = decide(seenWith({ power: powerIs('Off') }), NOW);
    expect(status).toMatchObject({ phase: 'power-off', switchOnOwed: true });
    expect(status).not.toHaveProperty('powerOffRequestedAt');
  });

  test.each<readonly [string, PowerCycleSeen['machine'], string]>([
    ['it cannot be read', { kind: 'unreadable', reason: 'no' }, 'Warning MachineUnreadable'],
    ['it is gone', left('MachineMissing'), 'Warning MachineMissing'],
    ['it belongs to the control plane', left('ControlPlane'), 'Warning ControlPlane'],
    ['it is healthy, which needs no warning', left('MachineHealthy'), 'Normal MachineHealthy'],
  ])('reports why nothing is done: %s', (_, machine, event) => expect(eventsOf(decide(seenWith({ machine }), NOW))).toEqual([event]));

  test('the end of an earlier backoff delays nothing', () =>
    expect(
      summary(decide(seenWith({ object: aRequest({ status: { phase: 'pending', nextAttemptTime: agoMicro(-MINUTE) } }) }), NOW)),
    ).toMatchObject({ phase: 'power-off', does: ['off'] }));

  test('[MH-128] the first attempt is no retry; the first retry is 1', () => {
    const count = (status: PowerCycleStatus) =>
      (decide(seenWith({ object: aRequest({ status }) }), NOW).status as PowerCycleStatus).retryCount;
    expect(count({ phase: 'pending' })).toBe(0);
    expect(count({ ...backoff, retryCount: 0 })).toBe(1);
    expect(count(backoff)).toBe(3);
  });

  test('nextAttemptTime is removed when the attempt starts', () =>
    expect(decide(seenWith({ object: aRequest({ status: backoff }) }), NOW).status).not.toHaveProperty('nextAttemptTime'));

  test('an Event is recorded only for a new reason', () => {
    const first = decide(seenWith({ power: NO_ANSWER }), NOW);
    expect(eventsOf(first)).toEqual(['Warning BmcUnreachable']);
    const again = aRequest({ status: first.status as PowerCycleStatus });
    expect(eventsOf(decide(seenWith({ power: NO_ANSWER, object: again }), NOW))).toEqual([]);
  });
});

describe('a host that was found to be the wrong one', () => {
  const HOST = { address: 'https://bmc-0' };
  const found = (change: PowerCycleStatus = {}) => aRequest({ status: { ...backoff, anotherHost: true, host: HOST, ...change } });
  const message =
    "https://bmc-0 was off while the Machine's Node still ran, so that it is not the Machine's host: it is not switched off again until the " +
    'Secret points to another host. If it is the right host, delete this request';
  const owing: PowerCycleStatus = { switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) };

  test.each<{ reason: string; status?: PowerCycleStatus; seen?: Partial<PowerCycleSeen>; because?: string; does?: readonly string[] }>([
    { reason: 'nothing starts, and the slot is free for others' },
    { reason: 'it does not queue for the budget', seen: { budget: withoutClaim(aRequest(), ['we-1@shop/worker-0']) }, does: [] },
    { reason: 'it does not matter whether it answers', seen: { power: NO_ANSWER } },
    { reason: 'it is still switched on', status: owing, seen: { power: powerIs('Off') }, does: ['on', LEDGER] },
    { reason: 'it is reported that it cannot be switched on', status: owing, seen: { power: NO_ANSWER }, because: 'BmcUnreachable' },
    { reason: 'the report that the Machine is healthy comes first', seen: { machine: left('MachineHealthy') }, because: 'MachineHealthy' },
  ])('is not switched off again: $reason', ({ status, seen = {}, because = 'AnotherHost', does = [LEDGER] }) => {
    const decision = decide(seenWith({ object: found(status), host: HOST, ...seen }), NOW);
    expect(summary(decision)).toMatchObject({ phase: 'backoff', because, does, wakesInMs: 30 * SECOND });
    expect(decision.status).toMatchObject({ anotherHost: true, host: HOST });
  });

  test('is named in the message', () => expect(decide(seenWith({ object: found(), host: HOST }), NOW).status).toMatchObject({ message }));

  test('delays nothing once the Secret points to another host', () => {
    const host = { address: 'https://bmc-1' };
    const decision = decide(seenWith({ object: found(), host }), NOW);
    expect(summary(decision)).toMatchObject({ phase: 'power-off', does: ['off'] });
    expect(decision.status).toMatchObject({ host });
    expect(decision.status).not.toHaveProperty('anotherHost');
  });
});

describe('the backoff between two attempts', () => {
  const until = (ms: number, change: PowerCycleStatus = {}) =>
    aRequest({ status: { ...backoff, ...change, nextAttemptTime: agoMicro(-ms) } });

  test.each([
    { ms: SECOND, begins: false },
    { ms: 1, begins: false },
    { ms: 0, begins: true },
    { ms: -1, begins: true },
  ])('ends $ms ms before its time: $begins', ({ ms, begins }) => {
    const { phase } = summary(decide(seenWith({ object: until(ms) }), NOW));
    expect(phase).toBe(begins ? 'power-off' : 'backoff');
  });

  test('ends at its time, and its slot is free for others meanwhile', () =>
    expect(summary(decide(seenWith({ object: until(MINUTE), power: { kind: 'not-read' } }), NOW))).toMatchObject({
      does: [LEDGER],
      wakesInMs: MINUTE,
    }));

  test('ends the claim of the attempt before it; a claim that started nothing is removed', () => {
    const ledger = (object: ReturnType<typeof aRequest>) =>
      decide(seenWith({ object, power: NO_ANSWER }), NOW).effects.flatMap((effect) => (effect.kind === 'Patch' ? effect.operations : []));
    expect(JSON.stringify(ledger(until(MINUTE)))).toContain('endedAt');
    expect(ledger(until(0))).toEqual([{ op: 'add', path: '/data', value: {} }]);
  });

  test('switches on a host that went off too late', () => {
    const object = until(20 * MINUTE, { switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    const decision = decide(seenWith({ object, power: powerIs('Off'), budget: withoutClaim() }), NOW);
    expect(summary(decision)).toMatchObject({ phase: 'backoff', does: ['on'], because: 'PowerCycleUnsuccessful' });
    expect(decision.status).toMatchObject({ powerOnRequestedAt: agoMicro(0), switchOnOwed: true });
  });

  test('does so too while the request waits for anything else', () => {
    const object = until(0, { switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    const waiting: Partial<PowerCycleSeen>[] = [
      { budget: withoutClaim(object, ['we-1@shop/worker-0']) },
      { machine: left('Paused'), budget: withoutClaim() },
    ];
    for (const seen of waiting) expect(summary(decide(seenWith({ object, power: powerIs('Off'), ...seen }), NOW)).does).toEqual(['on']);
  });

  test('clears switchOnOwed when the host is seen on', () => {
    const object = until(20 * MINUTE, { switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    expect(decide(seenWith({ object, budget: withoutClaim() }), NOW).status).toMatchObject({ switchOnOwed: false });
  });

  test('reports that the host cannot be switched on meanwhile', () => {
    const object = until(20 * MINUTE, { switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    expect(summary(decide(seenWith({ object, power: NO_ANSWER, budget: withoutClaim() }), NOW))).toMatchObject({
      because: 'BmcUnreachable',
      wakesInMs: 30 * SECOND,
    });
  });

  test.each<readonly [string, PowerCycleStatus, Partial<PowerCycleSeen>, number]>([
    ['nothing is left to do', {}, {}, 20 * MINUTE],
    ['the host must still be switched on', { switchOnOwed: true }, { power: powerIs('PoweringOn') }, 30 * SECOND],
    ['the taint cannot be removed', { taintedNode: 'worker-0' }, { tainted: { kind: 'unreadable', reason: 'no' } }, 30 * SECOND],
  ])('is interrupted by rechecks while a cleanup is pending: %s', (_, status, seen, wakesInMs) =>
    expect(summary(decide(seenWith({ object: until(20 * MINUTE, status), power: { kind: 'not-read' }, ...seen }), NOW)).wakesInMs).toBe(
      wakesInMs,
    ),
  );

  test('keeps the message about the failed attempt', () => {
    const status: PowerCycleStatus = {
      conditions: [
        { type: 'Ready', status: 'False', reason: 'PowerCycleUnsuccessful', message: 'it stayed on', lastTransitionTime: agoMicro(0) },
      ],
    };
    expect(decide(seenWith({ object: until(MINUTE, status) }), NOW).status).toMatchObject({ message: 'it stayed on' });
    expect(decide(seenWith({ object: until(MINUTE) }), NOW).status).toMatchObject({
      message: expect.stringContaining('the next one starts at') as string,
    });
  });
});
