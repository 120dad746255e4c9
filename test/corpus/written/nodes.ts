import { handOver, NOTHING_TO_DO, plan, type Alert, type CorpusCase, type HandOver } from '../corpus-case.ts';
import type { Target } from '../../../src/analyst/index.ts';
import type { Seen } from '../recording.ts';
import { anEvent, still } from './build.ts';
import { aDeploymentWith, aNode, running } from './workload.ts';

const origin = 'written';
const node = (name: string): Target => ({ kind: 'Node', name, apiVersion: 'v1' });
const notReady: Alert = { name: 'KubeNodeNotReady', target: node('node-1') };
const DAYS = 24 * 60;

const shop = aDeploymentWith([{ revision: 6, minutesAgo: 3 * DAYS, looks: [running(3 * DAYS), running(3 * DAYS)] }], { node: 'node-1' });
const others = [aNode('node-2'), aNode('node-3')];

const pressure = (name: string, condition: string, says: HandOver, event: string): CorpusCase => {
  const unhealthy = aNode('node-1', { [condition]: 'True' }, { since: 12 });
  return {
    name,
    origin,
    recording: still([unhealthy, others, shop, anEvent(unhealthy, 'EvictionThresholdMet', event)]),
    alert: { name: `KubeNode${condition}`, target: node('node-1') },
    expected: [plan('DrainNode'), says],
  };
};

const unready = (name: string, labels = {}): Seen => aNode(name, { Ready: 'Unknown' }, { since: 15, labels });

/** Nodes: how they fail, and how they only seem to. */
export const NODES: readonly CorpusCase[] = [
  pressure('node-disk-pressure', 'DiskPressure', handOver(/disk/i), 'Attempting to reclaim ephemeral-storage'),
  pressure('node-memory-pressure', 'MemoryPressure', handOver(/memory/i), 'Attempting to reclaim memory'),
  pressure('node-pid-pressure', 'PIDPressure', handOver(/pid/i), 'Attempting to reclaim pids'),
  {
    name: 'node-unreachable',
    origin,
    recording: still([unready('node-1'), others, shop]),
    alert: { name: 'KubeNodeUnreachable', target: node('node-1') },
    expected: [plan('DrainNode'), handOver(/not ready|unreachable|unknown/i)],
  },
  {
    name: 'node-recovered',
    origin,
    recording: still([aNode('node-1', {}, { since: 25 }), others, shop]),
    alert: notReady,
    misleading: 'it is ready again for 25 minutes',
    expected: [NOTHING_TO_DO],
  },
  {
    name: 'node-all-not-ready',
    origin,
    recording: still([unready('node-1'), unready('node-2'), unready('node-3'), shop]),
    alert: notReady,
    misleading: 'all nodes are silent: the fault is not the node, and its pods have nowhere to go',
    expected: [handOver(/nodes/i)],
  },
  {
    name: 'node-only-one-there-is',
    origin,
    recording: still([unready('node-1'), shop]),
    alert: notReady,
    misleading: 'there is no other node for its pods',
    expected: [handOver(/node/i)],
  },
  {
    name: 'node-of-the-control-plane',
    origin,
    recording: still([unready('node-1', { 'node-role.kubernetes.io/control-plane': '' }), others, shop]),
    alert: notReady,
    misleading: 'a control-plane node is never drained by a machine',
    expected: [handOver(/control.plane/i)],
  },
  {
    name: 'node-cordoned-on-purpose',
    origin,
    recording: still([
      aNode(
        'node-1',
        {},
        { spec: { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] }, since: 5 * DAYS },
      ),
      others,
    ]),
    alert: { name: 'KubeNodeUnschedulable', severity: 'warning', target: node('node-1') },
    misleading: 'an operator has cordoned it',
    expected: [handOver(/cordon|unschedulable/i), NOTHING_TO_DO],
  },
  {
    name: 'node-gone',
    origin,
    recording: still([others, shop]),
    alert: notReady,
    misleading: 'it was removed',
    expected: [handOver(/does not exist/i), NOTHING_TO_DO],
  },
  {
    name: 'node-unreadable',
    origin,
    recording: still([others, shop], [], ['nodes']),
    alert: notReady,
    expected: [handOver(/forbidden|not allowed/i)],
  },
];
