import type { KubeObject } from '../api/meta.ts';
import { CronJob, DaemonSet, Deployment, Job, Pod, ReplicaSet, StatefulSet } from '../api/builtin/index.ts';
import { apiVersionOf, type Resource } from '../api/resource.ts';
import { ask, ownerChain, type Fetch, type KubeClient, type Read } from '../kube/index.ts';
import type { Place } from '../api/remediation-request/fingerprint.ts';
import type { NamedObject, Signal } from './signal.ts';

/** What a remediation is to be about. */
export interface Target extends Place {
  readonly apiVersion: string;
  /** Its metadata; undefined when there is no such resource. */
  readonly object: KubeObject | undefined;
}

/** Reads metadata only, owners and labels, and each object once: alerts of one webhook often share their targets. */
export function metadataFetch(client: KubeClient): Fetch {
  const found = new Map<string, Read<KubeObject>>();
  return async (resource, key) => {
    const id = `${resource.group}/${resource.plural}/${key.namespace}/${key.name}`;
    const known = found.get(id);
    if (known) return known;
    const read = await ask(() => client.get(resource, key, { metadataOnly: true }));
    // What cannot be read now may be readable for the next alert.
    if (read.kind !== 'unreadable') found.set(id, read);
    return read;
  };
}

/** What owns pods, and pods: a fault of one of them is a fault of its owner. Any other object is the target itself. */
const WORKLOADS: readonly Resource[] = [Pod, ReplicaSet, Job, CronJob, Deployment, StatefulSet, DaemonSet];

/** The top owner of what a signal is about; the object as the signal names it where it does not exist. What cannot be read is not absent. */
export async function findTarget(
  { about }: Pick<Signal, 'about'>,
  fetch: Fetch,
): Promise<Exclude<Read<Target>, { readonly kind: 'absent' }>> {
  const { resource, key } = about;
  const read = await fetch(resource, key);
  if (read.kind === 'unreadable') return { kind: 'unreadable', reason: `${nameOf(about)}: ${read.reason}` };
  if (read.kind === 'absent')
    return { kind: 'value', value: { kind: resource.kind, ...key, apiVersion: apiVersionOf(resource), object: undefined } };
  return WORKLOADS.includes(resource) ? topOwner(read.value, fetch) : { kind: 'value', value: asTarget(read.value) };
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
  return { kind: 'value', value: asTarget([start, ...owners.filter(sharesNamespace(start))].at(-1) ?? start) };
}

const asTarget = ({ apiVersion, kind, metadata }: KubeObject): Target => ({
  apiVersion,
  kind,
  name: metadata.name,
  namespace: metadata.namespace ?? '',
  object: { apiVersion, kind, metadata },
});

const sharesNamespace =
  (start: KubeObject) =>
  ({ metadata }: KubeObject): boolean =>
    metadata.namespace === start.metadata.namespace;

const nameOf = ({ resource, key }: NamedObject): string => [key.namespace, resource.kind, key.name].filter(Boolean).join('/');
