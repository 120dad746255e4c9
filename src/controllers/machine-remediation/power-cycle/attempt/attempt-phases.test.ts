import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../../base/index.ts';
import { decide } from '../decide.ts';
import type { PowerCycleSeen, ObservedPower } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';
import { agoMicro, eventsOf, summary, LEDGER, NOW, OURS, powerIs, seenWith, NO_ANSWER, TAINT } from '../testing/builders.ts';
import { WELL, UNREADABLE, there, since, run, marked, alive, FREED, freeing, type Case } from '../testing/attempt-cases.ts';

const powerOff: readonly Case[] = [
  {
    name: '[MH-127] ordered to switch off a moment ago',
    reason: 'it takes its time',
    ms: 5 * SECOND,
    power: powerIs('On'),
    phase: 'power-off',
    because: 'PoweringOff',
  },
  { name: 'off', reason: 'read, not inferred', ms: 5 * SECOND, power: powerIs('Off'), phase: 'freeing', because: 'FreeingWorkloads' },
  { name: 'on its way', reason: 'no command is needed', ms: 60 * SECOND, power: powerIs('PoweringOff'), phase: 'power-off' },
  {
    name: 'on, ordered 30 s ago',
    reason: 'the command is sent again',
    ms: 30 * SECOND,
    power: powerIs('On'),
    phase: 'power-off',
    does: ['off'],
  },
  {
    name: 'on, ordered just under 30 s ago',
    reason: 'it is too soon to repeat the command',
    ms: 29_999,
    power: powerIs('On'),
    phase: 'power-off',
  },
  {
    name: 'on, but the Machine recovered',
    reason: 'the command is not sent again',
    ms: 40 * SECOND,
    power: powerIs('On'),
    seen: { machine: WELL },
    phase: 'backoff',
    does: [LEDGER],
  },
  {
    name: 'on, Machine unreadable',
    reason: 'an unreadable Machine is not an unhealthy one',
    ms: 40 * SECOND,
    power: powerIs('On'),
    seen: { machine: UNREADABLE },
    phase: 'power-off',
  },
  {
    name: 'silent',
    reason: 'an unreadable host does not count as off',
    ms: 40 * SECOND,
    power: NO_ANSWER,
    phase: 'power-off',
    because: 'BmcUnreachable',
  },
  {
    name: '[MH-126] on after 119.999 s',
    reason: 'a moment is left',
    ms: 119_999,
    power: powerIs('On'),
    status: { powerOffRequestedAt: agoMicro(0) },
    phase: 'power-off',
  },
  {
    name: '[MH-126] on after 120 s',
    reason: 'it was not reported off within its time',
    ms: 120 * SECOND,
    power: powerIs('On'),
    phase: 'backoff',
    does: [LEDGER],
    because: 'PowerCycleUnsuccessful',
  },
  { name: '[MH-126] off after 120 s', reason: 'it was reported in time', ms: 120 * SECOND, power: powerIs('Off'), phase: 'freeing' },
  {
    name: '[MH-126] silent after 120 s',
    reason: 'it was not reported off either',
    ms: 120 * SECOND,
    power: NO_ANSWER,
    phase: 'backoff',
    does: [LEDGER],
  },
  {
    name: '[MH-126] ordered again just before the timeout',
    reason: 'the time runs from the first request',
    ms: 120 * SECOND,
    power: powerIs('On'),
    status: { powerOffRequestedAt: agoMicro(SECOND) },
    phase: 'backoff',
    does: [LEDGER],
  },
];

describe('switching off', () => {
  test('reports which retry it is', () =>
    expect(run('power-off', { ...powerOff[0]!, status: { retryCount: 2 } }).status).toMatchObject({
      message: 'waiting for the host to switch off (retry 2)',
    }));

  test.each(powerOff)('$name: $reason', (one) => {
    expect(summary(run('power-off', one))).toMatchObject({
      phase: one.phase,
      does: one.does ?? [],
      ...(one.because && { because: one.because }),
    });
  });

  test('records each command in status before it is sent again', () =>
    expect(
      run(
        'power-off',
        powerOff.find(({ name }) => name === 'on, ordered 30 s ago')!,
      ).status,
    ).toMatchObject({ powerOffRequestedAt: agoMicro(0) }));

  test('has a limit of 120 s where none is given', () => {
    const at = (ms: number) => summary(decide(seenWith({ object: { ...since('power-off', ms), spec: {} } }), NOW)).phase;
    expect([at(119_999), at(120 * SECOND)]).toEqual(['power-off', 'backoff']);
  });

  test('is evaluated again when its timeout ends', () =>
    expect(summary(run('power-off', { ...powerOff[0]!, ms: 118 * SECOND, status: { powerOffRequestedAt: agoMicro(0) } })).wakesInMs).toBe(
      2 * SECOND,
    ));

  test('reports why the management controller refused the command', () => {
    const commandFailure = { fault: 'Refused', message: 'it cannot' } as const;
    const decision = run('power-off', { ...powerOff[0]!, seen: { commandFailure } });
    expect(summary(decision).because).toBe('BmcRefused');
    expect(decision.status).toMatchObject({ message: 'waiting for the host to switch off: it cannot' });
    expect(eventsOf(decision)).toEqual(['Warning BmcRefused']);
  });
});

