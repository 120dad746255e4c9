import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { controllerOf, isOwnedBy } from '../../../kube/objects/owner-references.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';

/** What has the name of a request's child. */
export type Child<T> =
  /** Not known: wait. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** Nothing has that name, and nothing is on record. */
  | { readonly kind: 'none' }
  | { readonly kind: 'ours'; readonly object: T }
  /** The child on record is gone, whatever has its name now. */
  | { readonly kind: 'lost' }
  /** Of an earlier request of the same name: the garbage collector is about to take it away. */
  | { readonly kind: 'leftOver' }
  /** Somebody else's: it is neither used nor touched. */
  | { readonly kind: 'foreign'; readonly text: string };

interface Parent {
  readonly owner: KubeObject;
  /** UID of the child that is on record, for children that must not be created twice. */
  readonly recordedUid?: string | undefined;
}

/** Tells our child from what merely has its name. Ownership goes by UID. */
export function childOf<T extends KubeObject>(read: Read<T>, { owner, recordedUid }: Parent): Child<T> {
  if (read.kind === 'unreadable') return { kind: 'unknown', reason: read.reason };
  if (read.kind === 'absent') return recordedUid === undefined ? { kind: 'none' } : { kind: 'lost' };
  const object = read.value;
  if (recordedUid !== undefined && object.metadata.uid !== recordedUid) return { kind: 'lost' };
  if (isOwnedBy(object, owner.metadata.uid)) return { kind: 'ours', object };
  return isLeftOver(object, owner) ? { kind: 'leftOver' } : { kind: 'foreign', text: `${object.kind} ${object.metadata.name}` };
}

function isLeftOver(object: KubeObject, { kind, metadata }: KubeObject): boolean {
  const controller = controllerOf(object);
  return controller?.kind === kind && controller.name === metadata.name;
}

/**
 * Reads a child from the cache, and asks the server where the cache's word would not do: before anybody calls it lost, too late, or
 * somebody else's.
 */
export async function readChild<T extends KubeObject>(
  reader: Reader,
  child: Parent & { readonly resource: Resource<T>; readonly key: ObjectKey; readonly isLate?: boolean },
): Promise<Read<T>> {
  const cached = reader.get(child.resource, child.key);
  if (cached.kind === 'unreadable') return cached;
  const seen = childOf(cached, child);
  const isSettled = seen.kind === 'ours' || seen.kind === 'none';
  return isSettled && child.isLate !== true ? cached : reader.fetch(child.resource, child.key);
}
