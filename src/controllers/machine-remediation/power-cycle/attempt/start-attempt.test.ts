import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../../settings.ts';
import { decide } from '../decide.ts';
import type { PowerCycleSeen } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';
import { agoMicro, aRequest, eventsOf, FINALIZER, gist, LEDGER, NOW, said, seenWith, SILENT, withoutClaim } from '../testing/builders.ts';

const bare = aRequest({ metadata: { finalizers: [] } });
const paused = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, paused: 'incident 7' } };
const backoff: PowerCycleStatus = { phase: 'backoff', retryCount: 2, nextAttemptTime: agoMicro(0), phaseStartTime: agoMicro(4 * MINUTE) };
const left = (reason: 'MachineMissing' | 'MachineHealthy' | 'Paused' | 'ControlPlane' | 'MachineDeleting') =>
  ({ kind: 'left', reason, why: 'because' }) as const;

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly seen?: Partial<PowerCycleSeen>;
  readonly phase?: string;
  readonly because: string;
  readonly does?: readonly string[];
}

const cases: readonly Case[] = [
  { name: '[MH-110] a new request', reason: 'the host is told', phase: 'power-off', because: 'PoweringOff', does: ['off'] },
  {
    name: '[MH-129] no finalizer',
    reason: 'it comes before the first command',
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
    reason: 'not even with a claim, which is given back',
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
    reason: 'not known is not empty',
    seen: { budget: { kind: 'unreadable', reason: 'no' } },
    because: 'BudgetUnreadable',
  },
  {
    name: 'host silent',
    reason: 'nothing is begun that cannot be ended, and others get the room',
    seen: { power: SILENT },
    because: 'BmcUnreachable',
    does: [LEDGER],
  },
  { name: 'host silent, no claim', reason: 'none is made', seen: { power: SILENT, budget: withoutClaim() }, because: 'BmcUnreachable' },
  {
    name: 'no Secret',
    reason: 'people are told what is missing',
    seen: { power: { kind: 'fault', fault: 'NoAccess', message: 'no Secret' }, budget: withoutClaim() },
    because: 'BmcAccessMissing',
  },
  {
    name: 'host not asked',
    reason: 'its power was not yet wanted',
    seen: { power: { kind: 'unasked' }, budget: withoutClaim() },
    because: 'Pending',
  },
  { name: 'off already', reason: 'it needs no telling', seen: { power: said('Off') }, phase: 'power-off', because: 'PoweringOff' },
  {
    name: 'on its way',
    reason: 'whoever told it, it must be off',
    seen: { power: said('PoweringOn') },
    phase: 'power-off',
    because: 'PoweringOff',
    does: ['off'],
  },
  {
    name: 'healthy',
    reason: 'only what fails is acted upon',
    seen: { machine: left('MachineHealthy') },
    because: 'MachineHealthy',
    does: [LEDGER],
  },
  { name: 'no Machine', reason: 'it says why', seen: { machine: left('MachineMissing') }, because: 'MachineMissing', does: [LEDGER] },
  { name: 'paused', reason: 'people said so', seen: { machine: left('Paused') }, because: 'Paused', does: [LEDGER] },
  {
    name: 'control plane',
    reason: 'never without a rule',
    seen: { machine: left('ControlPlane') },
    because: 'ControlPlane',
    does: [LEDGER],
  },
  {
    name: 'being deleted',
    reason: 'it is on its way',
    seen: { machine: left('MachineDeleting') },
    because: 'MachineDeleting',
    does: [LEDGER],
  },
  {
    name: 'Machine unreadable',
    reason: 'not known is not ill',
    seen: { machine: { kind: 'unreadable', why: 'no' } },
    because: 'MachineUnreadable',
    does: [LEDGER],
  },
];