describe('freeing workloads', () => {
  test.each(freeing)('$name: $reason', (one) => {
    expect(summary(run('freeing', one))).toMatchObject({
      phase: one.phase,
      does: one.does ?? [],
      ...(one.because && { because: one.because }),
    });
  });

  test('records the Node in status before it is tainted', () => expect(run('freeing', freeing[0]!).status).toMatchObject(FREED));

  test('reports that the Secret points to another host', () => {
    const decision = run(
      'freeing',
      freeing.find(({ because }) => because === 'AnotherHost')!,
    );
    expect(decision.status).toMatchObject({
      message:
        'the host reports that it is off, but Node worker-0 still runs: check that the Secret belongs to the host of this Node. No workload was freed',
    });
    expect(eventsOf(decision)).toEqual(['Warning AnotherHost']);
  });

  test('taints a Node only if its host is off, for every state that a host may report', () => {
    const marks = (power: ObservedPower) => summary(run('freeing', { ...freeing[0]!, power })).does.includes(TAINT);
    const all = [...(['On', 'Off', 'PoweringOn', 'PoweringOff', 'Paused'] as const).map(powerIs), NO_ANSWER, { kind: 'not-read' } as const];
    expect(all.filter(marks)).toEqual([powerIs('Off')]);
  });
});

const QUIET = { powerOffRequestedAt: agoMicro(3 * MINUTE) };
const markedButAlive = there({ ...alive.value, spec: { taints: [OURS] } });
const powerOn: readonly Case[] = [
  { name: 'off', reason: 'it takes its time', ms: 5 * SECOND, power: powerIs('Off'), phase: 'power-on', because: 'PoweringOn' },
  {
    name: 'on',
    reason: 'read, not inferred',
    ms: 5 * SECOND,
    power: powerIs('On'),
    status: QUIET,
    phase: 'waiting',
    because: 'WaitingForNode',
  },
  {
    name: 'on, marked',
    reason: 'the taint is for a host that is off',
    ms: 5 * SECOND,
    power: powerIs('On'),
    seen: { node: marked },
    status: FREED,
    phase: 'waiting',
    does: [TAINT],
  },
  {
    name: 'off, tainted, its Node reports',
    reason: 'what runs is not out of service',
    ms: 5 * SECOND,
    power: powerIs('Off'),
    seen: { node: markedButAlive },
    status: FREED,
    phase: 'power-on',
    does: [TAINT],
  },
  {
    name: 'no answer, tainted, its Node reports',
    reason: 'an operator switched it on',
    ms: 5 * SECOND,
    power: NO_ANSWER,
    seen: { node: markedButAlive },
    status: FREED,
    phase: 'power-on',
    does: [TAINT],
    because: 'BmcUnreachable',
  },
  {
    name: 'silent, marked',
    reason: 'an unreadable host does not count as on',
    ms: 5 * SECOND,
    power: NO_ANSWER,
    seen: { node: marked },
    status: FREED,
    phase: 'power-on',
  },
  {
    name: 'on, ordered 30 s ago',
    reason: 'the command is sent again',
    ms: 30 * SECOND,
    power: powerIs('Off'),
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'deaf, recovered',
    reason: 'it continues whatever state the Machine is in',
    ms: 30 * SECOND,
    power: powerIs('Off'),
    seen: { machine: WELL },
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'on, Machine unreadable',
    reason: 'it continues whatever state the Machine is in',
    ms: 30 * SECOND,
    power: powerIs('Off'),
    seen: { machine: UNREADABLE },
    phase: 'power-on',
    does: ['on'],
  },
  { name: 'on its way', reason: 'no command is needed', ms: 60 * SECOND, power: powerIs('PoweringOn'), phase: 'power-on' },
  {
    name: '[MH-125] off after 599.999 s',
    reason: 'a moment is left',
    ms: 599_999,
    power: powerIs('Off'),
    status: { powerOnRequestedAt: agoMicro(0) },
    phase: 'power-on',
  },
  {
    name: '[MH-125] off after 600 s',
    reason: 'it was not reported on within its time',
    ms: 600 * SECOND,
    power: powerIs('Off'),
    phase: 'backoff',
    does: [LEDGER],
    because: 'PowerCycleUnsuccessful',
  },
  { name: '[MH-125] on after 600 s', reason: 'it was reported in time', ms: 600 * SECOND, power: powerIs('On'), phase: 'waiting' },
  {
    name: '[MH-125] silent after 600 s',
    reason: 'it was not reported on either',
    ms: 600 * SECOND,
    power: NO_ANSWER,
    phase: 'backoff',
    does: [LEDGER],
  },
];

