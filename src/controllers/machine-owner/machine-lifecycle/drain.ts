import type { Node, Pod } from '../../../api/builtin/index.ts';
import { after, instant, parseTime, type Instant } from '../../../base/index.ts';
import { controllerOf } from '../../../kube/objects/owner-references.ts';

/** What is left to do before a Node is empty. */
export interface Drain {
  /** Pods that must be asked to leave. */
  readonly toEvict: readonly Pod[];
  /** Pods that keep the Node from being empty. */
  readonly left: readonly Pod[];
  /** When nobody waits for them any longer; undefined for never. */
  readonly deadline: Instant | undefined;
}

export interface DrainQuestion {
  readonly node: Node;
  readonly pods: readonly Pod[];
  /** When pods were first asked to leave. */
  readonly since: Instant;
  /** 0 for ever. */
  readonly patienceMs: number;
  readonly now: Instant;
}

/** How far a Node is from being empty. */
export function judgeDrain({ node, pods, since, patienceMs, now }: DrainQuestion): Drain {
  const mustLeave = pods.filter(isInTheWay);
  const left = isUnreachable(node) ? mustLeave.filter((pod) => !isOverdue(pod, now)) : mustLeave;
  return {
    toEvict: mustLeave.filter(({ metadata }) => metadata.deletionTimestamp === undefined),
    left,
    deadline: patienceMs === 0 ? undefined : after(since, patienceMs),
  };
}

const MIRROR = 'kubernetes.io/config.mirror';

/** What a DaemonSet or the Node's own files put there would come back at once, and what has finished holds nothing. */
const isInTheWay = (pod: Pod): boolean =>
  pod.metadata.annotations?.[MIRROR] === undefined &&
  pod.status?.phase !== 'Succeeded' &&
  pod.status?.phase !== 'Failed' &&
  !['DaemonSet', 'Node'].includes(controllerOf(pod)?.kind ?? '');

/** Nobody there says any more what became of a pod that should have ended. */
export const isUnreachable = ({ status }: Node): boolean => {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready === undefined || ready.status === 'Unknown';
};

/** The time that a pod is given to end is in its deletionTimestamp already. */
const isOverdue = ({ metadata }: Pod, now: Instant): boolean =>
  metadata.deletionTimestamp !== undefined && (parseTime(metadata.deletionTimestamp) ?? instant(0)) <= now;
