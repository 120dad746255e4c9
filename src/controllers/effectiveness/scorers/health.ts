import type { ContainerStatus, Pod } from '../../../api/builtin/index.ts';
import { parseTime, type Instant } from '../../../base/index.ts';

/** The pods that a target has, and how many it should have. */
export interface TargetPods {
  readonly desired: number;
  readonly pods: readonly Pod[];
  /** Restarts before this time do not count against the remediation. */
  readonly since: Instant | undefined;
  /** The workflow scaled the target to zero on purpose. */
  readonly scalesToZero?: boolean;
}

/** How healthy a target is, from 0 to 1; without a score if health does not apply. */
export interface Health {
  readonly score?: number;
  readonly message: string;
}

/** The target is of a kind that has no pods. */
export const HEALTH_NOT_APPLICABLE: Health = { message: 'the target has no pods of its own' };

/** Scores the live pods: those that are being deleted or have finished do not count. The first case that applies sets the score. */
export function scoreHealth({ desired, pods, since, scalesToZero }: TargetPods): Health {
  const live = pods.filter(isLive);
  const ready = live.filter(isReady).length;
  const total = Math.max(desired, live.length);
  if (desired === 0 && live.length === 0) return scaledToZero(scalesToZero ?? false);
  const counted = `${ready} of ${total} pods ready`;
  const looping = live.find((pod) => containersOf(pod).some(isCrashLooping));
  if (looping) return { score: 0, message: `${counted}, ${looping.metadata.name} is in CrashLoopBackOff` };
  const restarts = restartsIn(live, since);
  const message = restarts === undefined ? counted : `${counted}, ${restarts} since the fix`;
  if (ready === 0) return { score: 0, message };
  if (ready < total) return { score: 0.5, message };
  const killed = live.find((pod) => containersOf(pod).some((container) => wasOutOfMemory(container, since)));
  if (killed) return { score: 0.25, message: `${counted}, but ${killed.metadata.name} was OOMKilled` };
  return { score: restarts === undefined ? 1 : 0.75, message };
}

const scaledToZero = (onPurpose: boolean): Health =>
  onPurpose ? { message: 'scaled to zero, as the workflow intended' } : { score: 0, message: 'scaled to zero: no pods run' };

const isLive = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: holds }) => type === 'Ready' && holds === 'True') ?? false;

const containersOf = ({ status }: Pod): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

const isCrashLooping = ({ state }: ContainerStatus): boolean => state?.waiting?.reason === 'CrashLoopBackOff';

const wasOutOfMemory = ({ state, lastState }: ContainerStatus, since: Instant | undefined): boolean =>
  [state?.terminated, lastState?.terminated].some((end) => end?.reason === 'OOMKilled' && isAfter(end.finishedAt, since));

function hasRestarted({ restartCount, state, lastState }: ContainerStatus, since: Instant | undefined): boolean {
  return restartCount > 0 && isAfter(lastState?.terminated?.finishedAt ?? state?.running?.startedAt, since);
}

/** As text; undefined without restarts. Only for pods created after `since` is the exact number of restarts known. */
function restartsIn(pods: readonly Pod[], since: Instant | undefined): string | undefined {
  let count = 0;
  let isExact = true;
  for (const pod of pods) {
    const isNew = since !== undefined && (parseTime(pod.metadata.creationTimestamp) ?? 0) >= since;
    const restarted = containersOf(pod).filter((container) => hasRestarted(container, since));
    count += restarted.reduce((sum, { restartCount }) => sum + (isNew ? restartCount : 1), 0);
    isExact &&= isNew || restarted.every(({ restartCount }) => restartCount === 1);
  }
  return count === 0 ? undefined : `${isExact ? '' : 'at least '}${count} restart${count === 1 ? '' : 's'}`;
}

/** An event without a time counts as one after `since`. */
function isAfter(time: string | undefined, since: Instant | undefined): boolean {
  const at = parseTime(time);
  return at === undefined || since === undefined || at >= since;
}
