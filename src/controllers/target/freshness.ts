import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { whyUnknown, type OptionalRead } from '../../kube/client/read.ts';
import { fingerprint, type SeenTarget } from './fingerprint.ts';
import { targetAddress } from './read-target.ts';

/** A target as it was when it was analysed. */
export type PinnedTarget = NonNullable<NonNullable<RemediationRequest['status']>['remediationTarget']>;

/** Whether the target is still the one that was analysed. */
export type Freshness =
  { readonly kind: 'same' } | { readonly kind: 'unknown'; readonly reason: string } | { readonly kind: 'stale'; readonly why: string };

/**
 * A plan holds for exactly the object, the spec and the ConfigMaps that were analysed. What cannot be read now is waited for; what was not
 * known when the plan was made never will be, and is analysed again.
 */
export function freshness(planned: PinnedTarget, target: OptionalRead<SeenTarget>): Freshness {
  if (!targetAddress(planned)) return stale(`is of the kind ${planned.kind}, which cannot be read back`);
  if (target.kind === 'unreadable' || target.kind === 'not-read') return { kind: 'unknown', reason: whyUnknown(target) };
  if (target.kind === 'absent') return stale('no longer exists');
  const { metadata } = target.value;
  if (metadata.deletionTimestamp !== undefined) return stale('is being deleted');
  if (metadata.uid !== planned.uid) return stale('was replaced by another of the same name since it was analysed');
  return planned.specHash === undefined ? stale('was not seen whole when it was analysed') : unlessChanged(planned.specHash, target.value);
}

function unlessChanged(analysed: string, target: SeenTarget): Freshness {
  const current = fingerprint(target);
  if (!current.isComplete) return { kind: 'unknown', reason: current.reason };
  return current.specHash === analysed ? { kind: 'same' } : stale('was changed since it was analysed');
}

const stale = (why: string): Freshness => ({ kind: 'stale', why });
