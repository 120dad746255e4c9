import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { controllerOf, isOwnedBy } from '../../../kube/objects/owner-references.ts';
import { whyUnknown, type OptionalRead } from '../../../kube/client/read.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';

/** What was found under the name of a request's child. */
export type Child<T> =
  /** It could not be read, or was not read: wait. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** No object has the name, and no UID is recorded. */
  | { readonly kind: 'none' }
  | { readonly kind: 'ours'; readonly object: T }
  /** The child whose UID is recorded is gone, even if another object has its name now. */
  | { readonly kind: 'lost' }
  /** It belongs to an earlier request with the same name: the garbage collector is about to delete it. */
  | { readonly kind: 'leftOver' }
  /** It belongs to another owner: it is neither used nor changed. */
  | { readonly kind: 'foreign'; readonly text: string };

interface Parent {
  readonly owner: KubeObject;
  /** The recorded UID of the child, for children that must not be created twice. */
  readonly recordedUid?: string | undefined;
}

/** Tells a child of the request from another object with its name, by the owner's UID. */
export function childOf<T extends KubeObject>(read: OptionalRead<T>, { owner, recordedUid }: Parent): Child<T> {
  if (read.kind === 'unreadable' || read.kind === 'not-read') return { kind: 'unknown', reason: whyUnknown(read) };
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
 * Reads a child from the cache, and from the server where a stale cache must not decide: before it counts as lost, timed out or
 * foreign.
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
