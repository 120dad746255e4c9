import { describe, expect, test } from 'vitest';
import type { Node } from '../../../../api/builtin/index.ts';
import { MINUTE, SECOND } from '../../../../base/index.ts';
import { decide } from '../decide.ts';
import type { PowerCycleSeen, SeenPower } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';
import { aDeadNode, agoMicro, aRequest, eventsOf, gist, LEDGER, NOW, OURS, said, seenWith, SILENT, TAINT } from '../testing/builders.ts';

const WELL = { kind: 'left', reason: 'MachineHealthy', why: 'it is well' } as const;
const UNREADABLE = { kind: 'unreadable', why: 'no' } as const;
const there = (node: Node) => ({ kind: 'there', node }) as const;

/** A request that has been in a phase for so long. */
const since = (phase: NonNullable<PowerCycleStatus['phase']>, ms: number, change: PowerCycleStatus = {}) =>
  aRequest({
    spec: { powerOffTimeoutSeconds: 120, powerOnTimeoutSeconds: 600, nodeTimeoutSeconds: 300 },
    status: {
      phase,
      phaseStartTime: agoMicro(ms),
      powerOffRequestedAt: agoMicro(ms),
      ...(phase !== 'power-off' && { powerOnRequestedAt: agoMicro(ms) }),
      switchOnOwed: true,
      retryCount: 0,
      ...change,
    },
  });

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly ms: number;
  readonly power: SeenPower;
  readonly seen?: Partial<PowerCycleSeen>;
  readonly status?: PowerCycleStatus;
  readonly phase: string;
  readonly does?: readonly string[];
  readonly because?: string;
}

const run = (from: NonNullable<PowerCycleStatus['phase']>, { ms, power, seen, status }: Case) =>
  decide(seenWith({ object: since(from, ms, status), power, ...seen }), NOW);

const powerOff: readonly Case[] = [
  {
    name: '[MH-127] told a moment ago',
    reason: 'it takes its time',
    ms: 5 * SECOND,
    power: said('On'),
    phase: 'power-off',
    because: 'PoweringOff',
  },
  { name: 'off', reason: 'read, not inferred', ms: 5 * SECOND, power: said('Off'), phase: 'freeing', because: 'FreeingWorkloads' },
  { name: 'on its way', reason: 'it need not be told again', ms: 60 * SECOND, power: said('PoweringOff'), phase: 'power-off' },
  { name: 'deaf', reason: 'it is told again', ms: 30 * SECOND, power: said('On'), phase: 'power-off', does: ['off'] },
  { name: 'almost deaf', reason: 'not so soon', ms: 29_999, power: said('On'), phase: 'power-off' },
  {
    name: 'deaf, but the Machine recovered',
    reason: 'it is not told again',
    ms: 40 * SECOND,
    power: said('On'),
    seen: { machine: WELL },
    phase: 'backoff',
    does: [LEDGER],
  },
  {
    name: 'deaf, Machine unreadable',
    reason: 'not known is not ill',
    ms: 40 * SECOND,
    power: said('On'),
    seen: { machine: UNREADABLE },
    phase: 'power-off',
  },
  { name: 'silent', reason: 'not known is not off', ms: 40 * SECOND, power: SILENT, phase: 'power-off', because: 'BmcUnreachable' },
  {
    name: '[MH-126] on after 119.999 s',
    reason: 'a moment is left',
    ms: 119_999,
    power: said('On'),
    status: { powerOffRequestedAt: agoMicro(0) },
    phase: 'power-off',
  },
  {
    name: '[MH-126] on after 120 s',
    reason: 'it was not reported off within its time',
    ms: 120 * SECOND,
    power: said('On'),
    phase: 'backoff',
    does: [LEDGER],
    because: 'PowerCycleUnsuccessful',
  },
  { name: '[MH-126] off after 120 s', reason: 'it was reported in time', ms: 120 * SECOND, power: said('Off'), phase: 'freeing' },
  {
    name: '[MH-126] silent after 120 s',
    reason: 'it was not reported off either',
    ms: 120 * SECOND,
    power: SILENT,
    phase: 'backoff',
    does: [LEDGER],
  },
  {
    name: '[MH-126] told again at last',
    reason: 'the time runs from the first request',
    ms: 120 * SECOND,
    power: said('On'),
    status: { powerOffRequestedAt: agoMicro(SECOND) },
    phase: 'backoff',
    does: [LEDGER],
  },
];

