import type { Node, NodeCondition, Pod } from '../../api/builtin/index.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import { toTime } from '../../base/index.ts';
import type { NodeEvidence } from '../evidence.ts';
import { aPod, minutesAgo } from './a-deployment.ts';

export const NODE_TARGET = { kind: 'Node', name: 'worker-1' };

/** A condition that holds for so many minutes. */
export const condition = (type: string, status: NodeCondition['status'], minutes = 10): NodeCondition => ({
  type,
  status,
  lastTransitionTime: toTime(minutesAgo(minutes)),
});

/** A Node that has been ready for a while. */
export const aNode = (conditions: readonly NodeCondition[] = [condition('Ready', 'True')], more: Partial<Node> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'worker-1', uid: 'uid-worker-1', resourceVersion: '1', creationTimestamp: toTime(minutesAgo(600)) },
  status: { conditions },
  ...more,
});

/** What a workflow leaves on a Node that it closed. */
export const closedBy = (workflow: string, undo: object = { workflow: 'uncordon-node', parameters: {} }): Partial<Node> => ({
  metadata: {
    ...aNode().metadata,
    annotations: { [ANNOTATIONS.undo]: JSON.stringify({ workflow, execution: 'we-rr-1', did: 'cordoned', undo }) },
  },
  spec: { unschedulable: true },
});

/** A pod that is made again wherever there is room. */
export function aMovable(name: string, spec: Partial<Pod['spec']> = {}): Pod {
  const pod = aPod(name);
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'checkout', uid: 'uid-checkout', controller: true }];
  return { ...pod, metadata: { ...pod.metadata, ownerReferences }, spec: { ...pod.spec, ...spec } };
}

export const nodeEvidence = (node: Node, more: Partial<NodeEvidence> = {}): NodeEvidence => ({
  kind: 'Node',
  target: NODE_TARGET,
  node,
  movable: [aMovable('p1'), aMovable('p2')],
  ...more,
});
