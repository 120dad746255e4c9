import { LEASE_TIMING, type LeaseTiming } from '../../runtime/index.ts';

/** The default timing, scaled to a lease of that length. */
export function leaseTiming(seconds: number | undefined): LeaseTiming {
  if (seconds === undefined) return LEASE_TIMING;
  const { leaseMs, renewWithinMs, retryMs } = LEASE_TIMING;
  const share = (seconds * 1_000) / leaseMs;
  return { leaseMs: leaseMs * share, renewWithinMs: renewWithinMs * share, retryMs: retryMs * share };
}
