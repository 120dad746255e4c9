import { Job, Pod, ReplicaSet, resourceOfKind } from '../api/builtin/index.ts';
import type { KubeObject } from '../api/meta.ts';
import type { Resource } from '../api/resource.ts';
import { ownerChain, type Fetch } from '../kube/objects/owner-chain.ts';
import type { Read } from '../kube/client/read.ts';
import type { Target } from './evidence.ts';

/** What manages a target in the end: itself, where nothing does. `unreadable` also where the way there cannot be seen to its end. */
export type Root = Read<Target>;

/** The kinds that others make and make anew: what is wrong with one of them is wrong with what makes it. */
const MADE_BY_OTHERS: readonly (Resource | undefined)[] = [Pod, ReplicaSet, Job];

/**
 * Follows owner references from a target to the resource that stays: from a Pod over its ReplicaSet to its Deployment. History is kept, and
 * the spec is compared, under that one. A Node owns its static pods, and is no root: what is wrong with one of them is not wrong with it.
 */
export async function findRoot(target: Target, fetch: Fetch): Promise<Root> {
  const resource = resourceOfKind(target.kind, target.apiVersion);
  if (!resource || !MADE_BY_OTHERS.includes(resource)) return { kind: 'value', value: target };
  const start = await fetch(resource, { namespace: target.namespace ?? '', name: target.name });
  if (start.kind !== 'value') return start;
  const owner = await topOwner(start.value, fetch);
  return owner.kind === 'absent' ? { kind: 'value', value: target } : owner;
}

/** What manages an object in the end; absent where nothing does. */
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