describe('switching off', () => {
  test('says the how manieth time', () =>
    expect(run('power-off', { ...powerOff[0]!, status: { retryCount: 2 } }).status).toMatchObject({
      message: 'waiting for the host to switch off (retry 2)',
    }));

  test.each(powerOff)('$name: $reason', (one) => {
    expect(gist(run('power-off', one))).toMatchObject({
      phase: one.phase,
      does: one.does ?? [],
      ...(one.because && { because: one.because }),
    });
  });

  test('is on record each time, before the host is told again', () =>
    expect(
      run(
        'power-off',
        powerOff.find(({ name }) => name === 'deaf')!,
      ).status,
    ).toMatchObject({ powerOffRequestedAt: agoMicro(0) }));

  test('has a limit of 120 s where none is given', () => {
    const at = (ms: number) => gist(decide(seenWith({ object: { ...since('power-off', ms), spec: {} } }), NOW)).phase;
    expect([at(119_999), at(120 * SECOND)]).toEqual(['power-off', 'backoff']);
  });

  test('is looked at when its time is up', () =>
    expect(gist(run('power-off', { ...powerOff[0]!, ms: 118 * SECOND, status: { powerOffRequestedAt: agoMicro(0) } })).wakesInMs).toBe(
      2 * SECOND,
    ));

  test('says what the host said against it', () => {
    const trouble = { fault: 'Refused', message: 'it cannot' } as const;
    const decision = run('power-off', { ...powerOff[0]!, seen: { trouble } });
    expect(gist(decision).because).toBe('BmcRefused');
    expect(decision.status).toMatchObject({ message: 'waiting for the host to switch off: it cannot' });
    expect(eventsOf(decision)).toEqual(['Warning BmcRefused']);
  });
});

const marked = there(aDeadNode([OURS]));
const foreign = there(aDeadNode([{ ...OURS, value: 'nodeshutdown' }]));
const saying = (status: 'True' | 'False') => there({ ...aDeadNode(), status: { conditions: [{ type: 'Ready', status }] } });
const alive = saying('True');
const illButAlive = saying('False');
const none = { kind: 'count', left: 0 } as const;
const two = { kind: 'count', left: 2 } as const;
const FREED = { taintedNode: 'worker-0' };

