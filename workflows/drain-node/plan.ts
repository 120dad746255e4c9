import { isControlPlaneNode, type Node, type Pod } from '../../src/kube/builtin/index.ts';
import { LABELS } from '../../src/api/well-known.ts';
import { drainObstacle, mustLeaveOnDrain, podNames, type DrainObstacle } from '../../src/kube/objects/drain.ts';
import type { Plan } from '../change.ts';

export interface DrainOrder {
  /** Whether pods may lose the data of their emptyDir. */
  readonly deleteEmptyDirData: boolean;
}

/** The pods that must leave; the run of a workflow, which may be this one, ends by itself. */
export const mustLeave = (pods: readonly Pod[]): readonly Pod[] =>
  pods.filter((pod) => mustLeaveOnDrain(pod) && pod.metadata.labels?.[LABELS.workflowExecution] === undefined);

const REFUSALS: Readonly<Record<DrainObstacle['kind'], string>> = {
  orphans: 'no controller would recreate these pods elsewhere',
  data: 'these pods would lose the data of their emptyDir (set DELETE_EMPTYDIR_DATA)',
};

/** How the node is cordoned, if its pods may be evicted. */
export function planCordon(node: Node, pods: readonly Pod[], { deleteEmptyDirData }: DrainOrder): Plan {
  if (isControlPlaneNode(node)) return { kind: 'refused', why: 'it is a control-plane node' };
  const obstacle = drainObstacle(mustLeave(pods), { mayLoseData: deleteEmptyDirData });
  if (obstacle) return { kind: 'refused', why: `${REFUSALS[obstacle.kind]}: ${podNames(obstacle.pods)}` };
  if (node.spec?.unschedulable === true) return { kind: 'already', why: 'is already cordoned' };
  return {
    kind: 'change',
    operations: [{ op: 'add', path: '/spec/unschedulable', value: true }],
    did: 'cordoned',
    undo: { workflow: 'uncordon-node', parameters: {} },
  };
}
