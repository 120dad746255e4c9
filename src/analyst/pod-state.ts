import type { ContainerStatus, Pod } from '../api/builtin/index.ts';
import { instant, MINUTE, parseTime, type Instant } from '../base/index.ts';

/** A container that ends again and again. */
export interface Crash {
  readonly exitCode?: number;
  /** The kubelet's word for the last end, e.g. OOMKilled. */
  readonly reason?: string;
  readonly restarts: number;
  /** How long the last run took. */
  readonly ranForMs: number;
}

/** Who has just been restarted is not well yet: a crash loop spends part of its time running. */
const FRESH_MS = MINUTE;

/** The first container of the pod that crashes again and again, if one does. */
export function crashOf(pod: Pod, now: Instant): Crash | undefined {
  const status = containersOf(pod).find((container) => isCrashing(container, now));
  if (!status) return undefined;
  const end = status.state?.terminated ?? status.lastState?.terminated;
  const [startedAt, finishedAt] = [parseTime(end?.startedAt), parseTime(end?.finishedAt)];
  return {
    restarts: status.restartCount,
    ranForMs: startedAt !== undefined && finishedAt !== undefined ? Math.max(0, finishedAt - startedAt) : 0,
    ...(end && { exitCode: end.exitCode }),
    ...(end?.reason !== undefined && { reason: end.reason }),
  };
}

function isCrashing({ state, lastState, restartCount }: ContainerStatus, now: Instant): boolean {
  if (state?.waiting?.reason === 'CrashLoopBackOff') return true;
  if (restartCount === 0) return false;
  if (state?.terminated) return state.terminated.exitCode !== 0;
  if (!lastState?.terminated || lastState.terminated.exitCode === 0) return false;
  const startedAt = parseTime(state?.running?.startedAt);
  return startedAt !== undefined && now - startedAt < FRESH_MS;
}

/** When a container of the pod last ended, as far as the pod still knows. */
export function lastEndOf(pod: Pod): Instant | undefined {
  const ends = containersOf(pod).flatMap(({ state, lastState }) => {
    const at = parseTime(state?.terminated?.finishedAt ?? lastState?.terminated?.finishedAt);
    return at === undefined ? [] : [at];
  });
  return ends.length === 0 ? undefined : instant(Math.max(...ends));
}

/** Whether the cluster sends it traffic. */
export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** What keeps a pod from being ready, in the cluster's own word. */
export function troubleOf(pod: Pod): string {
  const containers = containersOf(pod);
  const killed = containers.find(({ lastState, state }) => (state?.terminated ?? lastState?.terminated)?.reason === 'OOMKilled');
  if (killed) return 'OOMKilled';
  const waiting = containers.find(({ state }) => state?.waiting?.reason !== undefined)?.state?.waiting?.reason;
  if (waiting !== undefined) return waiting;
  const unscheduled = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  return unscheduled?.reason ?? pod.status?.reason ?? (pod.status?.phase === 'Running' ? 'NotReady' : (pod.status?.phase ?? 'Unknown'));
}

const containersOf = ({ status }: Pod): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];
