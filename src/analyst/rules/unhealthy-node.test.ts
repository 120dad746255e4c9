import { describe, expect, test } from 'vitest';
import type { Diagnosis } from '../diagnosis.ts';
import type { NodeEvidence } from '../evidence.ts';
import { aPod, NOW } from '../testing/a-deployment.ts';
import { aMovable, aNode, closedBy, condition, nodeEvidence } from '../testing/a-node.ts';
import { unhealthyNode } from './unhealthy-node.ts';

const READY = condition('Ready', 'True');
const SILENT = condition('Ready', 'Unknown');
const CORDONED = { spec: { unschedulable: true } };
const CONTROL_PLANE = { spec: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] } };

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly evidence: NodeEvidence;
  readonly kind: Diagnosis['kind'];
  readonly says: string;
  readonly action?: string;
}

const cases: readonly Case[] = [
  {
    name: 'silent for ten minutes',
    reason: 'its pods run better elsewhere',
    evidence: nodeEvidence(aNode([SILENT])),
    kind: 'Diagnosed',
    says: 'Node worker-1 is unhealthy: its kubelet does not report',
    action: 'DrainNode',
  },
  {
    name: 'silent for exactly a minute',
    reason: 'that is long enough',
    evidence: nodeEvidence(aNode([condition('Ready', 'Unknown', 1)])),
    kind: 'Diagnosed',
    says: 'its kubelet does not report',
    action: 'DrainNode',
  },
  {
    name: 'silent for less than a minute',
    reason: 'a short silence is no fault',
    evidence: nodeEvidence(aNode([condition('Ready', 'False', 0.9)])),
    kind: 'NotYet',
    says: 'became unhealthy less than a minute ago',
  },
  {
    name: 'silent for less than a minute, and its Machine fails',
    reason: 'the health check has waited, and clocks may disagree',
    evidence: nodeEvidence(aNode([condition('Ready', 'False', 0.9)]), { hasLasted: true }),
    kind: 'Diagnosed',
    says: 'it is not ready',
    action: 'DrainNode',
  },
  {
    name: 'unhealthy since an unknown time',
    reason: 'a condition without a transition time does not count as recent',
    evidence: nodeEvidence(aNode([{ type: 'Ready', status: 'False' }])),
    kind: 'Diagnosed',
    says: 'it is not ready',
    action: 'DrainNode',
  },
  {
    name: 'under pressure',
    reason: 'fewer pods help',
    evidence: nodeEvidence(aNode([READY, condition('DiskPressure', 'True')])),
    kind: 'Diagnosed',
    says: 'DiskPressure is True',
    action: 'DrainNode',
  },
  {
    name: 'healthy, but its Machine fails',
    reason: 'the check may look at conditions that no rule knows',
    evidence: nodeEvidence(aNode(), { reported: 'Condition GPUHealthy on Node is reporting status False for more than 5m0s' }),
    kind: 'Diagnosed',
    says: 'GPUHealthy',
    action: 'DrainNode',
  },
  {
    name: 'unhealthy and cordoned, with pods left on it',
    reason: 'the last drain did not finish',
    evidence: nodeEvidence(aNode([SILENT], CORDONED)),
    kind: 'Diagnosed',
    says: 'is unhealthy',
    action: 'DrainNode',
  },
  {
    name: 'unhealthy, cordoned and empty',
    reason: 'a drain could not do anything more',
    evidence: nodeEvidence(aNode([SILENT], CORDONED), { movable: [] }),
    kind: 'Unclear',
    says: 'no pods are left on it that could be moved',
  },
  {
    name: 'unhealthy and empty, but not cordoned',
    reason: 'new pods must not be scheduled to it',
    evidence: nodeEvidence(aNode([SILENT]), { movable: [] }),
    kind: 'Diagnosed',
    says: 'is unhealthy',
    action: 'DrainNode',
  },
  {
    name: 'unhealthy, with a pod that no controller recreates',
    reason: 'the drain would be refused, and block the Node',
    evidence: nodeEvidence(aNode([SILENT]), { movable: [aMovable('p1'), aPod('lone')] }),
    kind: 'Unclear',
    says: 'no controller would recreate these pods elsewhere: shop/lone',
  },
  {
    name: 'healthy, but its Machine fails, with a pod that keeps data',
    reason: 'no annotation or setting allows losing it',
    evidence: nodeEvidence(aNode(), { reported: 'no', movable: [aMovable('cache', { volumes: [{ name: 'data', emptyDir: {} }] })] }),
    kind: 'Unclear',
    says: 'would lose their emptyDir data: shop/cache',
  },
  {
    name: 'unhealthy, and part of the control plane',
    reason: 'ruling 108: never without an explicit rule',
    evidence: nodeEvidence(aNode([SILENT], CONTROL_PLANE)),
    kind: 'Unclear',
    says: 'belongs to the control plane',
  },
  {
    name: 'healthy, and still cordoned by a workflow',
    reason: 'the cordon was not meant to stay',
    evidence: nodeEvidence(aNode([READY], closedBy('drain-node'))),
    kind: 'Diagnosed',
    says: 'is ready again, but still cordoned by we-rr-1',
    action: 'UncordonNode',
  },
  {
    name: 'well for less than a minute, and still closed by a workflow',
    reason: 'it may flap',
    evidence: nodeEvidence(aNode([condition('Ready', 'True', 0.9)], closedBy('drain-node'))),
    kind: 'NotYet',
    says: 'is ready, but only since less than a minute ago',
  },
  {
    name: 'healthy, and cordoned by another client',
    reason: 'that may be on purpose',
    evidence: nodeEvidence(aNode([READY], CORDONED)),
    kind: 'NothingWrong',
    says: 'was not cordoned by Sickbay',
  },
  {
    name: 'healthy, and cordoned again as it was before',
    reason: 'undoing an uncordon restores a cordon that another client wanted',
    evidence: nodeEvidence(aNode([READY], closedBy('uncordon-node'))),
    kind: 'NothingWrong',
    says: 'was not cordoned by Sickbay',
  },
  {
    name: 'healthy, and cordoned without a recorded undo',
    reason: 'an unreadable record is not acted on',
    evidence: nodeEvidence(aNode([READY], closedBy('drain-node', { none: 'it was cordoned before' }))),
    kind: 'NothingWrong',
    says: 'was not cordoned by Sickbay',
  },
  { name: 'well', reason: 'there is nothing to do', evidence: nodeEvidence(aNode()), kind: 'NothingWrong', says: 'Node worker-1 is ready' },
];

