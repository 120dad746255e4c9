import type { KubeObject, ObjectKey } from '../api/meta.ts';
import { controllerOf } from '../kube/objects/owner-references.ts';
import type { IndexQuery } from '../kube/cache/cache.ts';

/** The index that finds objects by the UID of what manages them. */
export const CONTROLLER_INDEX = { controller: (object: KubeObject): readonly string[] => ownerUid(object) };

/** What the object of this UID manages, in the index above. */
export const controlledBy = (uid: string): IndexQuery => ({ index: 'controller', value: uid });

/** Wakes the owner of the given kind when something that it manages changes. */
export const controllerKeys =
  (kind: string) =>
  (object: KubeObject): readonly ObjectKey[] => {
    const owner = controllerOf(object);
    return owner?.kind === kind ? [{ namespace: object.metadata.namespace ?? '', name: owner.name }] : [];
  };

const ownerUid = (object: KubeObject): readonly string[] => {
  const owner = controllerOf(object);
  return owner ? [owner.uid] : [];
};
