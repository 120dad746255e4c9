import { keyOf, type KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { Effect } from './controller.ts';

/** Deletes exactly the object that was seen, never one that took its name since. */
export const remove = (resource: Resource, object: KubeObject): Extract<Effect, { readonly kind: 'Delete' }> => ({
  kind: 'Delete',
  resource,
  key: keyOf(object),
  uid: object.metadata.uid,
});
