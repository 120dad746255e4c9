import type { Pod } from '../../api/builtin/index.ts';
import { after, instant, MINUTE, parseTime, SECOND, type Instant } from '../../base/index.ts';
import { isReady, type Crash } from '../pod-state.ts';

/** A container that fails by itself runs about equally long each time; the first run may be so many times longer than the last. */
const LONGER = 3;
/** How long a pod may take until its container runs, and how much a first run may differ anyway. */
const GRACE_MS = 2.5 * MINUTE;
/** The kubelet starts a container up to so much later than it announced. */
const DELAY_MS = 15 * SECOND;
const LONGEST_WAIT_MS = 5 * MINUTE;

/** What a pod without a readiness probe takes from its creation to its first report. */
const AT_ONCE_MS = 10 * SECOND;

/**
 * Whether the pod worked before it began to crash: its first run took much longer than its last one. The first run is not recorded; it is what is
 * left of the pod's life without its restarts and the kubelet's waits between them (none, then 10 s, 20 s, … 5 min).
 */
export function ranAtFirst(pod: Pod, crash: Crash, now: Instant): boolean {
  if (wasNeverReady(pod)) return false;
  const created = parseTime(pod.metadata.creationTimestamp);
  // An end in the future is one by another clock, and says nothing about durations here.
  if (created === undefined || crash.lastEndAt === undefined || crash.lastEndAt > after(now, MINUTE)) return false;
  const firstRun = earliestFirstEnd(crash, crash.lastEndAt) - created;
  return firstRun > Math.max(GRACE_MS, LONGER * crash.ranForMs);
}

/** The first end cannot have come before this: every wait took as long as it could. */
function earliestFirstEnd({ ends, ranForMs }: Crash, lastEndAt: Instant): Instant {
  const waits = Array.from({ length: Math.max(0, ends - 1) }, (_, i) => waitBefore(i) + DELAY_MS + ranForMs);
  return instant(lastEndAt - waits.reduce((sum, wait) => sum + wait, 0));
}

const waitBefore = (restart: number): number => (restart === 0 ? 0 : Math.min(10 * SECOND * 2 ** (restart - 1), LONGEST_WAIT_MS));

/** It has not been ready since its first report. */
function wasNeverReady(pod: Pod): boolean {
  if (isReady(pod)) return false;
  const since = parseTime(pod.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? undefined);
  const start = parseTime(pod.status?.startTime ?? pod.metadata.creationTimestamp);
  return since !== undefined && start !== undefined && since <= after(start, AT_ONCE_MS);
}
