import { after, backoffDelay, instant, MINUTE, parseTime, SECOND, type Backoff, type Instant } from '../base/index.ts';

/** How long a stage waits before it retries a failed read. */
const READ_RETRY: Backoff = { baseMs: 30 * SECOND, maxMs: 5 * MINUTE };

/** How soon a stage that waits for an event checks again, in case the event never comes. */
export const RECHECK_INTERVAL_MS = 30 * SECOND;

/** When to retry after `failures` failed reads in a row, the last of them at `failedAt`. */
export const readRetryAt = (failedAt: Instant, failures: number): Instant => after(failedAt, backoffDelay(READ_RETRY, failures));

/** Whether the deadline in a spec has passed; a spec without one never times out. */
export function isPastDeadline(timesOutAt: string | undefined, now: Instant): boolean {
  const deadline = parseTime(timesOutAt);
  return deadline !== undefined && now >= deadline;
}

/** The planned wake-up, or the deadline if that comes first. */
export function wakeByDeadline(planned: Instant, timesOutAt: string | undefined): Instant {
  return instant(Math.min(planned, parseTime(timesOutAt) ?? planned));
}
