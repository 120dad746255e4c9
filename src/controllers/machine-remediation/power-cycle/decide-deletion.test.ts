import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { decide } from './decide.ts';
import type { PowerCycleSeen } from './observed.ts';
import type { PowerCycleStatus } from './status.ts';
import {
  aSilentNode,
  agoMicro,
  aRequest,
  eventsOf,
  FINALIZER,
  summary,
  LEDGER,
  NOW,
  OURS,
  powerIs,
  seenWith,
  NO_ANSWER,
  TAINT,
  withoutClaim,
} from './testing/builders.ts';

const leaving = (status: PowerCycleStatus, finalizers?: readonly string[]) =>
  aRequest({ status, metadata: { deletionTimestamp: agoMicro(0), ...(finalizers && { finalizers }) } });
const GONE = { kind: 'ineligible', reason: 'MachineMissing', message: 'gone' } as const;
const marked = { kind: 'value', value: aSilentNode([OURS, { key: 'theirs', effect: 'NoSchedule' }]) } as const;
const reporting = (status: 'True' | 'False') =>
  ({ kind: 'value', value: { ...marked.value, status: { conditions: [{ type: 'Ready', status }] } } }) as const;
const unmarked = { kind: 'value', value: aSilentNode() } as const;
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
    name: 'nothing to clean up',
    reason: 'the finalizer is removed',
    status: { phase: 'waiting', switchOnOwed: false },
    seen: { power: { kind: 'not-read' } },
    does: [LEDGER, FINALIZER],
  },
  {
    name: 'never started',
    reason: 'the finalizer is removed',
    status: { phase: 'pending' },
    seen: { power: { kind: 'not-read' }, budget: withoutClaim() },
    does: [FINALIZER],
  },
  {
    name: '[MH-114] off',
    reason: 'it is switched on first',
    status: owing,
    seen: { power: powerIs('Off') },
    does: ['on'],
    wakesInMs: 5 * SECOND,
    because: 'PoweringOn',
  },
  {
    name: 'off, ordered on a moment ago',
    reason: 'it takes its time',
    status: { ...owing, powerOnRequestedAt: agoMicro(29_999) },
    seen: { power: powerIs('Off') },
    does: [],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'off, ordered on long ago',
    reason: 'the command is sent again',
    status: { ...owing, powerOnRequestedAt: agoMicro(30 * SECOND) },
    seen: { power: powerIs('Off') },
    does: ['on'],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'switching off',
    reason: 'that is waited for',
    status: owing,
    seen: { power: powerIs('PoweringOff') },
    does: [],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'switching on',
    reason: 'that is waited for',
    status: owing,
    seen: { power: powerIs('PoweringOn') },
    does: [],
    wakesInMs: 5 * SECOND,
  },
  { name: '[MH-114] on', reason: 'nothing is left to undo', status: owing, seen: { power: powerIs('On') }, does: [LEDGER, FINALIZER] },
  {
    name: 'on, ordered off a moment ago',
    reason: 'the command may still arrive',
    status: { ...owing, powerOffRequestedAt: agoMicro(3 * MINUTE - 1) },
    seen: { power: powerIs('On') },
    does: [],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'silent',
    reason: 'an unreadable host does not count as on: a warning is reported',
    status: owing,
    seen: { power: NO_ANSWER },
    does: [],
    wakesInMs: 30 * SECOND,
    because: 'BmcUnreachable',
  },
  {
    name: 'off, the Machine gone',
    reason: 'found on, left on',
    status: owing,
    seen: { power: powerIs('Off'), machine: GONE },
    does: ['on'],
    wakesInMs: 5 * SECOND,
  },
  {
    name: '[MH-114] marked',
    reason: 'our taint is removed before the request is gone',
    status: { phase: 'waiting', switchOnOwed: false, taintedNode: 'worker-0' },
    seen: { tainted: marked },
    does: [TAINT],
    wakesInMs: 5 * SECOND,
    because: 'ClearingUp',
  },
  {
    name: 'tainted and off',
    reason: 'the taint is right as long as it is off',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: powerIs('Off'), tainted: marked },
    does: ['on'],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'tainted and on',
    reason: 'both are undone',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { tainted: marked },
    does: [TAINT],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'marked, silent',
    reason: 'whether it is off is not known: the taint stays',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: NO_ANSWER, tainted: marked },
    does: [],
    wakesInMs: 30 * SECOND,
    because: 'BmcUnreachable',
  },
  {
    name: 'tainted, no answer, the Node healthy',
    reason: 'its kubelet is back: nothing may keep its pods away',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: NO_ANSWER, tainted: reporting('True') },
    does: [TAINT],
    wakesInMs: 30 * SECOND,
    because: 'BmcUnreachable',
  },
  {
    name: 'tainted, no answer, the Node NotReady',
    reason: 'its kubelet is back all the same',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: NO_ANSWER, tainted: reporting('False') },
    does: [TAINT],
    wakesInMs: 30 * SECOND,
  },
  {
    name: 'tainted, switching on, the Node healthy',
    reason: 'the report of the host is late',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: powerIs('PoweringOn'), tainted: reporting('True') },
    does: [TAINT],
    wakesInMs: 5 * SECOND,
    because: 'PoweringOn',
  },
  {
    name: 'tainted, reported off, the Node healthy',
    reason: 'the command is sent and the taint removed: host or Node belongs to another Machine',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: powerIs('Off'), tainted: reporting('True') },
    does: ['on', TAINT],
    wakesInMs: 5 * SECOND,
  },
  {
    name: 'no answer, the taint gone',
    reason: 'the host must still be switched on',
    status: { ...owing, taintedNode: 'worker-0' },
    seen: { power: NO_ANSWER, tainted: unmarked },
    does: [],
    wakesInMs: 30 * SECOND,
  },
  {
    name: 'the taint gone',
    reason: 'the finalizer is removed',
    status: { phase: 'waiting', taintedNode: 'worker-0' },
    seen: { tainted: unmarked },
    does: [LEDGER, FINALIZER],
  },
  {
    name: 'the Node gone',
    reason: 'and its taint with it',
    status: { phase: 'waiting', taintedNode: 'worker-0' },
    seen: { tainted: { kind: 'absent' } },
    does: [LEDGER, FINALIZER],
  },
  {
    name: 'the Node unreadable',
    reason: 'what cannot be read does not count as gone',
    status: { phase: 'waiting', taintedNode: 'worker-0' },
    seen: { tainted: { kind: 'unreadable', reason: 'no' } },
    does: [],
    wakesInMs: 5 * SECOND,
    because: 'NodeUnreadable',
  },
];

describe('a request that is being deleted', () => {
  test.each(cases)('$name: $reason', ({ status, seen, does, wakesInMs, because }) => {
    const { because: found, ...rest } = summary(decide(seenWith({ object: leaving(status), ...seen }), NOW));
    expect(rest).toMatchObject({ does, wakesInMs });
    if (because !== undefined) expect(found).toBe(because);
  });

  test.each(['pending', 'power-off', 'freeing', 'power-on', 'waiting', 'backoff', 'escalated'] as const)(
    'in %s: a host that Sickbay switched off is switched on, and no host is switched off',
    (phase) => expect(summary(decide(seenWith({ object: leaving({ ...owing, phase }), power: powerIs('Off') }), NOW)).does).toEqual(['on']),
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

  test('reports why its finalizer stays', () => {
    const decision = decide(seenWith({ object: leaving(owing), power: NO_ANSWER }), NOW);
    expect(eventsOf(decision)).toEqual(['Warning BmcUnreachable']);
    expect(decision.status).toMatchObject({ message: 'the host is not switched on again yet: asking https://bmc-0: no answer' });
  });
});
