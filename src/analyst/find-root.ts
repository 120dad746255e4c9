import { Job, Pod, ReplicaSet, resourceOfKind } from '../api/builtin/index.ts';
import type { KubeObject } from '../api/meta.ts';
import type { Resource } from '../api/resource.ts';
import { ownerChain, type Fetch } from '../kube/objects/owner-chain.ts';
import type { Read } from '../kube/client/read.ts';
import type { Target } from './evidence.ts';

/** The final owner of a target: itself, if it has none. `unreadable` if any owner on the way cannot be read. */
export type Root = Read<Target>;

/** The kinds that other objects create and recreate: a fault of one of them is a fault of its owner. */
const OWNED_KINDS: readonly (Resource | undefined)[] = [Pod, ReplicaSet, Job];

/**
 * Follows owner references from a target to the resource that stays: from a Pod over its ReplicaSet to its Deployment. History is kept, and
 * the spec is compared, under that one. A Node owns its static pods, and is no root: what is wrong with one of them is not wrong with it.
 */
export async function findRoot(target: Target, fetch: Fetch): Promise<Root> {
  const resource = resourceOfKind(target.kind, target.apiVersion);
  if (!resource || !OWNED_KINDS.includes(resource)) return { kind: 'value', value: target };
  const start = await fetch(resource, { namespace: target.namespace ?? '', name: target.name });
  if (start.kind !== 'value') return start;
  const owner = await topOwner(start.value, fetch);
  return owner.kind === 'absent' ? { kind: 'value', value: target } : owner;
}

/** The final owner of an object; absent if it has none. */
export async function topOwner(object: KubeObject, fetch: Fetch): Promise<Read<Target>> {
  const { owners, reason } = await ownerChain(object, fetch);
  if (reason !== undefined) return { kind: 'unreadable', reason };
  const root = owners.filter(({ metadata }) => metadata.namespace === object.metadata.namespace).at(-1);
  return root ? { kind: 'value', value: targetOf(root) } : { kind: 'absent' };
}

const targetOf = ({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): Target => ({
  apiVersion,
  kind,
  name,
  ...(namespace !== undefined && { namespace }),
});
