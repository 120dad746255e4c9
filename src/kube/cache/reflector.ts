import type { KubeObject } from '../../api/meta.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import {
  after,
  assertNever,
  backoffDelay,
  deepFreeze,
  hasCode,
  instant,
  messageOf,
  MINUTE,
  PlatformError,
  SECOND,
  type Backoff,
  type Clock,
  type Instant,
  type Logger,
  type Random,
} from '../../base/index.ts';
import { metadataOf, statusOf } from '../client/response-status.ts';
import { SERVER_BACKOFF } from '../client/server-backoff.ts';
import type { Keep, StoreOptions } from './cache.ts';
import type { KubeClient } from '../client/client.ts';
import { Doubts } from './stale-copies.ts';
import { ApiError } from '../client/errors.ts';
import type { ObjectStore } from './object-store.ts';
import { compareVersions } from '../client/resource-version.ts';
import type { WatchLine } from '../client/transport.ts';

export interface ReflectorDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** A watch that lived this long was a good one: failures are counted from zero after it. */
const HEALTHY_MS = 30 * SECOND;
/** The server ends each watch after a time between this and twice this, so that many do not come back at once. */
const WATCH_SECONDS = 300;
/** A stream that lost an event without a word cannot be told from a good one: after this time a list comes before the next watch. */
const LIST_AGE_MS = 15 * MINUTE;
/** A kind that may not be read or does not exist is asked for this seldom in the end. */
const UNREADABLE_BACKOFF: Backoff = { ...SERVER_BACKOFF, maxMs: MINUTE };
/** Lists older than what we have seen are refused this often; one more, and the server was set back for good. */
const STALE_LISTS = 5;

/**
 * Keeps one store like the server's: list, then watch from the list's version; when the watch ends, watch on from the last
 * version seen; list again only when that version is gone, the stream cannot be trusted, or the last list is long ago.
 *
 *   list ──▶ watch ──ended──▶ watch ──410 │ malformed │ 403 │ 404──▶ list
 *     ▲                        └─connection lost, 429, 5xx──▶ watch, later
 *     └─ any failure: later
 *
 * A kind that may not be installed is empty as long as the server has no such kind.
 */
export class Reflector<T extends KubeObject> {
  readonly #store: ObjectStore<T>;
  readonly #options: StoreOptions<T>;
  readonly #deps: ReflectorDeps;
  readonly #keep: (object: KubeObject) => T;
  readonly #synced = Promise.withResolvers<void>();
  readonly #doubts = new Doubts();
  #mustList = true;
  #listedAt: Instant = instant(0);
  #hangUp: () => void = () => {};
  /** The kind is not installed, and may not be. */
  #isMissing = false;
  #failures = 0;
  #staleLists = 0;

  constructor(store: ObjectStore<T>, options: StoreOptions<T>, deps: ReflectorDeps) {
    this.#store = store;
    this.#options = options;
    this.#deps = { ...deps, log: deps.log.with({ resource: resourceName(options.resource) }) };
    this.#keep = keeper(options.resource, options.keep);
  }

  /** Resolves after the first list, or once the kind was found unreadable. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Goes on until the signal aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { failure, wasHealthy } = await this.#cycle(signal);
      if (signal.aborted) return;
      await this.#pause(this.#delayAfter(failure, wasHealthy), signal);
    }
  }

  /** The server refused a write for a reason that lies in the object. If that goes on while our copy stands still, it is a list's turn. */
  doubt(key: string): void {
    const version = this.#store.shown(key)?.metadata.resourceVersion;
    if (!this.#doubts.isDue(key, version, this.#deps.clock.now())) return;
    this.#deps.log.warn('listing again: the server keeps contradicting what the watch has shown', { key, version });
    this.#mustList = true;
    this.#hangUp();
  }

  async #cycle(signal: AbortSignal): Promise<Cycle> {
    // Only a watch counts: a server that lists well but refuses every watch must not be listed without a pause.
    let isHealthy = (): boolean => false;
    try {
      if (this.#mustList) await this.#list(signal);
      isHealthy = this.#measureWatch();
      await this.#watch(signal);
      return { failure: undefined, wasHealthy: isHealthy() };
    } catch (error) {
      if (!signal.aborted && !this.#isMissing) this.#judge(error);
      return { failure: error, wasHealthy: isHealthy() };
    }
  }

  #measureWatch(): () => boolean {
    const { clock } = this.#deps;
    const started = clock.now();
    const from = this.#store.progress;
    return () => this.#store.progress !== from || clock.now() - started >= HEALTHY_MS;
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { resource, namespace, labelSelector, keep } = this.#options;
    const mark = this.#store.writes.mark();
    const begun = this.#deps.clock.now();
    const wanted = {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      metadataOnly: keep === 'metadata',
      trim: this.#keep,
      signal,
    };
    const list = await this.#deps.client.list(resource, wanted).catch((error: unknown) => {
      if (this.#options.isOptional && hasCode(error, 'NotFound')) this.#findMissing(mark);
      else this.#isMissing = false;
      throw error;
    });
    this.#isMissing = false;
    this.#store.isKindUnknown = false;
    this.#refuseThePast(list.resourceVersion);
    this.#store.replace(list.items, list.resourceVersion);
    this.#store.writes.listed(mark);
    this.#doubts.listed(begun);
    this.#listedAt = begun;
    this.#mustList = false;
    this.#synced.resolve();
  }

