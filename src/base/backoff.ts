import type { Random } from './random.ts';

/** How long something that keeps failing waits: `baseMs`, doubled on every failure, never more than `maxMs`. */
export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
  /** A share of the delay added by chance, so that what failed together does not come back together. */
  readonly jitter?: number;
}

/** The delay before the attempt that follows `failures` failures in a row (at least one). */
export function backoffDelay(backoff: Backoff, failures: number, random?: Random): number {
  const delay = Math.min(backoff.baseMs * 2 ** (failures - 1), backoff.maxMs);
  return random === undefined ? delay : delay * (1 + (backoff.jitter ?? 0) * random.next());
}
