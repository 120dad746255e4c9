import { describe, expect, test } from 'vitest';
import type { Node, NodeCondition } from './core.ts';
import { isControlPlaneNode, isCordoned, nodeFaults, wishOf } from './node-state.ts';

const metadata = { name: 'worker-1', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-15T03:00:00Z' };
const aNode = (conditions?: readonly NodeCondition[], more: Partial<Node> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata,
  ...(conditions && { status: { conditions } }),
  ...more,
});
const since = '2026-11-15T03:10:00Z';

describe('what is wrong with a Node', () => {
  test.each([
    { name: 'ready', conditions: [{ type: 'Ready', status: 'True' }], says: [] },
    {
      name: 'not ready, with a reason',
      conditions: [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady', lastTransitionTime: since }],
      says: [{ type: 'Ready', text: 'it is not ready (KubeletNotReady)', since }],
    },
    {
      name: 'not heard of',
      conditions: [{ type: 'Ready', status: 'Unknown', reason: '' }],
      says: [{ type: 'Ready', text: 'its kubelet does not report' }],
    },
    { name: 'never said a word', conditions: [], says: [{ type: 'Ready', text: 'it has never said that it is ready' }] },
    {
      name: 'ready, but short of memory and of disk',
      conditions: [
        { type: 'MemoryPressure', status: 'True' },
        { type: 'Ready', status: 'True' },
        { type: 'DiskPressure', status: 'True', reason: 'KubeletHasDiskPressure' },
      ],
      says: [
        { type: 'MemoryPressure', text: 'MemoryPressure is True' },
        { type: 'DiskPressure', text: 'DiskPressure is True (KubeletHasDiskPressure)' },
      ],
    },
    {
      name: 'an unknown condition',
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'GPUHealthy', status: 'False' },
        { type: 'DiskPressure', status: 'Unknown' },
      ],
      says: [],
    },
  ] as const)('$name', ({ conditions, says }) => expect(nodeFaults(aNode(conditions))).toEqual(says));

  test('one without any status was never ready', () => expect(nodeFaults(aNode())).toHaveLength(1));
});

test.each([
  { spec: undefined, want: false },
  { spec: { unschedulable: false }, want: false },
  { spec: { unschedulable: true }, want: true },
])('$spec is cordoned: $want', ({ spec, want }) => expect(isCordoned(aNode([], spec ? { spec } : {}))).toBe(want));

describe('whether a Node belongs to the control plane', () => {
  const labelled = (label: string) => aNode([], { metadata: { ...metadata, labels: { [label]: '' } } });
  const tainted = (key: string) => aNode([], { spec: { taints: [{ key, effect: 'NoSchedule' }] } });
  test.each([
    { reason: 'the label control-plane', node: labelled('node-role.kubernetes.io/control-plane'), want: true },
    { reason: 'the label master alone, as older clusters set it', node: labelled('node-role.kubernetes.io/master'), want: true },
    { reason: 'the taint control-plane', node: tainted('node-role.kubernetes.io/control-plane'), want: true },
    { reason: 'the taint master', node: tainted('node-role.kubernetes.io/master'), want: true },
    { reason: 'metadata only, with the label', node: { metadata: { labels: { 'node-role.kubernetes.io/master': '' } } }, want: true },
    { reason: 'metadata only, without labels', node: { metadata: {} }, want: false },
    { reason: 'the label of another role', node: labelled('node-role.kubernetes.io/worker'), want: false },
    { reason: 'another taint', node: tainted('dedicated'), want: false },
    { reason: 'neither labels nor taints', node: aNode([]), want: false },
  ])('$reason: $want', ({ node, want }) => expect(isControlPlaneNode(node)).toBe(want));
});

describe('the desired part of a Node', () => {
  const dedicated = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };

  test('is not what the cluster notes about its state', () => {
    const taints = [
      { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: since },
      { key: 'node.cloudprovider.kubernetes.io/shutdown', effect: 'NoSchedule' },
    ];
    expect(wishOf(aNode([], { spec: { unschedulable: true, taints } }))).toEqual({ unschedulable: true });
    expect(wishOf(aNode([], { spec: { taints: [...taints, dedicated] } }))).toEqual({ taints: [dedicated] });
  });

  test('is nothing where it has no spec', () => expect(wishOf(aNode())).toEqual({}));
});