  /** The server's word on the whole kind: there is nothing of it, and nothing to wait for. */
  #findMissing(mark: number): void {
    if (!this.#isMissing) this.#deps.log.debug('the kind is not installed; it is followed as soon as it is');
    this.#isMissing = true;
    this.#store.unreadable = undefined;
    this.#store.isKindUnknown = true;
    this.#store.clear();
    this.#store.writes.unserved(mark);
    this.#store.settled();
    this.#synced.resolve();
  }

  /** A lagging server must not take us back in time; one restored from a backup may, once it is sure. */
  #refuseThePast(version: string): void {
    const { progress, writes } = this.#store;
    const isPast = progress !== undefined && compareVersions(version, progress) < 0;
    if (isPast && this.#staleLists++ < STALE_LISTS)
      throw new PlatformError('Unavailable', `the list is of version ${version}, but ${progress} was seen before`);
    if (isPast) writes.forgetVersions();
    this.#staleLists = 0;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    const mark = this.#store.writes.mark();
    const started = clock.now();
    const over = new AbortController();
    this.#hangUp = () => over.abort(new PlatformError('Unavailable', 'the watch is no longer trusted'));
    try {
      await this.#follow(AbortSignal.any([signal, over.signal]));
    } finally {
      // Who still listens to a signal that never aborts is kept in memory for ever.
      over.abort(new PlatformError('Unavailable', 'the watch is over'));
      // However it ended: where every watch fails, nothing else would show what changed.
      if (clock.now() - this.#listedAt >= LIST_AGE_MS) this.#mustList = true;
    }
    // A whole watch has shown neither the outcome of an older write nor a bookmark past it: only a list can tell.
    const isOverdue = this.#store.writes.sweep(this.#store, mark) && clock.now() - started >= HEALTHY_MS;
    if (isOverdue) this.#mustList = true;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { resource, namespace, labelSelector, keep } = this.#options;
    const wanted = {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      metadataOnly: keep === 'metadata',
      resourceVersion: this.#store.progress ?? '',
      timeoutSeconds: WATCH_SECONDS + this.#deps.random.int(WATCH_SECONDS),
    };
    const lines = await this.#deps.client.watch(resource, wanted, signal);
    this.#store.unreadable = undefined;
    for await (const batch of lines) for (const line of batch) this.#take(line);
  }

  #take(line: WatchLine): void {
    switch (line.type) {
      case 'ADDED':
      case 'MODIFIED':
        return this.#store.put(this.#keep(line.object));
      case 'DELETED':
        return this.#store.remove(line.object);
      case 'BOOKMARK':
        this.#store.passed(line.object.metadata.resourceVersion);
        return void this.#store.writes.sweep(this.#store, 0);
      case 'ERROR':
        throw new ApiError(statusOf({ code: 500, body: line.object }));
      default:
        return assertNever(line.type);
    }
  }

  /** What a failure says about the store. */
  #judge(error: unknown): void {
    const isUnreadable = hasCode(error, 'Forbidden') || hasCode(error, 'NotFound');
    const isPassing = hasCode(error, 'Unavailable') || (error instanceof ApiError && !isUnreadable && !hasCode(error, 'Gone'));
    if (!isPassing || isFuture(error)) this.#mustList = true;
    this.#deps.log.warn(this.#mustList ? 'listing again' : 'watching again', { error: messageOf(error) });
    if (!isUnreadable) return;
    this.#store.unreadable = messageOf(error);
    this.#synced.resolve();
  }

  /** None after a good watch that simply ended or grew too old; otherwise longer with each failure in a row. */
  #delayAfter(failure: unknown, wasHealthy: boolean): number {
    if (wasHealthy) this.#failures = 0;
    if (wasHealthy && (failure === undefined || hasCode(failure, 'Gone'))) return 0;
    this.#failures++;
    const backoff = this.#isMissing || this.#store.unreadable !== undefined ? UNREADABLE_BACKOFF : SERVER_BACKOFF;
    return backoffDelay(backoff, this.#failures, this.#deps.random);
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    if (ms > 0) await clock.waitUntil(after(clock.now(), ms), signal).catch(() => undefined);
  }
}

/** One list and watch, or one watch. */
interface Cycle {
  readonly failure: unknown;
  readonly wasHealthy: boolean;
}

/** The server knows no version as new as ours: it was set back, and waiting for that version is no use. */
const isFuture = (error: unknown): boolean =>
  error instanceof ApiError && error.causes.some((cause) => cause.reason === 'ResourceVersionTooLarge');

/** How an object as served becomes the object we keep: without managedFields, no more than wanted, frozen. */
function keeper<T extends KubeObject>(resource: Resource<T>, keep: Keep<T> = 'whole'): (object: KubeObject) => T {
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
