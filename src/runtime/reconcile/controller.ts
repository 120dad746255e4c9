import type { Draft, KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { Instant } from '../../base/index.ts';
import type { IndexQuery, StoreOptions } from '../../kube/cache/cache.ts';
import type { JsonPatchOperation, LogOptions } from '../../kube/client/client.ts';
import type { Listed, Read } from '../../kube/client/read.ts';

export type { Listed, Read };

/**
 * One controller: what it watches, what it reads, what it decides. The shell in `reconcile-once.ts` does the rest.
 *
 *   key ──observe──▶ Observed ──decide(now)──▶ Decision ──shell──▶ status write, then effects, then the next wake-up
 */
export interface Controller<Observed extends Subject = Subject> {
  readonly name: string;
  /** The kind whose keys go through the queue and whose status the decision writes. */
  readonly primary: Resource;
  readonly watches: readonly Watch[];
  /** Passes at a time, where the loop is told nothing else. */
  readonly workers?: number;
  /** Changes wake a key at most so often; what comes in between is seen by the next pass. As often as they come when absent. */
  readonly atMostEveryMs?: number;
  /** Changes that can wait wake this key at most so often; like all others where undefined. */
  patienceMs?(key: ObjectKey, listed: RelatedObjects): number | undefined;
  /** What wakes it beside its watches, from beyond this API. Called for each run of the workers; returns how to stop. */
  wokenBy?(wake: (key: ObjectKey, canWait?: boolean) => void, related: Related, listed: RelatedObjects): () => void;
  /**
   * The only reads. Undefined when the object is gone. `now` is the moment that `decide` will be told: a verdict that time alone brings
   * and that cannot be undone is based on a live read, not on the cache.
   */
  observe(key: ObjectKey, reader: Reader, now: Instant): Promise<Observed | undefined> | Observed | undefined;
  /** Synchronous, total, pure. */
  decide(observed: Observed, now: Instant): Decision;
}

/** What every observation holds at least: the object that the decision is about. */
export interface Subject {
  readonly object: KubeObject & { readonly status?: unknown };
}

/** Objects of this kind are cached and wake the keys that `keys` names. */
export interface Watch<T extends KubeObject = KubeObject> extends StoreOptions<T> {
  keys(object: T, related: Related, listed: RelatedObjects): readonly ObjectKey[];
  /** Whether a change from one to the other can matter to what `keys` names; every change does when absent. The object itself is always looked at. */
  concerns?(before: T, after: T): boolean;
  /** Whether a change from one to the other can wait for the spacing that the controller sets; none can when absent. */
  canWait?(before: T, after: T): boolean;
}

/** Keys of cached objects, by an index: who waits for the object that changed. The kind must be among the controller's watches. */
export type Related = (resource: Resource, by: IndexQuery) => readonly ObjectKey[];

/** The same, whole: for who waits only for some of what has an index in common. */
export type RelatedObjects = <T extends KubeObject>(resource: Resource<T>, by: IndexQuery) => readonly T[];

/** What one pass may read. A read that failed is not an absence. */
export interface Reader {
  /** From the cache: the kind must be among the controller's watches. */
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Read<T>;
  /** From the cache, by an index of the watch; all objects when no index is named. */
  list<T extends KubeObject>(resource: Resource<T>, by?: IndexQuery): Listed<T>;
  /** From the server, for what is never cached; `metadataOnly` where the content is not to travel, as of a Secret. */
  fetch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: { readonly metadataOnly?: boolean }): Promise<Read<T>>;
  fetchList<T extends KubeObject>(
    resource: Resource<T>,
    options: { readonly namespace?: string; readonly labelSelector?: string; readonly fieldSelector?: string },
  ): Promise<Listed<T>>;
  /** What a container of a pod wrote last, from the server. Absent where the reader cannot read logs. */
  fetchLog?(pod: ObjectKey, options: ContainerLogOptions): Promise<Read<string>>;
}

/** Which lines of a log. */
export type ContainerLogOptions = Omit<LogOptions, 'signal'>;

/** What is to be, as data: it can be asserted, explained and replayed. */
export interface Decision {
  /** The whole status; written only when it differs from the observed one. Undefined leaves it alone. */
  readonly status?: unknown;
  /** Follow from what exists, never from the edge of a transition; performed in order after the status is written. */
  readonly effects: readonly Effect[];
  /**
   * Set where effects on objects of different names have nothing to do with one another: only those of one name, or of one series, are performed
   * in order then, and many names at a time. What changes no object and is of no series comes last.
   */
  readonly isSplitByName?: true;
  /** When to look again if nothing happens before. Every state that is not final has one. */
  readonly wakeAt?: Instant;
}

/** One idempotent change to the world, and with which others it is performed in order, where a decision is split, if not with those of its name. */
export type Effect = Change & { readonly series?: string };

type Change =
  /** Creates the object unless one of its name exists; what exists is never overwritten. */
  | { readonly kind: 'Create'; readonly resource: Resource; readonly object: Draft }
  /** Changes an object that must still be the one observed (UID and, when given, resourceVersion). */
  | {
      readonly kind: 'Patch';
      readonly resource: Resource;
      readonly key: ObjectKey;
      readonly uid: string;
      readonly resourceVersion?: string;
      readonly operations: readonly JsonPatchOperation[];
      /** Through the status: what is written there is no new wish, so the generation stays. */
      readonly subresource?: 'status';
    }
  /** Writes the status of another object than the subject, under its observed resourceVersion. */
  | {
      readonly kind: 'PatchStatus';
      readonly resource: Resource;
      readonly key: ObjectKey;
      readonly resourceVersion: string;
      readonly status: unknown;
    }
  /** Deletes the object that was observed, never one that took its name since; where a version is given, only while it is as it was seen. */
  | {
      readonly kind: 'Delete';
      readonly resource: Resource;
      readonly key: ObjectKey;
      readonly uid: string;
      readonly resourceVersion?: string;
    }
  /** Tells people: an Event on the subject, aggregated when it repeats. */
  | { readonly kind: 'Event'; readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }
  /** Anything beyond the API: `key` makes the call idempotent; `run` names a handler that the wiring registered. */
  | { readonly kind: 'Call'; readonly run: string; readonly key: string; readonly input: unknown };
