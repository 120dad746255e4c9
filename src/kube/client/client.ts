import type { Draft, KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { WatchLine } from './transport.ts';

/** Typed access to any kind. Every failure is an ApiError (the server said no) or an Unavailable PlatformError (the outcome is unknown). */
export interface KubeClient {
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: GetOptions): Promise<T>;
  /** Reads all pages. */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<ObjectList<T>>;
  create<T extends KubeObject>(resource: Resource<T>, object: Draft<T>, options?: WriteOptions): Promise<T>;
  /** Replaces the object; `metadata.resourceVersion`, when set, must be the current one. */
  update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;
  updateStatus<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  patchStatus<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Resolves when the server accepted the deletion; finalizers may still hold the object. */
  delete(resource: Resource, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /** A named subresource other than status: `token`, `eviction` and `binding` are created, others (`scale`) replaced. */
  subresource(resource: Resource, key: ObjectKey, write: SubresourceWrite, options?: WriteOptions): Promise<unknown>;
  /** The last lines of what a container of a pod wrote. */
  log(pod: ObjectKey, options: LogOptions): Promise<string>;
  /** Starts a watch; throws ApiError when the server refuses it. The last line may be an ERROR. */
  watch(resource: Resource, options: WatchOptions, signal: AbortSignal): Promise<AsyncIterable<readonly WatchLine[]>>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface GetOptions extends CallOptions {
  /** Reads no more than the metadata; apiVersion and kind are the resource's own all the same. */
  readonly metadataOnly?: boolean;
}

export interface LogOptions extends CallOptions {
  readonly container: string;
  /** Of the run before the present one. */
  readonly previous?: boolean;
  readonly tailLines: number;
  readonly limitBytes: number;
}

export interface ListOptions extends GetOptions {
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects per page; 500 when absent. */
  readonly pageSize?: number;
  /** '0' accepts any version the server has at hand. */
  readonly resourceVersion?: string;
  /** Applied to each object as its page arrives, so that what is not kept never piles up. */
  readonly trim?: (object: KubeObject) => KubeObject;
}

export interface WatchOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion: string;
  /** Lines carry PartialObjectMetadata. */
  readonly metadataOnly?: boolean;
  /** When the server should end the watch. */
  readonly timeoutSeconds?: number;
}

export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
}

/** What is written to a subresource. */
export interface SubresourceWrite {
  readonly name: string;
  readonly body: unknown;
}

export interface DeleteOptions extends CallOptions {
  /** Refuses (Conflict) when the object is another one than we meant. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

/** A list with the version it was read at. */
export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** One change in one of the three forms that Kubernetes takes. */
export type Patch =
  | { readonly type: 'merge'; readonly body: object }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] }
  | { readonly type: 'strategic'; readonly body: object };

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}