const freeing: readonly Case[] = [
  { name: 'off', reason: 'Kubernetes is told', ms: SECOND, power: said('Off'), phase: 'freeing', does: [TAINT] },
  { name: 'silent', reason: 'only a host that says so now is off', ms: SECOND, power: SILENT, phase: 'freeing', because: 'BmcUnreachable' },
  { name: 'on its way', reason: 'that is not off', ms: SECOND, power: said('PoweringOn'), phase: 'freeing' },
  {
    name: 'off, but its Node reports',
    reason: 'it may be another host',
    ms: SECOND,
    power: said('Off'),
    seen: { node: alive },
    phase: 'freeing',
  },
  {
    name: 'off, and its Node reports to the end',
    reason: 'nothing is freed, and people are told',
    ms: 2 * MINUTE,
    power: said('Off'),
    seen: { node: alive },
    phase: 'power-on',
    does: ['on'],
    because: 'AnotherHost',
  },
  {
    name: 'off, but its Node reports that it is ill',
    reason: 'a kubelet that says so runs, and so do its containers',
    ms: SECOND,
    power: said('Off'),
    seen: { node: illButAlive },
    phase: 'freeing',
  },
  {
    name: 'off, and its Node reports to the end that it is ill',
    reason: 'nothing is freed, and people are told',
    ms: 2 * MINUTE,
    power: said('Off'),
    seen: { node: illButAlive },
    phase: 'power-on',
    does: ['on'],
    because: 'AnotherHost',
  },
  {
    name: 'off, its Node has no word of Ready',
    reason: 'only silence is known to be silence',
    ms: SECOND,
    power: said('Off'),
    seen: { node: there({ ...aDeadNode(), status: {} }) },
    phase: 'freeing',
  },
  {
    name: 'marked, with pods',
    reason: 'they leave',
    ms: SECOND,
    power: said('Off'),
    seen: { node: marked, pods: two },
    status: FREED,
    phase: 'freeing',
  },
  {
    name: 'marked, pods unreadable',
    reason: 'not known is not gone',
    ms: SECOND,
    power: said('Off'),
    seen: { node: marked, pods: UNREADABLE },
    status: FREED,
    phase: 'freeing',
  },
  {
    name: 'marked, without pods',
    reason: 'freed',
    ms: SECOND,
    power: said('Off'),
    seen: { node: marked, pods: none },
    status: FREED,
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'marked by others',
    reason: 'one mark is enough',
    ms: SECOND,
    power: said('Off'),
    seen: { node: foreign, pods: two },
    phase: 'freeing',
  },
  {
    name: 'too long',
    reason: 'a host does not stay off for ever',
    ms: 2 * MINUTE,
    power: said('Off'),
    seen: { node: marked, pods: two },
    status: FREED,
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'not too long',
    reason: 'a moment is left',
    ms: 2 * MINUTE - 1,
    power: said('Off'),
    seen: { node: marked, pods: two },
    status: FREED,
    phase: 'freeing',
  },
  {
    name: 'silent for too long',
    reason: 'it is told to switch on all the same',
    ms: 2 * MINUTE,
    power: SILENT,
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'no Node',
    reason: 'there is nothing to free',
    ms: SECOND,
    power: said('Off'),
    seen: { node: { kind: 'none' } },
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'a Node of another cluster',
    reason: 'it is not for us to mark, whether or not it can be seen',
    ms: SECOND,
    power: said('Off'),
    seen: { node: { kind: 'elsewhere', unseen: 'no' }, machine: UNREADABLE },
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'a Node that cannot be read',
    reason: 'not known is neither empty nor silent',
    ms: SECOND,
    power: said('Off'),
    seen: { node: UNREADABLE, pods: none },
    phase: 'freeing',
  },
  {
    name: 'not marked, without pods',
    reason: 'they are gone only where the mark was seen',
    ms: SECOND,
    power: said('Off'),
    seen: { pods: none },
    phase: 'freeing',
    does: [TAINT],
  },
  {
    name: 'recovered, and its Node reports',
    reason: 'it is well: nobody has to look',
    ms: SECOND,
    power: said('Off'),
    seen: { machine: WELL, node: alive },
    phase: 'power-on',
    does: ['on'],
    because: 'PoweringOn',
  },
  {
    name: 'recovered',
    reason: 'nothing is freed of what is well',
    ms: SECOND,
    power: said('Off'),
    seen: { machine: WELL },
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'Machine unreadable',
    reason: 'not known is not ill',
    ms: SECOND,
    power: said('Off'),
    seen: { machine: UNREADABLE },
    phase: 'freeing',
  },
  {
    name: 'switched on by somebody',
    reason: 'the mark goes at once',
    ms: 2 * SECOND,
    power: said('On'),
    seen: { node: marked, pods: two },
    status: FREED,
    phase: 'waiting',
    does: [TAINT],
  },
];

describe('freeing workloads', () => {
  test.each(freeing)('$name: $reason', (one) => {
    expect(gist(run('freeing', one))).toMatchObject({
      phase: one.phase,
      does: one.does ?? [],
      ...(one.because && { because: one.because }),
    });
  });

  test('is on record before the Node is marked', () => expect(run('freeing', freeing[0]!).status).toMatchObject(FREED));

  test('tells people where the Secret leads to another host', () => {
    const decision = run(
      'freeing',
      freeing.find(({ because }) => because === 'AnotherHost')!,
    );
    expect(decision.status).toMatchObject({
      message: 'the host says that it is off, but Node worker-0 still runs: see that the Secret is that of its host; nothing was freed',
    });
    expect(eventsOf(decision)).toEqual(['Warning AnotherHost']);
  });

  test('marks only what is off, over all that a host may say', () => {
    const marks = (power: SeenPower) => gist(run('freeing', { ...freeing[0]!, power })).does.includes(TAINT);
    const all = [...(['On', 'Off', 'PoweringOn', 'PoweringOff', 'Paused'] as const).map(said), SILENT, { kind: 'unasked' } as const];
    expect(all.filter(marks)).toEqual([said('Off')]);
  });
});

