import { after, backoffDelay, instant, MINUTE, parseTime, SECOND, type Backoff, type Instant } from '../base/index.ts';

/** How long a stage waits before it reads again what it could not read. */
export const READ_AGAIN: Backoff = { baseMs: 30 * SECOND, maxMs: 5 * MINUTE };

/** How soon to look again where only an event is awaited, should it never come. */
export const LOOK_AGAIN_MS = 30 * SECOND;

/** When to read again after `failures` failures in a row, the last of them at `failedAt`. */
export const readAgainAt = (failedAt: Instant, failures: number): Instant => after(failedAt, backoffDelay(READ_AGAIN, failures));

/** Whether the time that was given in the spec is over; what has no limit never is. */
export function isTooLate(timesOutAt: string | undefined, now: Instant): boolean {
  const deadline = parseTime(timesOutAt);
  return deadline !== undefined && now >= deadline;
}

/** The wished wake-up, or the deadline where that comes first. */
export function wakeBy(wished: Instant, timesOutAt: string | undefined): Instant {
  return instant(Math.min(wished, parseTime(timesOutAt) ?? wished));
}
