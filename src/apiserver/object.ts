import type { KubeObject } from '../kube/meta.ts';

/** An object as it is stored and served: frozen, shared, never changed. */
export type Stored = KubeObject & { readonly [field: string]: unknown };

/** An object that one request is still building; no other request has seen it. */
export interface Work {
  apiVersion: string;
  kind: string;
  metadata: WorkMeta;
  [field: string]: unknown;
}

/** Metadata, with the fields that only the server sets. managedFields are never stored. */
export interface WorkMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Readonly<Record<string, string>>;
  annotations?: Readonly<Record<string, string>>;
  finalizers?: readonly string[];
  ownerReferences?: readonly WorkOwner[];
}

export interface WorkOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Group, kind and plural: how errors name a resource. */
export interface ResourceId {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
}

/** A copy whose top level and metadata may be changed; everything below is still shared. */
export const draftOf = (object: Stored): Work => ({ ...object, metadata: { ...object.metadata } });
