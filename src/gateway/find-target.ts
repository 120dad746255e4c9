import type { KubeObject } from '../api/meta.ts';
import { apiVersionOf } from '../api/resource.ts';
import { ask, ownerChain, type Fetch, type KubeClient, type Read } from '../kube/index.ts';
import type { Place } from '../api/remediation-request/fingerprint.ts';
import type { Candidate, Signal } from './signal.ts';

/** What a remediation is to be about. */
export interface Target extends Place {
  readonly apiVersion: string;
  /** Its metadata; undefined when there is no such resource. */
  readonly object: KubeObject | undefined;
}

/** Reads metadata only: owners and labels. */
export const metadataFetch =
  (client: KubeClient): Fetch =>
  (resource, key) =>
    ask(() => client.get(resource, key, { metadataOnly: true }));

/**
 * The top owner of the first candidate that exists; where none does, the first as the signal names it. One that cannot be read ends the
 * search: treated as absent it would make another resource the target.
 */
export async function findTarget(signal: Signal, fetch: Fetch): Promise<Exclude<Read<Target>, { readonly kind: 'absent' }>> {
  for (const candidate of signal.candidates) {
    const read = await fetch(candidate.resource, candidate.key);
    if (read.kind === 'unreadable') return { kind: 'unreadable', reason: `${nameOf(candidate)}: ${read.reason}` };
    if (read.kind === 'value') return topOwner(read.value, fetch);
  }
  const [{ resource, key }] = signal.candidates;
  return { kind: 'value', value: { kind: resource.kind, ...key, apiVersion: apiVersionOf(resource), object: undefined } };
}

async function topOwner(start: KubeObject, fetch: Fetch): Promise<Exclude<Read<Target>, { readonly kind: 'absent' }>> {
  let unreadable: string | undefined;
  const noting: Fetch = async (resource, key) => {
    const read = await fetch(resource, key);
    if (read.kind === 'unreadable') unreadable = `${nameOf({ resource, key })}: ${read.reason}`;
    return read;
  };
  const { owners } = await ownerChain(start, noting);
  if (unreadable !== undefined) return { kind: 'unreadable', reason: unreadable };
  // A Node owns its static pods; a fault of one of them is no reason to remediate the Node.
  const { apiVersion, kind, metadata } = [start, ...owners.filter(sharesNamespace(start))].at(-1) ?? start;
  const value = { apiVersion, kind, name: metadata.name, namespace: metadata.namespace ?? '', object: { apiVersion, kind, metadata } };
  return { kind: 'value', value };
}

const sharesNamespace =
  (start: KubeObject) =>
  ({ metadata }: KubeObject): boolean =>
    metadata.namespace === start.metadata.namespace;

const nameOf = ({ resource, key }: Candidate): string => [key.namespace, resource.kind, key.name].filter(Boolean).join('/');
