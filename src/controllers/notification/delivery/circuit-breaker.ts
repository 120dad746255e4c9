import { after, SECOND, type Instant } from '../../../base/index.ts';

/** What a breaker knows of its channel: failures in a row, and while it is open, until when and how many probes were allowed since. */
export interface BreakerState {
  readonly failures: number;
  readonly openUntil?: Instant;
  readonly probes: number;
  /** What went wrong last. */
  readonly error?: string;
}

export const CLOSED: BreakerState = { failures: 0, probes: 0 };

const MOST_FAILURES = 3;
const OPEN_MS = 30 * SECOND;
const MOST_PROBES = 2;

/**
 * The state after an attempt was allowed; undefined where none is: after three failures in a row a channel rests for 30 s, then two messages probe it.
 * Where neither of them has a result, it rests again.
 */
export function allowAttempt(state: BreakerState, now: Instant): BreakerState | undefined {
  const { openUntil, probes } = state;
  if (openUntil === undefined) return state;
  if (now < openUntil) return undefined;
  return probes + 1 < MOST_PROBES ? { ...state, probes: probes + 1 } : { ...state, probes: 0, openUntil: after(now, OPEN_MS) };
}

/** A failure while it is open starts its rest again. */
export function afterFailure({ failures }: BreakerState, now: Instant, error: string): BreakerState {
  const count = failures + 1;
  return { failures: count, probes: 0, error, ...(count >= MOST_FAILURES && { openUntil: after(now, OPEN_MS) }) };
}
