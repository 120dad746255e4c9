import type { OwnerReference } from '../../kube/meta.ts';
import { keyIn, type Server } from '../server.ts';
import { deleteFound, objectName, rewrite, type CollectedObject } from './collector-writes.ts';
import { dependentsOf } from './collect-owner.ts';
import type { OwnerGraph } from './owner-graph.ts';

/** The state of an owner: it exists, it is deleted, or it waits for its dependents to be deleted. */
type OwnerState = 'exists' | 'absent' | 'waiting';

/** Deletes an object none of whose owners remains; removes only the references to deleted owners where others remain. */
export function collectDependent(server: Server, graph: OwnerGraph, found: CollectedObject): string | undefined {
  const { metadata } = found.object;
  const owners = metadata.ownerReferences ?? [];
  if (owners.length === 0 || metadata.deletionTimestamp !== undefined) return undefined;
  const states = owners.map((owner) => ownerState(server, found, owner));
  if (states.every((state) => state === 'exists')) return undefined;
  if (states.includes('exists')) return keepExistingOwners(server, found, states);
  // Where an owner waits for this object, the object's own dependents are deleted before it, too.
  const foreground = states.includes('waiting') && dependentsOf(server, graph, metadata.uid).length > 0;
  deleteFound(server, found, foreground ? 'Foreground' : policyOf(found));
  return `deleted ${objectName(found)}`;
}

function keepExistingOwners(server: Server, found: CollectedObject, states: readonly OwnerState[]): string {
  rewrite(server, found, ({ metadata }) => {
    metadata.ownerReferences = (metadata.ownerReferences ?? []).filter((_, i) => states[i] === 'exists');
  });
  return `took absent owners off ${objectName(found)}`;
}

function policyOf({ object }: CollectedObject): 'Background' | 'Foreground' | 'Orphan' {
  if (object.metadata.finalizers?.includes('orphan')) return 'Orphan';
  return object.metadata.finalizers?.includes('foregroundDeletion') ? 'Foreground' : 'Background';
}

/** An owner of a kind that is not served, or in an impossible namespace, counts as existing: it is unknown whether it is deleted. */
function ownerState(server: Server, { object }: CollectedObject, owner: OwnerReference): OwnerState {
  const kind = server.registry.named(owner.apiVersion, owner.kind);
  const { namespace } = object.metadata;
  if (!kind || (kind.namespaced && namespace === undefined)) return 'exists';
  const key = keyIn(kind.namespaced ? namespace : undefined, owner.name);
  const stored = server.store.latest(server.store.table(kind.table), key);
  if (!stored || stored.metadata.uid !== owner.uid) return 'absent';
  const waits = stored.metadata.deletionTimestamp !== undefined && stored.metadata.finalizers?.includes('foregroundDeletion');
  return waits ? 'waiting' : 'exists';
}
