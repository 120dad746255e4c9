import { after, SECOND, type Instant } from '../base/index.ts';

const LOOK_AGAIN_MS = 30 * SECOND;

/** When to look again where only an event is awaited, should it never come. */
export const lookAgain = (now: Instant): Instant => after(now, LOOK_AGAIN_MS);

/** The earliest of the moments that are known, but never in the past: a wake-up is always ahead. */
export function earliest(now: Instant, ...moments: readonly (Instant | undefined)[]): Instant {
  const known = moments.filter((moment) => moment !== undefined);
  const first = known.reduce((a, b) => (b < a ? b : a), lookAgain(now));
  return first > now ? first : after(now, SECOND);
}