const QUIET = { powerOffRequestedAt: agoMicro(3 * MINUTE) };
const markedButAlive = there({ ...alive.node, spec: { taints: [OURS] } });
const powerOn: readonly Case[] = [
  { name: 'off', reason: 'it takes its time', ms: 5 * SECOND, power: said('Off'), phase: 'power-on', because: 'PoweringOn' },
  {
    name: 'on',
    reason: 'read, not inferred',
    ms: 5 * SECOND,
    power: said('On'),
    status: QUIET,
    phase: 'waiting',
    because: 'WaitingForNode',
  },
  {
    name: 'on, marked',
    reason: 'the mark is for a host that is off',
    ms: 5 * SECOND,
    power: said('On'),
    seen: { node: marked },
    status: FREED,
    phase: 'waiting',
    does: [TAINT],
  },
  {
    name: 'off, marked, its Node reports',
    reason: 'what runs is not out of service',
    ms: 5 * SECOND,
    power: said('Off'),
    seen: { node: markedButAlive },
    status: FREED,
    phase: 'power-on',
    does: [TAINT],
  },
  {
    name: 'silent, marked, its Node reports',
    reason: 'somebody switched it on',
    ms: 5 * SECOND,
    power: SILENT,
    seen: { node: markedButAlive },
    status: FREED,
    phase: 'power-on',
    does: [TAINT],
    because: 'BmcUnreachable',
  },
  {
    name: 'silent, marked',
    reason: 'not known is not on',
    ms: 5 * SECOND,
    power: SILENT,
    seen: { node: marked },
    status: FREED,
    phase: 'power-on',
  },
  { name: 'deaf', reason: 'it is told again', ms: 30 * SECOND, power: said('Off'), phase: 'power-on', does: ['on'] },
  {
    name: 'deaf, recovered',
    reason: 'whatever became of the Machine',
    ms: 30 * SECOND,
    power: said('Off'),
    seen: { machine: WELL },
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'deaf, Machine unreadable',
    reason: 'whatever became of it',
    ms: 30 * SECOND,
    power: said('Off'),
    seen: { machine: UNREADABLE },
    phase: 'power-on',
    does: ['on'],
  },
  { name: 'on its way', reason: 'it need not be told again', ms: 60 * SECOND, power: said('PoweringOn'), phase: 'power-on' },
  {
    name: '[MH-125] off after 599.999 s',
    reason: 'a moment is left',
    ms: 599_999,
    power: said('Off'),
    status: { powerOnRequestedAt: agoMicro(0) },
    phase: 'power-on',
  },
  {
    name: '[MH-125] off after 600 s',
    reason: 'it was not reported on within its time',
    ms: 600 * SECOND,
    power: said('Off'),
    phase: 'backoff',
    does: [LEDGER],
    because: 'PowerCycleUnsuccessful',
  },
  { name: '[MH-125] on after 600 s', reason: 'it was reported in time', ms: 600 * SECOND, power: said('On'), phase: 'waiting' },
  {
    name: '[MH-125] silent after 600 s',
    reason: 'it was not reported on either',
    ms: 600 * SECOND,
    power: SILENT,
    phase: 'backoff',
    does: [LEDGER],
  },
];

describe('switching on', () => {
  test.each(powerOn)('$name: $reason', (one) => {
    expect(gist(run('power-on', one))).toMatchObject({
      phase: one.phase,
      does: one.does ?? [],
      ...(one.because && { because: one.because }),
    });
  });

  test('is owed until no command to switch off can be on its way', () => {
    const owed = (ms: number) =>
      (run('power-on', { ...powerOn[1]!, status: { powerOffRequestedAt: agoMicro(ms) } }).status as PowerCycleStatus).switchOnOwed;
    expect([owed(3 * MINUTE - 1), owed(3 * MINUTE)]).toEqual([true, false]);
  });

  test('leaves a host that stayed off to be switched on during the pause', () =>
    expect(run('power-on', { ...powerOn[0]!, ms: 600 * SECOND }).status).toMatchObject({ phase: 'backoff', switchOnOwed: true }));
});

