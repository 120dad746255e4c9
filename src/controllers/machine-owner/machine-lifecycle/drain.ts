import type { Node, Pod } from '../../../api/builtin/index.ts';
import { after, instant, parseTime, type Instant } from '../../../base/index.ts';
import { mustLeaveOnDrain } from '../../../kube/objects/drain.ts';

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
  const mustLeave = pods.filter(mustLeaveOnDrain);
  const left = isUnreachable(node) ? mustLeave.filter((pod) => !isOverdue(pod, now)) : mustLeave;
  return {
    toEvict: mustLeave.filter(({ metadata }) => metadata.deletionTimestamp === undefined),
    left,
    deadline: timeoutMs === 0 ? undefined : after(since, timeoutMs),
  };
}

/** Whether the kubelet no longer reports the state of its pods. */
export const isUnreachable = ({ status }: Node): boolean => {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready === undefined || ready.status === 'Unknown';
};

/** The deletionTimestamp includes the grace period. */
const isOverdue = ({ metadata }: Pod, now: Instant): boolean =>
  metadata.deletionTimestamp !== undefined && (parseTime(metadata.deletionTimestamp) ?? instant(0)) <= now;
