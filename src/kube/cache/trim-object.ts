import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { deepFreeze } from '../../base/index.ts';
import { metadataOf } from '../client/response-status.ts';
import type { Keep } from './cache.ts';

/** How an object as served becomes the object we keep: without managedFields, no more than wanted, frozen. */
export function keeper<T extends KubeObject>(resource: Resource<T>, keep: Keep<T> = 'whole'): (object: KubeObject) => T {
  if (keep === 'whole') return (object) => deepFreeze(withoutManagedFields(object)) as T;
  if (keep === 'metadata') return (object) => deepFreeze(withoutManagedFields(metadataOf(object, resource))) as T;
  return (object) => deepFreeze(keep(withoutManagedFields(object) as T));
}

/** A copy, since what was served may be shared; and deleting the member would make V8 keep a hash table per object. */
function withoutManagedFields(object: KubeObject): KubeObject {
  if (!('managedFields' in object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata as KubeObject['metadata'] & { readonly managedFields: unknown };
  return { ...object, metadata };
}
