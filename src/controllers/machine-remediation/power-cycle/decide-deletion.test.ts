import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { decide } from './decide.ts';
import type { PowerCycleSeen } from './observed.ts';
import type { PowerCycleStatus } from './status.ts';
import {
  aDeadNode,
  agoMicro,
  aRequest,
  eventsOf,
  FINALIZER,
  gist,
  LEDGER,
  NOW,
  OURS,
  said,
  seenWith,
  SILENT,
  TAINT,
  withoutClaim,
} from './testing/builders.ts';

const leaving = (status: PowerCycleStatus, finalizers?: readonly string[]) =>
  aRequest({ status, metadata: { deletionTimestamp: agoMicro(0), ...(finalizers && { finalizers }) } });
const GONE = { kind: 'left', reason: 'MachineMissing', why: 'gone' } as const;
const marked = { kind: 'there', node: aDeadNode([OURS, { key: 'theirs', effect: 'NoSchedule' }]) } as const;
const reporting = (status: 'True' | 'False') =>
  ({ kind: 'there', node: { ...marked.node, status: { conditions: [{ type: 'Ready', status }] } } }) as const;
const unmarked = { kind: 'there', node: aDeadNode() } as const;
const owing: PowerCycleStatus = { phase: 'power-off', switchOnOwed: true, powerOffRequestedAt: agoMicro(3 * MINUTE) };

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly status: PowerCycleStatus;
  readonly seen?: Partial<PowerCycleSeen>;
  readonly does: readonly string[];
  readonly wakesInMs?: number;
  readonly because?: string;
}

const cases: readonly Case[] = [
  {
    name: 'nothing owed',
    reason: 'it may go',
    status: { phase: 'waiting', switchOnOwed: false },
    seen: { power: { kind: 'unasked' } },
    does: [LEDGER, FINALIZER],
  },
  {
    name: 'never begun',
    reason: 'it may go',
    status: { phase: 'pending' },
    seen: { power: { kind: 'unasked' }, budget: withoutClaim() },
    does: [FINALIZER],
  },
  {
    name: '[MH-114] off',
    reason: 'it is switched on first',
    status: owing,
    seen: { power: said('Off') },
    does: ['on'],
    wakesInMs: 5 * SECOND,
    because: 'PoweringOn',
  },
  {
    name: 'off, told a moment ago',
    reason: 'it takes its time',
    status: { ...owing, powerOnRequestedAt: agoMicro(29_999) },
    seen: { power: said('Off') },
    does: [],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'off, told long ago',
    reason: 'it is told again',
    status: { ...owing, powerOnRequestedAt: agoMicro(30 * SECOND) },
    seen: { power: said('Off') },
    does: ['on'],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'switching off',
    reason: 'that is waited for',
    status: owing,
    seen: { power: said('PoweringOff') },
    does: [],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'switching on',
    reason: 'that is waited for',
    status: owing,
    seen: { power: said('PoweringOn') },
    does: [],
    wakesInMs: 5 * SECOND,
  },
  { name: '[MH-114] on', reason: 'nothing is left to undo', status: owing, seen: { power: said('On') }, does: [LEDGER, FINALIZER] },
  {
    name: 'on, told off a moment ago',
    reason: 'the command may still be on its way',
    status: { ...owing, powerOffRequestedAt: agoMicro(3 * MINUTE - 1) },
    seen: { power: said('On') },
    does: [],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'silent',
    reason: 'not known is not on: people are told',
    status: owing,
    seen: { power: SILENT },
    does: [],
    wakesInMs: 30 * SECOND,
    because: 'BmcUnreachable',
  },
  {
    name: 'off, the Machine gone',
    reason: 'found on, left on',
    status: owing,
    seen: { power: said('Off'), machine: GONE },
    does: ['on'],
    wakesInMs: 5 * SECOND,
  },
  {
    name: '[MH-114] marked',
    reason: 'our mark goes before the request',
    status: { phase: 'waiting', switchOnOwed: false, taintedNode: 'worker-0' },
    seen: { tainted: marked },
    does: [TAINT],
    wakesInMs: 5 * SECOND,
    because: 'ClearingUp',
  },
  {
    name: 'marked and off',
    reason: 'the mark is right as long as it is off',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: said('Off'), tainted: marked },
    does: ['on'],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'marked and on',
    reason: 'both are undone',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { tainted: marked },
    does: [TAINT],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'marked, silent',
    reason: 'whether it is off is not known: the mark stays',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: SILENT, tainted: marked },
    does: [],
    wakesInMs: 30 * SECOND,
    because: 'BmcUnreachable',
  },
  {
    name: 'marked, silent, the Node well',
    reason: 'its kubelet is back: nothing may keep its pods away',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: SILENT, tainted: reporting('True') },
    does: [TAINT],
    wakesInMs: 30 * SECOND,
    because: 'BmcUnreachable',
  },
  {
    name: 'marked, silent, the Node ill',
    reason: 'its kubelet is back all the same',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: SILENT, tainted: reporting('False') },
    does: [TAINT],
    wakesInMs: 30 * SECOND,
  },
  {
    name: 'marked, switching on, the Node well',
    reason: 'what the host says is late',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: said('PoweringOn'), tainted: reporting('True') },
    does: [TAINT],
    wakesInMs: 5 * SECOND,
    because: 'PoweringOn',
  },
  {
    name: 'marked, said to be off, the Node well',
    reason: 'the host is told, and the mark goes: one of them is not of this Machine',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: said('Off'), tainted: reporting('True') },
    does: ['on', TAINT],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'silent, the mark gone',
    reason: 'the host is still owed to be on',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: SILENT, tainted: unmarked },
    does: [],
    wakesInMs: 30 * SECOND,
  },
  {
    name: 'the mark gone',
    reason: 'it may go',
    status: { phase: 'waiting', taintedNode: 'worker-0' },
    seen: { tainted: unmarked },
    does: [LEDGER, FINALIZER],
  },
  {
    name: 'the Node gone',
    reason: 'and its mark with it',
    status: { phase: 'waiting', taintedNode: 'worker-0' },
    seen: { tainted: { kind: 'none' } },
    does: [LEDGER, FINALIZER],
  },
  {
    name: 'the Node unreadable',
    reason: 'not known is not gone',
    status: { phase: 'waiting', taintedNode: 'worker-0' },
    seen: { tainted: { kind: 'unreadable', why: 'no' } },
    does: [],
    wakesInMs: 5 * SECOND,
    because: 'NodeUnreadable',
  },
];