const waiting: readonly Case[] = [
  {
    name: 'ill',
    reason: 'a Node takes its time',
    ms: 10 * SECOND,
    power: { kind: 'unasked' },
    status: { switchOnOwed: false },
    phase: 'waiting',
    because: 'WaitingForNode',
  },
  {
    name: 'ill after 299.999 s',
    reason: 'a moment is left',
    ms: 299_999,
    power: { kind: 'unasked' },
    status: { switchOnOwed: false },
    phase: 'waiting',
  },
  {
    name: 'ill after 300 s',
    reason: 'it did not help',
    ms: 300 * SECOND,
    power: { kind: 'unasked' },
    status: { switchOnOwed: false },
    phase: 'backoff',
    does: [LEDGER],
  },
  {
    name: '[MH-111] well',
    reason: 'the check deletes the request, not we',
    ms: 300 * SECOND,
    power: { kind: 'unasked' },
    status: { switchOnOwed: false },
    seen: { machine: WELL },
    phase: 'waiting',
    because: 'MachineHealthy',
    does: [LEDGER],
  },
  {
    name: 'unreadable',
    reason: 'not known is not ill',
    ms: 900 * SECOND,
    power: { kind: 'unasked' },
    status: { switchOnOwed: false },
    seen: { machine: UNREADABLE },
    phase: 'waiting',
    because: 'MachineUnreadable',
    does: [LEDGER],
  },
  {
    name: 'still marked',
    reason: 'the mark goes',
    ms: SECOND,
    power: { kind: 'unasked' },
    status: { switchOnOwed: false, ...FREED },
    seen: { node: marked },
    phase: 'waiting',
    does: [TAINT],
  },
  {
    name: 'off by a late command',
    reason: 'it is switched on again',
    ms: 31 * SECOND,
    power: said('Off'),
    phase: 'waiting',
    does: ['on'],
    because: 'PoweringOn',
  },
];

describe('waiting for the Node', () => {
  test.each(waiting)('$name: $reason', (one) => {
    const decision = run('waiting', one);
    expect(gist(decision)).toMatchObject({ phase: one.phase, does: one.does ?? [], ...(one.because && { because: one.because }) });
    expect(decision.wakeAt).toBeGreaterThan(NOW);
  });

  const still = { switchOnOwed: false } as const;
  test.each<{ reason: string; ms: number; status: PowerCycleStatus; seen?: Partial<PowerCycleSeen>; wakesInMs: number }>([
    { reason: 'nothing happens before its time is up', ms: 10 * SECOND, status: still, wakesInMs: 290 * SECOND },
    { reason: 'it has yet to be seen on', ms: 10 * SECOND, status: { switchOnOwed: true }, wakesInMs: 5 * SECOND },
    { reason: 'it is still marked', ms: 10 * SECOND, status: { ...still, ...FREED }, seen: { node: marked }, wakesInMs: 5 * SECOND },
    { reason: 'it is well, and waits to be deleted', ms: 10 * SECOND, status: still, seen: { machine: WELL }, wakesInMs: 30 * SECOND },
    {
      reason: 'its time is up, but whether it is ill is not known',
      ms: 300 * SECOND,
      status: still,
      seen: { machine: UNREADABLE },
      wakesInMs: 30 * SECOND,
    },
  ])('wakes in $wakesInMs ms: $reason', ({ ms, status, seen = {}, wakesInMs }) =>
    expect(gist(decide(seenWith({ object: since('waiting', ms, status), power: { kind: 'unasked' }, ...seen }), NOW)).wakesInMs).toBe(
      wakesInMs,
    ),
  );

  test('[MH-111] no decision of any phase deletes anything', () => {
    const all = [
      ...powerOff.map((one) => run('power-off', one)),
      ...freeing.map((one) => run('freeing', one)),
      ...powerOn.map((one) => run('power-on', one)),
      ...waiting.map((one) => run('waiting', one)),
    ];
    expect(all.flatMap(({ effects }) => effects.map(({ kind }) => kind))).not.toContain('Delete');
  });
});
