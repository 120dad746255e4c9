import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { KubeClient } from '../client/client.ts';

/** Local copies of the kinds we follow, kept fresh by one watch per kind. Objects are frozen and shared: never copy to read. */
export interface Cache {
  /**
   * Follows a kind. Asking twice for the same resource and selector gives the same store, with the indexes of both; they must then
   * agree on what is kept, on whether the kind may be missing, and on what an index of one name means.
   */
  store<T extends KubeObject>(wanted: StoreOptions<T>): Store<T>;
  /** Lists and watches until the signal aborts; failures back off and go on. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when every store has been listed once, or was found unreadable. */
  synced(signal: AbortSignal): Promise<void>;
  /** A client whose writes are remembered, so that `isBehind` can tell. Everything that writes what the cache holds uses it. */
  readonly client: KubeClient;
}

export interface StoreOptions<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly namespace?: string;
  readonly labelSelector?: string;
  /** How much of each object is kept: all of it when absent; see DESIGN's table of what is cached. */
  readonly keep?: Keep<T>;
  /** The kind may not be installed: as long as the server does not serve it there are no objects of it, and that is no failure. */
  readonly isOptional?: boolean;
  /** Named look-ups: an object is found under each of the values returned. */
  readonly indexes?: Readonly<Record<string, (object: T) => readonly string[]>>;
}

/** `metadata` asks the server for metadata only; a function trims what was served. */
export type Keep<T extends KubeObject> = 'whole' | 'metadata' | ((object: T) => T);

export interface Store<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly size: number;
  get(key: ObjectKey): T | undefined;
  /** In key order, so that iteration is the same in every run. */
  list(by?: IndexQuery): readonly T[];
  /**
   * True until the watch has shown us the outcome of our own last write to this object, one still in flight included:
   * acting now would be acting on the past.
   */
  isBehind(key: ObjectKey): boolean;
  /**
   * The same for a whole list: true while any of our writes that would show in it (as it was written, or as it is still stored)
   * has not come back by watch. This is how a list tells that an object we created is missing from it.
   */
  isListBehind(by?: IndexQuery): boolean;
  /** Why the kind cannot be read (403, no such kind), while that lasts. */
  readonly unreadable: string | undefined;
  /** The server does not serve the kind, which may be so (`isOptional`): that an object is absent then says more than that it does not exist. */
  readonly isKindUnknown: boolean;
  /** Tells of every change after it is in the store, and of each object when a relist finds it changed. Returns how to stop. */
  onChange(listener: (change: Change<T>) => void): () => void;
  /** Tells that it has become known how one of our own writes ended: what was behind may no longer be. Returns how to stop. */
  onSettled(listener: () => void): () => void;
}

export interface IndexQuery {
  readonly index: string;
  readonly value: string;
}

/** An object of the same name but another UID comes as `gone` and then `put`. */
export type Change<T extends KubeObject> =
  { readonly kind: 'put'; readonly object: T; readonly before: T | undefined } | { readonly kind: 'gone'; readonly object: T };
