import type { Node, Pod } from '../../../api/builtin/index.ts';
import { after, instant, parseTime, type Instant } from '../../../base/index.ts';
import { controllerOf } from '../../../kube/objects/owner-references.ts';

/** What is left to do before a Node is empty. */
export interface Drain {
  /** Pods to evict. */
  readonly toEvict: readonly Pod[];
  /** Pods that keep the Node from being empty. */
  readonly left: readonly Pod[];
  /** When the drain times out; undefined for never. */
  readonly deadline: Instant | undefined;
}

export interface DrainQuestion {
  readonly node: Node;
  readonly pods: readonly Pod[];
  /** When eviction started. */
  readonly since: Instant;
  /** 0 for no timeout. */
  readonly timeoutMs: number;
  readonly now: Instant;
}

/** How far a Node is from being empty. */
export function judgeDrain({ node, pods, since, timeoutMs, now }: DrainQuestion): Drain {
  const mustLeave = pods.filter(mustBeEvicted);
  const left = isUnreachable(node) ? mustLeave.filter((pod) => !isOverdue(pod, now)) : mustLeave;
  return {
    toEvict: mustLeave.filter(({ metadata }) => metadata.deletionTimestamp === undefined),
    left,
    deadline: timeoutMs === 0 ? undefined : after(since, timeoutMs),
  };
}

const MIRROR = 'kubernetes.io/config.mirror';

/** DaemonSet pods and static pods would be created again at once, and finished pods hold nothing. */
const mustBeEvicted = (pod: Pod): boolean =>
  pod.metadata.annotations?.[MIRROR] === undefined &&
  pod.status?.phase !== 'Succeeded' &&
  pod.status?.phase !== 'Failed' &&
  !['DaemonSet', 'Node'].includes(controllerOf(pod)?.kind ?? '');

/** Whether the kubelet no longer reports the state of its pods. */
export const isUnreachable = ({ status }: Node): boolean => {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready === undefined || ready.status === 'Unknown';
};

/** The deletionTimestamp includes the grace period. */
const isOverdue = ({ metadata }: Pod, now: Instant): boolean =>
  metadata.deletionTimestamp !== undefined && (parseTime(metadata.deletionTimestamp) ?? instant(0)) <= now;
