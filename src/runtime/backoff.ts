import type { Random } from '../base/index.ts';

/** How long a key that keeps failing waits: `baseMs`, doubled on every failure, never more than `maxMs`. */
export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
  /** A share of the delay added by chance, so that keys that failed together do not come back together. */
  readonly jitter?: number;
}

/** Fast enough that a passing conflict is not felt, slow enough that an API outage is not a storm. */
export const DEFAULT_BACKOFF: Backoff = { baseMs: 20, maxMs: 60_000, jitter: 0.2 };

/** The delay before the attempt that follows `failures` failures in a row (at least one). */
export function backoffDelay(backoff: Backoff, failures: number, random?: Random): number {
  const delay = Math.min(backoff.baseMs * 2 ** (failures - 1), backoff.maxMs);
  return random === undefined ? delay : delay * (1 + (backoff.jitter ?? 0) * random.next());
}
