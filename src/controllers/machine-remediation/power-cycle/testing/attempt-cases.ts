import type { Node } from '../../../../kube/builtin/index.ts';
import { MINUTE, SECOND } from '../../../../base/index.ts';
import { decide } from '../decide.ts';
import type { ObservedPower, PowerCycleSeen } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';
import { agoMicro, aRequest, aSilentNode, NO_ANSWER, NOW, OURS, powerIs, seenWith, TAINT } from './builders.ts';

export const WELL = { kind: 'ineligible', reason: 'MachineHealthy', message: 'it is healthy' } as const;
export const UNREADABLE = { kind: 'unreadable', reason: 'no' } as const;
export const there = (node: Node) => ({ kind: 'value', value: node }) as const;

/** A request that entered its phase so long ago. */
export const since = (phase: NonNullable<PowerCycleStatus['phase']>, ms: number, change: PowerCycleStatus = {}) =>
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

export interface Case {
  readonly name: string;
  readonly reason: string;
  readonly ms: number;
  readonly power: ObservedPower;
  readonly seen?: Partial<PowerCycleSeen>;
  readonly status?: PowerCycleStatus;
  readonly phase: string;
  readonly does?: readonly string[];
  readonly because?: string;
}

export const run = (from: NonNullable<PowerCycleStatus['phase']>, { ms, power, seen, status }: Case) =>
  decide(seenWith({ object: since(from, ms, status), power, ...seen }), NOW);

export const marked = there(aSilentNode([OURS]));
const foreign = there(aSilentNode([{ ...OURS, value: 'nodeshutdown' }]));
const saying = (status: 'True' | 'False') => there({ ...aSilentNode(), status: { conditions: [{ type: 'Ready', status }] } });
export const alive = saying('True');
const unhealthyButAlive = saying('False');
const none = { kind: 'count', left: 0 } as const;
const two = { kind: 'count', left: 2 } as const;
export const FREED = { taintedNode: 'worker-0' };

export const freeing: readonly Case[] = [
  { name: 'off', reason: 'the Node is tainted', ms: SECOND, power: powerIs('Off'), phase: 'freeing', does: [TAINT] },
  {
    name: 'silent',
    reason: 'only a host that reports so in this pass counts as off',
    ms: SECOND,
    power: NO_ANSWER,
    phase: 'freeing',
    because: 'BmcUnreachable',
  },
  { name: 'on its way', reason: 'that is not off', ms: SECOND, power: powerIs('PoweringOn'), phase: 'freeing' },
  {
    name: 'off, but its Node reports',
    reason: 'it may be another host',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { node: alive },
    phase: 'freeing',
  },
  {
    name: 'off, and its Node reports until the timeout',
    reason: 'no workload is freed, and a warning is reported',
    ms: 2 * MINUTE,
    power: powerIs('Off'),
    seen: { node: alive },
    phase: 'power-on',
    does: ['on'],
    because: 'AnotherHost',
  },
  {
    name: 'off, but its Node reports NotReady',
    reason: 'a kubelet that reports is running, and so are its containers',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { node: unhealthyButAlive },
    phase: 'freeing',
  },
  {
    name: 'off, and its Node reports NotReady until the timeout',
    reason: 'no workload is freed, and a warning is reported',
    ms: 2 * MINUTE,
    power: powerIs('Off'),
    seen: { node: unhealthyButAlive },
    phase: 'power-on',
    does: ['on'],
    because: 'AnotherHost',
  },
  {
    name: 'off, its Node has no Ready condition',
    reason: 'only Ready=Unknown counts as a silent kubelet',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { node: there({ ...aSilentNode(), status: {} }) },
    phase: 'freeing',
  },
  {
    name: 'tainted, with pods',
    reason: 'they leave',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { node: marked, pods: two },
    status: FREED,
    phase: 'freeing',
  },
  {
    name: 'tainted, pods unreadable',
    reason: 'what cannot be read does not count as gone',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { node: marked, pods: UNREADABLE },
    status: FREED,
    phase: 'freeing',
  },
  {
    name: 'tainted, without pods',
    reason: 'freed',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { node: marked, pods: none },
    status: FREED,
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'tainted by an operator',
    reason: 'one taint is enough',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { node: foreign, pods: two },
    phase: 'freeing',
  },
  {
    name: 'too long',
    reason: 'freeing has a timeout',
    ms: 2 * MINUTE,
    power: powerIs('Off'),
    seen: { node: marked, pods: two },
    status: FREED,
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'not too long',
    reason: 'a moment is left',
    ms: 2 * MINUTE - 1,
    power: powerIs('Off'),
    seen: { node: marked, pods: two },
    status: FREED,
    phase: 'freeing',
  },
  {
    name: 'silent for too long',
    reason: 'it is ordered to switch on all the same',
    ms: 2 * MINUTE,
    power: NO_ANSWER,
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'no Node',
    reason: 'there is nothing to free',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { node: { kind: 'absent' } },
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'a Node of another cluster',
    reason: 'a Node of another cluster is never tainted from here, readable or not',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { node: { kind: 'other-cluster', unreadable: 'no' }, machine: UNREADABLE },
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'a Node that cannot be read',
    reason: 'an unreadable Node counts neither as empty nor as silent',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { node: UNREADABLE, pods: none },
    phase: 'freeing',
  },
  {
    name: 'not tainted, without pods',
    reason: 'pods count as gone only after the taint was read back',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { pods: none },
    phase: 'freeing',
    does: [TAINT],
  },
  {
    name: 'recovered, and its Node reports',
    reason: 'it is healthy: no warning is needed',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { machine: WELL, node: alive },
    phase: 'power-on',
    does: ['on'],
    because: 'PoweringOn',
  },
  {
    name: 'recovered',
    reason: 'no workload of a healthy Machine is freed',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { machine: WELL },
    phase: 'power-on',
    does: ['on'],
  },
  {
    name: 'Machine unreadable',
    reason: 'an unreadable Machine is not an unhealthy one',
    ms: SECOND,
    power: powerIs('Off'),
    seen: { machine: UNREADABLE },
    phase: 'freeing',
  },
  {
    name: 'switched on by an operator',
    reason: 'the taint goes at once',
    ms: 2 * SECOND,
    power: powerIs('On'),
    seen: { node: marked, pods: two },
    status: FREED,
    phase: 'waiting',
    does: [TAINT],
  },
];
