import type { ContainerStatus, Pod } from '../api/builtin/index.ts';
import { LABELS } from '../api/well-known.ts';
import { MINUTE, parseTime, type Instant } from '../base/index.ts';
import { mustLeaveOnDrain } from '../kube/objects/drain.ts';

/** A container that ends again and again. */
export interface Crash {
  readonly exitCode?: number;
  /** The kubelet's word for the last end, e.g. OOMKilled. */
  readonly reason?: string;
  readonly restarts: number;
  /** How long the last run took. */
  readonly ranForMs: number;
  /** How often it ended so far. */
  readonly ends: number;
  /** When it last ended. */
  readonly lastEndAt?: Instant;
}

/** Who has just been started is not well yet: a crash loop spends part of its time running, and without a probe it is ready then. */
const FRESH_MS = MINUTE;

/** The first container of the pod that crashes again and again, if one does. */
export function crashOf(pod: Pod, now: Instant): Crash | undefined {
  const container = containersOf(pod).find((status) => isCrashing(status, now));
  if (!container) return undefined;
  const { exitCode, reason, startedAt, finishedAt } = endOf(container) ?? {};
  const [from, to] = [parseTime(startedAt), parseTime(finishedAt)];
  return {
    restarts: container.restartCount,
    ranForMs: from === undefined || to === undefined ? 0 : Math.max(0, to - from),
    ends: container.restartCount + (container.state?.running ? 0 : 1),
    ...(to !== undefined && { lastEndAt: to }),
    ...(exitCode !== undefined && { exitCode }),
    ...(reason !== undefined && { reason }),
  };
}

function isCrashing(container: ContainerStatus, now: Instant): boolean {
  const { waiting, terminated, running } = container.state ?? {};
  if (waiting?.reason === 'CrashLoopBackOff') return true;
  const hasCrashed = container.restartCount > 0 && (endOf(container)?.exitCode ?? 0) !== 0;
  return hasCrashed && (terminated !== undefined || isFresh(running?.startedAt, now));
}

function isFresh(since: string | undefined, now: Instant): boolean {
  const at = parseTime(since);
  return at !== undefined && now - at < FRESH_MS;
}

/** How the container last ended, as far as the pod still knows. */
const endOf = ({ state, lastState }: ContainerStatus) => state?.terminated ?? lastState?.terminated;

/** How long a container has run, and how long it ran before it last ended. */
export interface Run {
  readonly forMs: number;
  readonly beforeMs: number;
}

/** Of the containers that run again after an end, the one that has run for the shortest time compared with its run before; undefined without one. */
export function shakiestRun(pod: Pod, now: Instant): Run | undefined {
  const runs = containersOf(pod).flatMap((container) => runAgain(container, now) ?? []);
  return runs.toSorted((a, b) => a.forMs / (a.beforeMs + 1) - b.forMs / (b.beforeMs + 1))[0];
}

function runAgain({ state, lastState }: ContainerStatus, now: Instant): Run | undefined {
  const last = lastState?.terminated;
  if (!last) return undefined;
  const since = parseTime(state?.running?.startedAt) ?? parseTime(last.finishedAt);
  const [from, to] = [parseTime(last.startedAt), parseTime(last.finishedAt)];
  return {
    forMs: since === undefined ? 0 : Math.max(0, now - since),
    beforeMs: from === undefined || to === undefined ? 0 : Math.max(0, to - from),
  };
}

/** Since when the pod is ready, as far as it says so. */
export const readySince = ({ status }: Pod): Instant | undefined =>
  parseTime(
    status?.conditions?.find((condition) => condition.type === 'Ready' && condition.status === 'True')?.lastTransitionTime ?? undefined,
  );

/** Whether a container of the pod has run for so short a time that it proves nothing. */
export const isFreshPod = (pod: Pod, now: Instant): boolean =>
  containersOf(pod).some(({ state }) => isFresh(state?.running?.startedAt, now));

/** Whether the cluster sends it traffic. */
export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** What keeps a pod from being ready, in the cluster's own word. */
export function troubleOf(pod: Pod): string {
  const containers = containersOf(pod);
  if (containers.some((container) => endOf(container)?.reason === 'OOMKilled')) return 'OOMKilled';
  const [waiting] = containers.flatMap(({ state }) => state?.waiting?.reason ?? []);
  return waiting ?? schedulingTrouble(pod) ?? pod.status?.reason ?? phaseTrouble(pod);
}

const schedulingTrouble = ({ status }: Pod): string | undefined =>
  status?.conditions?.find((condition) => condition.type === 'PodScheduled' && condition.status === 'False')?.reason;

const phaseTrouble = ({ status }: Pod): string => (status?.phase === 'Running' ? 'NotReady' : (status?.phase ?? 'Unknown'));

/** The init containers of a pod, then its containers. */
export const containersOf = ({ status }: Pod): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

/** Whether a pod would leave a node that is drained. What has ended, or goes already, and our own runs are not asked to. */
export const isMovable = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp === undefined && pod.metadata.labels?.[LABELS.workflowExecution] === undefined && mustLeaveOnDrain(pod);