describe('switching on', () => {
  test.each(powerOn)('$name: $reason', (one) => {
    expect(summary(run('power-on', one))).toMatchObject({
      phase: one.phase,
      does: one.does ?? [],
      ...(one.because && { because: one.because }),
    });
  });

  test('keeps switchOnOwed until no command to switch off can still arrive', () => {
    const owed = (ms: number) =>
      (run('power-on', { ...powerOn[1]!, status: { powerOffRequestedAt: agoMicro(ms) } }).status as PowerCycleStatus).switchOnOwed;
    expect([owed(3 * MINUTE - 1), owed(3 * MINUTE)]).toEqual([true, false]);
  });

  test('switches a host that stayed off on during the backoff', () =>
    expect(run('power-on', { ...powerOn[0]!, ms: 600 * SECOND }).status).toMatchObject({ phase: 'backoff', switchOnOwed: true }));
});

const waiting: readonly Case[] = [
  {
    name: 'eligible',
    reason: 'a Node takes its time',
    ms: 10 * SECOND,
    power: { kind: 'not-read' },
    status: { switchOnOwed: false },
    phase: 'waiting',
    because: 'WaitingForNode',
  },
  {
    name: 'unhealthy after 299.999 s',
    reason: 'a moment is left',
    ms: 299_999,
    power: { kind: 'not-read' },
    status: { switchOnOwed: false },
    phase: 'waiting',
  },
  {
    name: 'unhealthy after 300 s',
    reason: 'it did not help',
    ms: 300 * SECOND,
    power: { kind: 'not-read' },
    status: { switchOnOwed: false },
    phase: 'backoff',
    does: [LEDGER],
  },
  {
    name: '[MH-111] well',
    reason: 'the MachineHealthCheck deletes the request',
    ms: 300 * SECOND,
    power: { kind: 'not-read' },
    status: { switchOnOwed: false },
    seen: { machine: WELL },
    phase: 'waiting',
    because: 'MachineHealthy',
    does: [LEDGER],
  },
  {
    name: 'unreadable',
    reason: 'an unreadable Machine is not an unhealthy one',
    ms: 900 * SECOND,
    power: { kind: 'not-read' },
    status: { switchOnOwed: false },
    seen: { machine: UNREADABLE },
    phase: 'waiting',
    because: 'MachineUnreadable',
    does: [LEDGER],
  },
  {
    name: 'still tainted',
    reason: 'the taint goes',
    ms: SECOND,
    power: { kind: 'not-read' },
    status: { switchOnOwed: false, ...FREED },
    seen: { node: marked },
    phase: 'waiting',
    does: [TAINT],
  },
  {
    name: 'switched off by a late command',
    reason: 'it is switched on again',
    ms: 31 * SECOND,
    power: powerIs('Off'),
    phase: 'waiting',
    does: ['on'],
    because: 'PoweringOn',
  },
];

describe('waiting for the Node', () => {
  test.each(waiting)('$name: $reason', (one) => {
    const decision = run('waiting', one);
    expect(summary(decision)).toMatchObject({ phase: one.phase, does: one.does ?? [], ...(one.because && { because: one.because }) });
    expect(decision.wakeAt).toBeGreaterThan(NOW);
  });

  const still = { switchOnOwed: false } as const;
  test.each<{ reason: string; ms: number; status: PowerCycleStatus; seen?: Partial<PowerCycleSeen>; wakesInMs: number }>([
    { reason: 'nothing happens before its time is up', ms: 10 * SECOND, status: still, wakesInMs: 290 * SECOND },
    { reason: 'it was not seen on yet', ms: 10 * SECOND, status: { switchOnOwed: true }, wakesInMs: 5 * SECOND },
    { reason: 'it is still tainted', ms: 10 * SECOND, status: { ...still, ...FREED }, seen: { node: marked }, wakesInMs: 5 * SECOND },
    {
      reason: 'the Machine is healthy, and the request waits for its deletion',
      ms: 10 * SECOND,
      status: still,
      seen: { machine: WELL },
      wakesInMs: 30 * SECOND,
    },
    {
      reason: 'its timeout has ended, but the Machine cannot be read',
      ms: 300 * SECOND,
      status: still,
      seen: { machine: UNREADABLE },
      wakesInMs: 30 * SECOND,
    },
  ])('wakes in $wakesInMs ms: $reason', ({ ms, status, seen = {}, wakesInMs }) =>
    expect(summary(decide(seenWith({ object: since('waiting', ms, status), power: { kind: 'not-read' }, ...seen }), NOW)).wakesInMs).toBe(
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
