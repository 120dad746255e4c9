import type { Pod } from '../../api/builtin/index.ts';
import { isFinishedPod, isMirrorPod } from '../builtin/pod-state.ts';
import { controllerOf } from './owner-references.ts';

/**
 * Whether a drain has to move the pod to another node. DaemonSet pods and static pods would be created again at once, and finished pods use
 * nothing.
 */
export const mustLeaveOnDrain = (pod: Pod): boolean =>
  !isMirrorPod(pod) && !isFinishedPod(pod) && !['DaemonSet', 'Node'].includes(controllerOf(pod)?.kind ?? '');

/** Why a node is not drained: nothing would make these pods again, or they would lose what they keep in an emptyDir. */
export interface DrainObstacle {
  readonly kind: 'orphans' | 'data';
  readonly pods: readonly Pod[];
}

/** What keeps pods from being moved to other nodes; what is going already is lost anyway. Who proposes a drain and who runs it must agree on it. */
export function drainObstacle(pods: readonly Pod[], { mayLoseData = false } = {}): DrainObstacle | undefined {
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const orphans = staying.filter((pod) => !controllerOf(pod));
  if (orphans.length > 0) return { kind: 'orphans', pods: orphans };
  const withData = mayLoseData ? [] : staying.filter(({ spec }) => (spec.volumes ?? []).some(({ emptyDir }) => emptyDir));
  return withData.length > 0 ? { kind: 'data', pods: withData } : undefined;
}

const MOST_NAMES = 5;

/** The first few by name: `shop/web-1, shop/web-2 and 3 more`. */
export function podNames(pods: readonly Pod[]): string {
  const shown = pods.slice(0, MOST_NAMES).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  return pods.length > MOST_NAMES ? `${shown.join(', ')} and ${pods.length - MOST_NAMES} more` : shown.join(', ');
}
