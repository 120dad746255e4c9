import type { Server } from '../server.ts';
import { dropFinalizer, objectName, rewrite, type CollectedObject } from './collector-writes.ts';
import type { OwnerGraph } from './owner-graph.ts';

/** Does what the deletion of an owner waits for: orphans its dependents, or waits until the blocking ones are deleted. */
export function collectOwner(server: Server, graph: OwnerGraph, found: CollectedObject): string | undefined {
  const { metadata } = found.object;
  if (metadata.deletionTimestamp === undefined) return undefined;
  if (metadata.finalizers?.includes('orphan')) return orphan(server, graph, found);
  if (metadata.finalizers?.includes('foregroundDeletion')) return finishForeground(server, graph, found);
  return undefined;
}

function orphan(server: Server, graph: OwnerGraph, found: CollectedObject): string {
  const { uid } = found.object.metadata;
  const [dependent] = dependentsOf(server, graph, uid);
  if (!dependent) {
    dropFinalizer(server, found, 'orphan');
    return `orphaned the dependents of ${objectName(found)}`;
  }
  rewrite(server, dependent, ({ metadata }) => {
    const left = (metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid);
    if (left.length > 0) metadata.ownerReferences = left;
    else delete metadata.ownerReferences;
  });
  return `released ${objectName(dependent)}`;
}

function finishForeground(server: Server, graph: OwnerGraph, found: CollectedObject): string | undefined {
  const { uid } = found.object.metadata;
  const blocking = dependentsOf(server, graph, uid).some(({ object }) =>
    object.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
  );
  if (blocking) return undefined;
  dropFinalizer(server, found, 'foregroundDeletion');
  return `finalized ${objectName(found)}`;
}

/** The objects that name a UID as their owner, as they are now. */
export function dependentsOf(server: Server, graph: OwnerGraph, uid: string): readonly CollectedObject[] {
  return graph.dependents(uid).flatMap(({ table, key }) => {
    const stored = server.store.latest(server.store.table(table), key);
    const kind = stored && server.registry.named(stored.apiVersion, stored.kind);
    return kind && stored.metadata.ownerReferences?.some((owner) => owner.uid === uid) ? [{ kind, object: kind.read(stored) }] : [];
  });
}