describe('a Node', () => {
  test.each(cases)('$name: $reason', ({ evidence, kind, says, action }) => {
    const diagnosis = unhealthyNode(evidence, NOW);
    expect(diagnosis.kind).toBe(kind);
    expect(diagnosis.kind === 'Diagnosed' ? diagnosis.cause : diagnosis.reason).toContain(says);
    expect(diagnosis.kind === 'Diagnosed' ? diagnosis.actionType : undefined).toBe(action);
  });

  test('what its Machine alone says is less sure than what it says itself', () => {
    const confidence = (evidence: NodeEvidence) => unhealthyNode(evidence, NOW);
    expect(confidence(nodeEvidence(aNode([SILENT])))).toMatchObject({ confidence: 0.9 });
    expect(confidence(nodeEvidence(aNode(), { reported: 'no' }))).toMatchObject({ confidence: 0.8 });
  });

  test.each([
    [aPod('lone'), /give them a controller, then: kubectl drain worker-1 --ignore-daemonsets$/],
    [aMovable('cache', { volumes: [{ name: 'data', emptyDir: {} }] }), /may be lost: kubectl drain worker-1 .*--delete-emptydir-data$/],
  ])('what a person may do about pods that cannot be moved', (pod, advice) =>
    expect(unhealthyNode(nodeEvidence(aNode([SILENT]), { movable: [pod] }), NOW)).toMatchObject({
      advice: expect.stringMatching(advice) as string,
    }),
  );

  test('the evidence says how many pods would move', () => {
    expect(unhealthyNode(nodeEvidence(aNode([SILENT])), NOW)).toMatchObject({
      evidence: ['its kubelet does not report', '2 pods on it can run elsewhere'],
    });
    const one = nodeEvidence(aNode([SILENT]));
    expect(unhealthyNode({ ...one, movable: one.movable.slice(1) }, NOW)).toMatchObject({
      evidence: [expect.anything(), '1 pod on it can run elsewhere'],
    });
  });
});

describe('the pods of an unhealthy Node', () => {
  const named = (name: string, conditions = [READY], more = {}) => {
    const node = aNode(conditions, more);
    return { ...node, metadata: { ...node.metadata, name } };
  };
  const judge = (others: NodeEvidence['others'], movable?: NodeEvidence['movable']) =>
    unhealthyNode(nodeEvidence(aNode([SILENT]), { ...(others && { others }), ...(movable && { movable }) }), NOW);

  test('move to a node that is ready and open', () => expect(judge([named('a'), named('b', [SILENT]), named('c')]).kind).toBe('Diagnosed'));

  test.each<[string, NodeEvidence['others'], RegExp]>([
    ['there is no other node', [], /no other node can take its 2 pods/],
    ['the other node is cordoned', [named('a', [READY], CORDONED)], /no other node can take its 2 pods/],
    ['the other node belongs to the control plane', [named('a', [READY], CONTROL_PLANE)], /no other node can take its 2 pods/],
    ['most nodes fail alike', [named('a', [SILENT]), named('b')], /2 of 3 nodes are unhealthy, so that the cause is not this node alone/],
    ['all nodes fail alike', [named('a', [SILENT])], /2 of 2 nodes are unhealthy/],
  ])('stay where %s', (_, others, says) =>
    expect(judge(others)).toMatchObject({
      kind: 'Unclear',
      reason: expect.stringMatching(says) as string,
      advice: expect.stringContaining('kubectl get nodes') as string,
    }),
  );

  test('need no other node where there are none', () => expect(judge([], []).kind).toBe('Diagnosed'));
});