describe('a request that goes', () => {
  test.each(cases)('$name: $reason', ({ status, seen, does, wakesInMs, because }) => {
    const { because: found, ...rest } = gist(decide(seenWith({ object: leaving(status), ...seen }), NOW));
    expect(rest).toMatchObject({ does, wakesInMs });
    if (because !== undefined) expect(found).toBe(because);
  });

  test.each(['pending', 'power-off', 'freeing', 'power-on', 'waiting', 'backoff', 'escalated'] as const)(
    'in %s: a host that is off for our sake is switched on, and nothing is told to switch off',
    (phase) => expect(gist(decide(seenWith({ object: leaving({ ...owing, phase }), power: said('Off') }), NOW)).does).toEqual(['on']),
  );

  test('without our finalizer is left alone', () =>
    expect(decide(seenWith({ object: leaving(owing, ['theirs']) }), NOW)).toEqual({ effects: [] }));

  test('keeps the finalizers of others, and the taints', () => {
    const patched = (seen: Partial<PowerCycleSeen>, object = leaving({ phase: 'waiting' }, ['theirs', 'remediation.sickbay.dev'])) =>
      decide(seenWith({ object, ...seen }), NOW).effects.flatMap((effect) => (effect.kind === 'Patch' ? [effect.operations.at(-1)] : []));
    expect(patched({ budget: withoutClaim() })).toEqual([{ op: 'add', path: '/metadata/finalizers', value: ['theirs'] }]);
    expect(patched({ tainted: marked }, leaving({ phase: 'waiting', taintedNode: 'worker-0' }))).toEqual([
      { op: 'add', path: '/spec/taints', value: [{ key: 'theirs', effect: 'NoSchedule' }] },
    ]);
  });

  test('tells people what keeps it', () => {
    const decision = decide(seenWith({ object: leaving(owing), power: SILENT }), NOW);
    expect(eventsOf(decision)).toEqual(['Warning BmcUnreachable']);
    expect(decision.status).toMatchObject({ message: 'the host has yet to be switched on again: asking https://bmc-0: no answer' });
  });
});
