import { CRD_CLEANUP } from '../kinds/crd.ts';
import type { Kind } from '../kinds/kind.ts';
import { keyIn, type Server } from '../server.ts';
import { deleteFound, dropFinalizer, objectName, type CollectedObject } from './collector-writes.ts';

/** Deletes the content of a terminating namespace or CRD, one object at a time, and removes its finalizer once it is empty. */
export function collectContent(server: Server, found: CollectedObject): string | undefined {
  if (found.object.metadata.deletionTimestamp === undefined) return undefined;
  if (found.kind.table === '/namespaces') return emptyNamespace(server, found);
  if (found.kind === server.registry.crds) return emptyKind(server, found);
  return undefined;
}

function emptyNamespace(server: Server, found: CollectedObject): string | undefined {
  const { name } = found.object.metadata;
  let isEmpty = true;
  for (const kind of server.registry.resources()) {
    if (!kind.namespaced) continue;
    const did = deleteOne(server, kind, name);
    if (did !== undefined && did !== 'waits') return did;
    isEmpty &&= did === undefined;
  }
  if (!isEmpty || (found.object.metadata.finalizers ?? []).length > 0) return undefined;
  server.store.commit({ table: server.store.table('/namespaces'), key: name, object: undefined }, found.object);
  return `removed ${objectName(found)}`;
}

function emptyKind(server: Server, found: CollectedObject): string | undefined {
  if (!found.object.metadata.finalizers?.includes(CRD_CLEANUP)) return undefined;
  const { names } = found.object.spec as { readonly names: { readonly kind: string } };
  const { group } = found.object.spec as { readonly group: string };
  const kind = server.registry.named(`${group}/`, names.kind);
  const did = kind && deleteOne(server, kind, undefined);
  if (did === 'waits') return undefined;
  if (did !== undefined) return did;
  dropFinalizer(server, found, CRD_CLEANUP);
  return `finalized ${objectName(found)}`;
}

/** Deletes the first object that is not terminating already; `waits` when all are, undefined when there is none. */
function deleteOne(server: Server, kind: Kind, namespace: string | undefined): string | undefined {
  const table = server.store.table(kind.table);
  const keys = server.store.latestKeys(table, namespace);
  for (const key of keys) {
    const stored = server.store.latest(table, key);
    if (!stored || stored.metadata.deletionTimestamp !== undefined) continue;
    const found = { kind, object: kind.read(stored) };
    deleteFound(server, found, 'Background');
    return `deleted ${kind.kind} ${keyIn(stored.metadata.namespace, stored.metadata.name)}`;
  }
  return keys.some((key) => server.store.latest(table, key)) ? 'waits' : undefined;
}
