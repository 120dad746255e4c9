import type { ContainerStatus, Pod } from '../../src/api/builtin/index.ts';
import { after, MINUTE, parseTime, type Instant } from '../../src/base/index.ts';

/** How often a container must have been restarted before a running one counts as crash looping. */
const LEAST_RESTARTS = 3;
/** A container that has run for this long is not crash looping: the kubelet resets its back-off. */
const STEADY_MS = 10 * MINUTE;

/** Whether a container of the pod is crash looping, whether it waits for its next start or was started just now. */
export const isCrashLooping = ({ status }: Pod, now: Instant): boolean =>
  [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].some((container) => isLooping(container, now));

function isLooping(container: ContainerStatus, now: Instant): boolean {
  const { state, restartCount, lastState } = container;
  if (state?.waiting) return state.waiting.reason === 'CrashLoopBackOff';
  if (restartCount < LEAST_RESTARTS || !isCrash(lastState?.terminated)) return false;
  return state?.terminated ? isCrash(state.terminated) : isYoung(state?.running?.startedAt, now);
}

type Terminated = NonNullable<NonNullable<ContainerStatus['state']>['terminated']>;

/** It failed soon after its start: a container that ran for hours before it failed is not crash looping. Missing times prove nothing. */
function isCrash(terminated: Terminated | undefined): boolean {
  const [from, to] = [parseTime(terminated?.startedAt), parseTime(terminated?.finishedAt)];
  return terminated !== undefined && terminated.exitCode !== 0 && from !== undefined && to !== undefined && to < after(from, STEADY_MS);
}

function isYoung(startedAt: string | undefined, now: Instant): boolean {
  const from = parseTime(startedAt);
  return from !== undefined && now < after(from, STEADY_MS);
}
