import { resourceOfKind } from '../../api/builtin/by-kind.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../api/resource.ts';
import type { Read } from '../../kube/read.ts';
import { specHash } from './spec-hash.ts';
import type { Target } from './target-text.ts';

/** A target as it was when it was analysed. */
export type PinnedTarget = NonNullable<NonNullable<RemediationRequest['status']>['remediationTarget']>;

/** Whether the target is still the one that was analysed. */
export type Freshness =
  { readonly kind: 'same' } | { readonly kind: 'unknown'; readonly reason: string } | { readonly kind: 'stale'; readonly why: string };

/** A plan holds for exactly the object and the spec that were analysed. */
export function freshness(planned: PinnedTarget, target: Read<KubeObject>): Freshness {
  if (!targetAddress(planned)) return { kind: 'stale', why: `is of the kind ${planned.kind}, which cannot be read back` };
  if (target.kind === 'unreadable') return { kind: 'unknown', reason: target.reason };
  if (target.kind === 'absent') return { kind: 'stale', why: 'no longer exists' };
  const { metadata } = target.value;
  if (metadata.deletionTimestamp !== undefined) return { kind: 'stale', why: 'is being deleted' };
  if (metadata.uid !== planned.uid) return { kind: 'stale', why: 'was replaced by another of the same name since it was analysed' };
  if (specHash(target.value) !== planned.specHash) return { kind: 'stale', why: 'was changed since it was analysed' };
  return { kind: 'same' };
}

/** Where a target is read; undefined when its kind is not one that we know. */
export function targetAddress(target: Target): { readonly resource: Resource; readonly key: ObjectKey } | undefined {
  const resource = resourceOfKind(target.kind, target.apiVersion);
  return resource && { resource, key: { namespace: resource.namespaced ? (target.namespace ?? '') : '', name: target.name } };
}

/** Asks the server for a target. */
export async function readTarget(
  reader: { fetch(resource: Resource, key: ObjectKey): Promise<Read<KubeObject>> },
  target: Target,
): Promise<Read<KubeObject>> {
  const address = targetAddress(target);
  return address
    ? reader.fetch(address.resource, address.key)
    : { kind: 'unreadable', reason: `${target.kind} is not a kind that can be read` };
}
