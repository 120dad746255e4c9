import { resourceOfKind } from '../builtin/by-kind.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { controllerOf } from './owner-references.ts';
import type { Read } from '../client/read.ts';

/** Reads one object, from wherever the caller likes. */
export type Fetch = (resource: Resource, key: ObjectKey) => Promise<Read<KubeObject>>;

/** What manages an object, nearest first; `reason` says why the walk ended before the top, if it did. */
export interface OwnerChain {
  readonly owners: readonly KubeObject[];
  readonly reason?: string;
}

/** Deeper than any built-in kind goes: a Pod of a CronJob has two owners. */
const DEEPEST = 5;

/** Walks from an object to what manages it, and on to what manages that. An owner of an unknown kind ends the walk: the last known one is the top. */
export async function ownerChain(start: KubeObject, fetch: Fetch): Promise<OwnerChain> {
  const owners: KubeObject[] = [];
  let from = start;
  while (owners.length < DEEPEST) {
    const reference = controllerOf(from);
    const resource = reference && resourceOfKind(reference.kind, reference.apiVersion);
    if (!resource) return { owners };
    const namespace = resource.namespaced ? (start.metadata.namespace ?? '') : '';
    const read = await fetch(resource, { namespace, name: reference.name });
    if (read.kind !== 'value') return { owners, reason: `${reference.kind} ${reference.name}: ${reasonOf(read)}` };
    // Another object has taken the name since: the owner that is meant is gone.
    if (read.value.metadata.uid !== reference.uid) return { owners, reason: `${reference.kind} ${reference.name}: another one now` };
    owners.push(read.value);
    from = read.value;
  }
  return { owners };
}

const reasonOf = (read: Exclude<Read<KubeObject>, { readonly kind: 'value' }>): string => (read.kind === 'absent' ? 'gone' : read.reason);