describe('before an attempt', () => {
  test.each(cases)('$name: $reason', ({ seen, phase = 'pending', because, does = [] }) => {
    const decision = decide(seenWith(seen), NOW);
    expect(gist(decision)).toMatchObject({ phase, because, does });
    expect(decision.wakeAt).toBeGreaterThan(NOW);
  });

  test.each(cases)('$name: the same holds for the next attempt', ({ seen, phase = 'backoff', because, does = [] }) => {
    const { object = aRequest() } = seen ?? {};
    const next = { ...object, status: backoff };
    expect(gist(decide(seenWith({ ...seen, object: next }), NOW))).toMatchObject({ phase, because, does });
  });

  test('the command is on record before it is given, and what is owed from then on', () =>
    expect(decide(seenWith(), NOW).status).toMatchObject({
      phase: 'power-off',
      phaseStartTime: agoMicro(0),
      powerOffRequestedAt: agoMicro(0),
      switchOnOwed: true,
      retryCount: 0,
    }));

  test.each(['On', 'Off'] as const)('which host that is goes on record with it, also of one that was found %s', (state) => {
    const host = { address: 'https://bmc-0' };
    expect(decide(seenWith({ power: said(state), host }), NOW).status).toMatchObject({ switchOnOwed: true, host });
  });

  test.each([
    { finalizers: [], becomes: ['remediation.sickbay.dev'] },
    { finalizers: ['theirs'], becomes: ['theirs', 'remediation.sickbay.dev'] },
  ])('our finalizer comes to those of others: $finalizers', ({ finalizers, becomes }) =>
    expect(decide(seenWith({ object: aRequest({ metadata: { finalizers } }) }), NOW).effects[0]).toMatchObject({
      kind: 'Patch',
      operations: [{ op: 'add', path: '/metadata/finalizers', value: becomes }],
    }),
  );

  test('a host that was off already is owed to be on, though nothing told it to go off', () => {
    const { status } = decide(seenWith({ power: said('Off') }), NOW);
    expect(status).toMatchObject({ phase: 'power-off', switchOnOwed: true });
    expect(status).not.toHaveProperty('powerOffRequestedAt');
  });

  test.each<readonly [string, PowerCycleSeen['machine'], string]>([
    ['it cannot be read', { kind: 'unreadable', why: 'no' }, 'Warning MachineUnreadable'],
    ['it is gone', left('MachineMissing'), 'Warning MachineMissing'],
    ['it is of the control plane', left('ControlPlane'), 'Warning ControlPlane'],
    ['it is well, as is to be hoped', left('MachineHealthy'), 'Normal MachineHealthy'],
  ])('tells people why the Machine is left alone: %s', (_, machine, event) =>
    expect(eventsOf(decide(seenWith({ machine }), NOW))).toEqual([event]),
  );

  test('the time of an earlier pause holds nothing up', () =>
    expect(
      gist(decide(seenWith({ object: aRequest({ status: { phase: 'pending', nextAttemptTime: agoMicro(-MINUTE) } }) }), NOW)),
    ).toMatchObject({ phase: 'power-off', does: ['off'] }));

  test('[MH-128] the first attempt is no retry; the first retry is 1', () => {
    const count = (status: PowerCycleStatus) =>
      (decide(seenWith({ object: aRequest({ status }) }), NOW).status as PowerCycleStatus).retryCount;
    expect(count({ phase: 'pending' })).toBe(0);
    expect(count({ ...backoff, retryCount: 0 })).toBe(1);
    expect(count(backoff)).toBe(3);
  });

  test('when the next attempt is to begin goes with it', () =>
    expect(decide(seenWith({ object: aRequest({ status: backoff }) }), NOW).status).not.toHaveProperty('nextAttemptTime'));

  test('a reason that was given before is told once', () => {
    const first = decide(seenWith({ power: SILENT }), NOW);
    expect(eventsOf(first)).toEqual(['Warning BmcUnreachable']);
    const again = aRequest({ status: first.status as PowerCycleStatus });
    expect(eventsOf(decide(seenWith({ power: SILENT, object: again }), NOW))).toEqual([]);
  });
});

describe("a host that was found to be another's", () => {
  const HOST = { address: 'https://bmc-0' };
  const found = (change: PowerCycleStatus = {}) => aRequest({ status: { ...backoff, anotherHost: true, host: HOST, ...change } });
  const message =
    'https://bmc-0 was off while the Node of the Machine still ran: it is not switched off again before the Secret leads to another host; ' +
    'if it is the right one all the same, delete this request';
  const owing: PowerCycleStatus = { switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) };

  test.each<{ reason: string; status?: PowerCycleStatus; seen?: Partial<PowerCycleSeen>; because?: string; does?: readonly string[] }>([
    { reason: 'it is left alone, and others get the room' },
    { reason: 'it asks for no room', seen: { budget: withoutClaim(aRequest(), ['we-1@shop/worker-0']) }, does: [] },
    { reason: 'it does not matter whether it answers', seen: { power: SILENT } },
    { reason: 'it is switched on all the same', status: owing, seen: { power: said('Off') }, does: ['on', LEDGER] },
    { reason: 'people are told where it cannot be', status: owing, seen: { power: SILENT }, because: 'BmcUnreachable' },
    { reason: 'that the Machine is well is worth more', seen: { machine: left('MachineHealthy') }, because: 'MachineHealthy' },
  ])('is not switched off again: $reason', ({ status, seen = {}, because = 'AnotherHost', does = [LEDGER] }) => {
    const decision = decide(seenWith({ object: found(status), host: HOST, ...seen }), NOW);
    expect(gist(decision)).toMatchObject({ phase: 'backoff', because, does, wakesInMs: 30 * SECOND });
    expect(decision.status).toMatchObject({ anotherHost: true, host: HOST });
  });

  test('is named to people', () => expect(decide(seenWith({ object: found(), host: HOST }), NOW).status).toMatchObject({ message }));

  test('holds nothing up when the Secret leads to another', () => {
    const host = { address: 'https://bmc-1' };
    const decision = decide(seenWith({ object: found(), host }), NOW);
    expect(gist(decision)).toMatchObject({ phase: 'power-off', does: ['off'] });
    expect(decision.status).toMatchObject({ host });
    expect(decision.status).not.toHaveProperty('anotherHost');
  });
});

