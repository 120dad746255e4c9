import type { Lease } from '../../kube/builtin/lease.ts';
import { SECOND, toMicroTime, type Instant } from '../../base/index.ts';

export type LeaseSpec = NonNullable<Lease['spec']>;

/** A lease as it was observed: `since` is when its present content was first seen, by the observer's own steady clock. */
export interface SeenLease {
  readonly spec: LeaseSpec;
  readonly since: Instant;
}

/**
 * Whose the lease is. It expires when it did not change for its duration; the times written in it come from
 * another machine's clock and prove nothing.
 */
export function judgeLease({ spec, since }: SeenLease, identity: string, steadyNow: Instant): 'ours' | 'free' | 'held' {
  if (!spec.holderIdentity) return 'free';
  if (spec.holderIdentity === identity) return 'ours';
  return steadyNow - since >= (spec.leaseDurationSeconds ?? 0) * SECOND ? 'free' : 'held';
}

/** The lease as we take or renew it. */
export function heldLease(
  before: LeaseSpec | undefined,
  us: { readonly identity: string; readonly durationMs: number },
  now: Instant,
): LeaseSpec {
  const renews = before?.holderIdentity === us.identity;
  return {
    holderIdentity: us.identity,
    leaseDurationSeconds: Math.ceil(us.durationMs / SECOND),
    acquireTime: renews && before.acquireTime !== undefined ? before.acquireTime : toMicroTime(now),
    renewTime: toMicroTime(now),
    leaseTransitions: (before?.leaseTransitions ?? 0) + (before === undefined || renews ? 0 : 1),
  };
}

/** The lease as we give it back: free, so that the next one need not wait. */
export const releasedLease = (before: LeaseSpec, now: Instant): LeaseSpec => ({
  holderIdentity: '',
  leaseDurationSeconds: 1,
  acquireTime: toMicroTime(now),
  renewTime: toMicroTime(now),
  leaseTransitions: before.leaseTransitions ?? 0,
});
