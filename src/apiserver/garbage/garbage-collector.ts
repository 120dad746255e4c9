import type { Kind } from '../kinds/kind.ts';
import type { Stored } from '../object.ts';
import type { Server } from '../server.ts';
import type { StoredChange, Table } from '../store/table.ts';
import { collectContent } from './collect-content.ts';
import { collectDependent } from './collect-dependent.ts';
import { collectOwner } from './collect-owner.ts';
import { OwnerGraph, type Ref } from './owner-graph.ts';

/** The result of one step of garbage collection. */
export interface GarbageStep {
  /** What was done, for a log; undefined when there was nothing to do. */
  readonly did: string | undefined;
  readonly more: boolean;
}

/**
 * What a cluster's controllers do about deletions: dependents of deleted owners, owners that wait for
 * their dependents, and the content of deleted namespaces and CRDs. Each step writes at most one object.
 */
export interface GarbageCollector {
  /** Whether a step may have work to do. */
  hasWork(): boolean;
  step(): GarbageStep;
}

/** Follows the store, starting with the objects in it. */
export function createGarbageCollector(server: Server): GarbageCollector {
  const graph = new OwnerGraph();
  /** Objects to process, oldest first; processing one without need does no harm. */
  const queue = new Map<string, Ref>();
  const enqueue = (ref: Ref): void => {
    queue.set(`${ref.table} ${ref.key}`, ref);
  };
  const notice = (table: Table, change: StoredChange): void => {
    graph.follow(table.id, change);
    for (const ref of concerned(server, graph, { table, change })) enqueue(ref);
  };
  for (const table of server.store.tables) {
    for (const key of table.keys()) notice(table, { revision: 0, key, before: undefined, after: table.get(key) });
  }
  server.store.onChange(notice);
  const step = (): GarbageStep => {
    for (const [id, ref] of queue) {
      queue.delete(id);
      const did = lookAt(server, graph, ref);
      if (did === undefined) continue;
      enqueue(ref);
      return { did, more: true };
    }
    return { did: undefined, more: false };
  };
  return { hasWork: () => queue.size > 0, step };
}

/** The objects that a change concerns: the object itself, its dependents, and objects that wait for its deletion. */
function* concerned(
  server: Server,
  graph: OwnerGraph,
  { table, change }: { readonly table: Table; readonly change: StoredChange },
): Iterable<Ref> {
  const { before, after, key } = change;
  if (after && needsALook(before, after)) yield { table: table.id, key };
  // The deletion of an owner concerns its dependents.
  if (before && !isGoing(before) && (!after || isGoing(after))) yield* graph.dependents(before.metadata.uid);
  if (before && !after) {
    yield* graph.dependents(before.metadata.uid);
    yield* containers(server, table, before);
  }
  if (before) yield* ownersOf(graph, before);
}

const isGoing = (object: Stored): boolean => object.metadata.deletionTimestamp !== undefined;

const needsALook = (before: Stored | undefined, after: Stored): boolean => {
  const owners = after.metadata.ownerReferences;
  return isGoing(after) || (owners !== undefined && owners !== before?.metadata.ownerReferences);
};

const ownersOf = (graph: OwnerGraph, object: Stored): readonly Ref[] =>
  (object.metadata.ownerReferences ?? []).map(({ uid }) => graph.placeOf(uid)).filter((place) => place !== undefined);

/** The namespace and the CRD that may wait for the deletion of their last object. */
function* containers(server: Server, table: Table, gone: Stored): Iterable<Ref> {
  const { namespace } = gone.metadata;
  if (namespace !== undefined && server.store.table('/namespaces').get(namespace)?.metadata.deletionTimestamp !== undefined) {
    yield { table: '/namespaces', key: namespace };
  }
  const [group, plural] = table.id.split('/');
  const crd = `${plural}.${group}`;
  const { crds } = server.registry;
  if (server.store.table(crds.table).get(crd)?.metadata.deletionTimestamp !== undefined) yield { table: crds.table, key: crd };
}

/** Takes the next due action for one object; undefined when none is due. */
function lookAt(server: Server, graph: OwnerGraph, ref: Ref): string | undefined {
  const table = server.store.table(ref.table);
  const stored = server.store.latest(table, ref.key);
  const kind = stored && kindOf(server, ref.table);
  if (!stored || !kind) return undefined;
  // Waits until all earlier writes can be seen, such as an object just created in the namespace; the object is queued again.
  if (isGoing(stored) && !isGoing(table.get(ref.key) ?? stored)) return undefined;
  const object = kind.read(stored);
  const found = { kind, object };
  return collectContent(server, found) ?? collectOwner(server, graph, found) ?? collectDependent(server, graph, found);
}

/** A kind of the table, in whichever version comes first. */
function kindOf(server: Server, table: string): Kind | undefined {
  for (const kind of server.registry.resources()) if (kind.table === table) return kind;
  return undefined;
}