describe('the pause between two attempts', () => {
  const until = (ms: number, change: PowerCycleStatus = {}) =>
    aRequest({ status: { ...backoff, ...change, nextAttemptTime: agoMicro(-ms) } });

  test.each([
    { ms: SECOND, begins: false },
    { ms: 1, begins: false },
    { ms: 0, begins: true },
    { ms: -1, begins: true },
  ])('begins $ms ms before its time: $begins', ({ ms, begins }) => {
    const { phase } = gist(decide(seenWith({ object: until(ms) }), NOW));
    expect(phase).toBe(begins ? 'power-off' : 'backoff');
  });

  test('ends at its time, and others get the room meanwhile', () =>
    expect(gist(decide(seenWith({ object: until(MINUTE), power: { kind: 'unasked' } }), NOW))).toMatchObject({
      does: [LEDGER],
      wakesInMs: MINUTE,
    }));

  test('ends the claim of the attempt before it; a claim that nothing was begun with is taken back', () => {
    const ledger = (object: ReturnType<typeof aRequest>) =>
      decide(seenWith({ object, power: SILENT }), NOW).effects.flatMap((effect) => (effect.kind === 'Patch' ? effect.operations : []));
    expect(JSON.stringify(ledger(until(MINUTE)))).toContain('endedAt');
    expect(ledger(until(0))).toEqual([{ op: 'add', path: '/data', value: {} }]);
  });

  test('is for switching a host on that went off too late', () => {
    const object = until(20 * MINUTE, { switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    const decision = decide(seenWith({ object, power: said('Off'), budget: withoutClaim() }), NOW);
    expect(gist(decision)).toMatchObject({ phase: 'backoff', does: ['on'], because: 'PowerCycleUnsuccessful' });
    expect(decision.status).toMatchObject({ powerOnRequestedAt: agoMicro(0), switchOnOwed: true });
  });

  test('does so too while it waits for anything else', () => {
    const object = until(0, { switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    const waiting: Partial<PowerCycleSeen>[] = [
      { budget: withoutClaim(object, ['we-1@shop/worker-0']) },
      { machine: left('Paused'), budget: withoutClaim() },
    ];
    for (const seen of waiting) expect(gist(decide(seenWith({ object, power: said('Off'), ...seen }), NOW)).does).toEqual(['on']);
  });

  test('owes nothing any more when the host is seen on', () => {
    const object = until(20 * MINUTE, { switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    expect(decide(seenWith({ object, budget: withoutClaim() }), NOW).status).toMatchObject({ switchOnOwed: false });
  });

  test('tells people where the host cannot be switched on meanwhile', () => {
    const object = until(20 * MINUTE, { switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) });
    expect(gist(decide(seenWith({ object, power: SILENT, budget: withoutClaim() }), NOW))).toMatchObject({
      because: 'BmcUnreachable',
      wakesInMs: 30 * SECOND,
    });
  });

  test.each<readonly [string, PowerCycleStatus, Partial<PowerCycleSeen>, number]>([
    ['nothing is left to do', {}, {}, 20 * MINUTE],
    ['the host is owed to be on', { switchOnOwed: true }, { power: said('PoweringOn') }, 30 * SECOND],
    ['the mark cannot be taken off', { taintedNode: 'worker-0' }, { tainted: { kind: 'unreadable', why: 'no' } }, 30 * SECOND],
  ])('is not slept through where something is owed: %s', (_, status, seen, wakesInMs) =>
    expect(gist(decide(seenWith({ object: until(20 * MINUTE, status), power: { kind: 'unasked' }, ...seen }), NOW)).wakesInMs).toBe(
      wakesInMs,
    ),
  );

  test('goes on saying why', () => {
    const status: PowerCycleStatus = {
      conditions: [
        { type: 'Ready', status: 'False', reason: 'PowerCycleUnsuccessful', message: 'it stayed on', lastTransitionTime: agoMicro(0) },
      ],
    };
    expect(decide(seenWith({ object: until(MINUTE, status) }), NOW).status).toMatchObject({ message: 'it stayed on' });
    expect(decide(seenWith({ object: until(MINUTE) }), NOW).status).toMatchObject({
      message: expect.stringContaining('the next one begins at') as string,
    });
  });
});
