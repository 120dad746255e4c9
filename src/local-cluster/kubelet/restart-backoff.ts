import type { ContainerStatus } from '../../api/builtin/index.ts';
import { backoffDelay, MINUTE, parseDuration, parseTime, SECOND, type Backoff } from '../../base/index.ts';

const BACKOFF: Backoff = { baseMs: 10 * SECOND, maxMs: 5 * MINUTE };
/** Who ran that long has a clean record again. */
const FORGIVEN_MS = 10 * MINUTE;

/**
 * How long a container that ended waits before it runs again: not at all the first time, then 10 s, doubled with every restart up to 5 minutes. How
 * long it waited the last time is told by the gap between its runs, so nothing needs to be remembered beyond what the status shows.
 */
export function restartDelay(status: ContainerStatus): number {
  const ended = status.state?.terminated;
  const startedAt = parseTime(ended?.startedAt);
  const finishedAt = parseTime(ended?.finishedAt);
  const finishedBefore = parseTime(status.lastState?.terminated?.finishedAt);
  if (startedAt === undefined || finishedAt === undefined || finishedBefore === undefined) return 0;
  if (finishedAt - startedAt >= FORGIVEN_MS) return 0;
  // A machine that was off makes the gap longer than any back-off was; there cannot have been more of them than restarts.
  return Math.min(stepAfter(startedAt - finishedBefore), backoffDelay(BACKOFF, Math.max(1, status.restartCount)));
}

/** The step after the longest one that fits into the gap. */
function stepAfter(gapMs: number): number {
  let failures = 0;
  while (backoffDelay(BACKOFF, failures + 1) <= gapMs && backoffDelay(BACKOFF, failures + 1) < BACKOFF.maxMs) failures++;
  return backoffDelay(BACKOFF, failures + 1);
}

/** How long the container that waits says that it waits. */
export function announcedDelay(status: ContainerStatus): number {
  const [, text = ''] = /^back-off (\S+) /.exec(status.state?.waiting?.message ?? '') ?? [];
  return parseDuration(text) ?? backoffDelay(BACKOFF, Math.max(1, status.restartCount));
}
