import { keyOf, type KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { Effect } from './controller.ts';

/** Whether the object carries the finalizer: a deleted object then stays until the finalizer is removed. */
export const hasFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean => metadata.finalizers?.includes(finalizer) ?? false;

/** Adds the finalizer, behind the finalizers of other controllers. */
export const addFinalizer = (resource: Resource, object: KubeObject, finalizer: string): Effect =>
  writeFinalizers(resource, object, [...(object.metadata.finalizers ?? []), finalizer]);

/** Removes the finalizer and keeps the finalizers of other controllers. */
export const removeFinalizer = (resource: Resource, object: KubeObject, finalizer: string): Effect =>
  writeFinalizers(
    resource,
    object,
    (object.metadata.finalizers ?? []).filter((other) => other !== finalizer),
  );

/** The whole list is written, so only under the observed resourceVersion: another controller may change the list meanwhile. */
function writeFinalizers(resource: Resource, object: KubeObject, finalizers: readonly string[]): Effect {
  const { uid, resourceVersion } = object.metadata;
  const operations = [{ op: 'add', path: '/metadata/finalizers', value: finalizers }] as const;
  return { kind: 'Patch', resource, key: keyOf(object), uid, resourceVersion, operations };
}
