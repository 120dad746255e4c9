import type { Kind } from '../kinds/kind.ts';
import { draftOf, type Stored, type Work } from '../object.ts';
import { removeObject } from '../routes/remove.ts';
import { isFullyFinalized } from '../routes/save-update.ts';
import { keyIn, type Server } from '../server.ts';

/** An object that a collector processes. */
export interface CollectedObject {
  readonly kind: Kind;
  readonly object: Stored;
}

/** The name of an object in a collector's log. */
export const objectName = ({ kind, object }: CollectedObject): string =>
  `${kind.kind} ${keyIn(object.metadata.namespace, object.metadata.name)}`;

/** Deletes an object the way a collector does. */
export function deleteFound(server: Server, { kind, object }: CollectedObject, propagation: 'Background' | 'Foreground' | 'Orphan'): void {
  const { uid } = object.metadata;
  removeObject(server, kind, {
    old: object,
    options: { dryRun: false, propagation, gracePeriodSeconds: undefined, uid, resourceVersion: undefined },
  });
}

/** Writes a change of metadata; deletes the object when it was terminating and its last finalizer is gone. */
export function rewrite(server: Server, { kind, object }: CollectedObject, change: (draft: Work) => void): void {
  const draft = draftOf(object);
  change(draft);
  const table = server.store.table(kind.table);
  const key = keyIn(object.metadata.namespace, object.metadata.name);
  if (isFullyFinalized(draft)) server.store.commit({ table, key, object: undefined }, object);
  else server.store.commit({ table, key, object: kind.toStored(draft) });
}

/** Removes one finalizer. */
export function dropFinalizer(server: Server, found: CollectedObject, finalizer: string): void {
  rewrite(server, found, ({ metadata }) => {
    const left = (metadata.finalizers ?? []).filter((other) => other !== finalizer);
    if (left.length > 0) metadata.finalizers = left;
    else delete metadata.finalizers;
  });
}
