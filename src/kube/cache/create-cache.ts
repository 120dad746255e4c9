import type { KubeObject } from '../../api/meta.ts';
import { apiVersionOf, resourceName } from '../../api/resource.ts';
import { PlatformError, silent, type Clock, type Logger, type Random } from '../../base/index.ts';
import type { Cache, Store, StoreOptions } from './cache.ts';
import type { KubeClient } from '../client/client.ts';
import { LostWrites } from './unanswered-writes.ts';
import { ObjectStore } from './object-store.ts';
import { RecordingClient } from './recording-client.ts';
import { Reflector } from './reflector.ts';
import { WriteLedger } from './write-ledger.ts';

export interface CacheDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Logger;
}

/** A cache over a client; nothing is read before `run`. */
export const createCache = (deps: CacheDeps): Cache => new ReflectedCache(deps);

interface Entry {
  readonly options: StoreOptions<KubeObject>;
  readonly store: ObjectStore<KubeObject>;
  readonly reflector: Reflector<KubeObject>;
}

class ReflectedCache implements Cache {
  readonly client: KubeClient;
  readonly #deps: Required<CacheDeps>;
  readonly #lost: LostWrites;
  readonly #entries = new Map<string, Entry>();
  readonly #tasks: Promise<void>[] = [];
  #running: AbortSignal | undefined;

  constructor(deps: CacheDeps) {
    this.#deps = { log: silent, ...deps };
    const ledger = new WriteLedger({
      stores: () => [...this.#entries.values()].map(({ store }) => store),
      onLost: (write) => this.#lost.add(write),
      onContradicted: (store, key) => this.#entryOf(store)?.reflector.doubt(key),
    });
    this.#lost = new LostWrites({ ...this.#deps, found: (write, object) => ledger.found(write, object) });
    this.client = new RecordingClient(deps.client, ledger);
  }

  store<T extends KubeObject>(wanted: StoreOptions<T>): Store<T> {
    // One map holds stores of all kinds; the resource in the key is what ties each to its type.
    const options = wanted as unknown as StoreOptions<KubeObject>;
    const key = [resourceName(options.resource), apiVersionOf(options.resource), options.namespace ?? '', options.labelSelector ?? ''].join(
      ' ',
    );
    const entry = this.#entries.get(key) ?? this.#open(key, options);
    if ((entry.options.keep ?? 'whole') !== (options.keep ?? 'whole'))
      throw new PlatformError('Internal', `following ${key}: two readers want different parts of each object`, { retry: 'never' });
    if ((entry.options.isOptional ?? false) !== (options.isOptional ?? false))
      throw new PlatformError('Internal', `following ${key}: two readers disagree on whether the kind may be missing`, { retry: 'never' });
    entry.store.addIndexes(options.indexes);
    return entry.store as unknown as Store<T>;
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#running = signal;
    this.#tasks.push(this.#lost.run(signal));
    for (const { reflector } of this.#entries.values()) this.#tasks.push(reflector.run(signal));
    await aborted(signal);
    await Promise.all(this.#tasks);
  }

  async synced(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const listed = Promise.all([...this.#entries.values()].map(({ reflector }) => reflector.synced));
    const ended = new AbortController();
    await Promise.race([listed, aborted(signal, ended.signal).then(() => signal.throwIfAborted())]);
    ended.abort();
  }

  #entryOf(store: ObjectStore<KubeObject>): Entry | undefined {
    return [...this.#entries.values()].find((entry) => entry.store === store);
  }

  #open(key: string, options: StoreOptions<KubeObject>): Entry {
    const store = new ObjectStore(options, this.#deps.log);
    const entry: Entry = { options, store, reflector: new Reflector(store, options, this.#deps) };
    this.#entries.set(key, entry);
    if (this.#running && !this.#running.aborted) this.#tasks.push(entry.reflector.run(this.#running));
    return entry;
  }
}

/** Resolves when the signal aborts, or when the subscription ends. */
function aborted(signal: AbortSignal, until?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true, ...(until ? { signal: until } : {}) });
  });
}
