import type { KubeObject, ObjectReference, OwnerReference } from '../../api/meta.ts';

export interface OwnerReferenceOptions {
  /** The owner manages the object; an object has at most one such owner. */
  readonly controller: boolean;
  /** Foreground deletion of the owner waits for the object. Needs the right to update the owner's finalizers. */
  readonly blockOwnerDeletion: boolean;
}

/** The reference that makes `owner` an owner of another object in its namespace. */
export const ownerReference = (owner: KubeObject, options: OwnerReferenceOptions): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  controller: options.controller,
  blockOwnerDeletion: options.blockOwnerDeletion,
});

/** The owner that manages the object. */
export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find((reference) => reference.controller === true);

/** By UID, never by name: names come back after a deletion. */
export const isOwnedBy = (object: KubeObject, uid: string): boolean =>
  object.metadata.ownerReferences?.some((reference) => reference.uid === uid) === true;

/** The full reference to an object that exists. */
export const referenceTo = ({
  apiVersion,
  kind,
  metadata,
}: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string };
}): ObjectReference => ({ apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid });
