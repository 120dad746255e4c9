import { deepFreeze, messageOf } from '../../base/index.ts';
import { heapBytes } from '../limits/heap-bytes.ts';
import type { Stored, Work } from '../object.ts';
import { internal } from '../status-errors.ts';
import type { Storage, StorageWrite } from '../storage/storage.ts';
import { PendingChanges } from './pending-changes.ts';
import { Table, type StoredChange } from './table.ts';

/** One write: an object, or its removal. */
export interface Intent {
  readonly table: Table;
  readonly key: string;
  readonly object: Work | undefined;
}

/** A write that is done, or will be when `durable` resolves. */
export interface Committed {
  readonly object: Stored;
  readonly durable: Promise<void> | undefined;
}

export interface VersionedStoreOptions {
  readonly storage: Storage;
  readonly watchHistory: number;
  /** How much memory objects may take; see `heapBytes`. 512 MiB when absent. */
  readonly roomBytes?: number;
  /** About how much memory the changes may take that are kept for watches, of all tables together. */
  readonly historyBytes: number;
}

const ROOM_BYTES = 512 * 1024 * 1024;
/** So much of the history is left when some is forgotten, so that it is not done for every change. */
const LEFT_OF_HISTORY = 7 / 8;

/**
 * All tables and the one counter behind every resourceVersion.
 *
 * Writers use the newest state, committed or not (`latest`); readers and watchers see only committed states (`table`).
 * With a storage that commits synchronously the two are always the same.
 *
 * Once the storage has refused a write the store is read-only, so that memory and disk stay the same.
 */
export class VersionedStore {
  readonly #tables = new Map<string, Table>();
  readonly #storage: Storage;
  readonly #history: number;
  readonly #changeListeners: ((table: Table, change: StoredChange) => void)[] = [];
  readonly #arrivalListeners: (() => void)[] = [];
  readonly #inFlight = new PendingChanges();
  readonly #sizes = new WeakMap<Stored, number>();
  /** About how much memory objects may take. */
  readonly roomBytes: number;
  readonly #historyRoom: number;
  #bytes = 0;
  #historyBytes = 0;
  #assigned: number;
  #visible: number;
  #refusal: string | undefined;

  constructor(options: VersionedStoreOptions) {
    this.#storage = options.storage;
    this.#history = options.watchHistory;
    this.roomBytes = options.roomBytes ?? ROOM_BYTES;
    this.#historyRoom = options.historyBytes;
    const snapshot = options.storage.load();
    this.#assigned = snapshot.revision;
    this.#visible = snapshot.revision;
    for (const { table, key, object } of snapshot.rows) {
      this.table(table).restore(key, deepFreeze(object));
      this.#bytes += this.#sizeOf(object);
    }
  }

  /** About how much memory the objects take that readers see. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The revision that readers see. */
  get revision(): number {
    return this.#visible;
  }

  get tables(): Iterable<Table> {
    return this.#tables.values();
  }

  /** Whether the storage has refused a write, and with it every later one. */
  get isReadOnly(): boolean {
    return this.#refusal !== undefined;
  }

  /** Settles when every write so far is durable, or refused; undefined when all are durable already. */
  get settled(): Promise<void> | undefined {
    return this.#inFlight.settled;
  }

  table(id: string): Table {
    const known = this.#tables.get(id);
    if (known) return known;
    const made = new Table({ id, historyLimit: this.#history, floor: this.#visible, sizeOf: (change) => this.sizeOf(change) });
    this.#tables.set(id, made);
    return made;
  }

  /** The newest state of an object, committed or pending. */
  latest(table: Table, key: string): Stored | undefined {
    return this.#inFlight.newest(table, key, table.get(key));
  }

  /** The keys of a table or of one namespace in it, pending ones last; some may have no `latest`. */
  latestKeys(table: Table, namespace?: string): readonly string[] {
    const added = this.#inFlight.added(table);
    const wanted = namespace === undefined ? added : added.filter((key) => key.startsWith(`${namespace}/`));
    return wanted.length === 0 ? table.keys(namespace) : [...table.keys(namespace), ...wanted];
  }

  /** Calls the listener for every committed change, after readers can see it. */
  onChange(listener: (table: Table, change: StoredChange) => void): void {
    this.#changeListeners.push(listener);
  }

  /** Calls the listener when a change that was pending can be seen, after the listeners of changes. */
  onArrival(listener: () => void): void {
    this.#arrivalListeners.push(listener);
  }

  /** Writes one object under a new revision. The object is frozen and becomes the stored one; for a removal, its last state. */
  commit({ table, key, object }: Intent, last?: Stored): Committed {
    if (this.#refusal !== undefined) throw internal(this.#refusal);
    const revision = ++this.#assigned;
    const final = object ?? { ...last!, metadata: { ...last!.metadata } };
    final.metadata.resourceVersion = String(revision);
    const stored = deepFreeze(final) as Stored;
    const change: StoredChange = { revision, key, before: this.latest(table, key), after: object ? stored : undefined };
    const write: StorageWrite = { table: table.id, key, revision, ...(object && { object: stored }) };
    const durable = this.#storage.commit([write]);
    if (!durable) this.#publish(table, change);
    return { object: stored, durable: durable && this.#settle(durable, { table, change }) };
  }

  /** Drops history up to a revision, as etcd's compaction does. */
  compact(revision: number): void {
    for (const table of this.#tables.values()) table.compact(Math.min(revision, this.#visible));
    this.#historyBytes = [...this.tables].reduce((bytes, table) => bytes + table.historyBytes, 0);
  }

  close(): void {
    void this.#storage.close();
  }

  /** Shows a change once it is durable. The storage answers in order and refuses every write after a refusal, so changes appear in order. */
  #settle(durable: Promise<void>, { table, change }: { readonly table: Table; readonly change: StoredChange }): Promise<void> {
    const settled = durable.then(
      () => this.#arrive(table, change),
      (error: unknown) => {
        this.#refuse(error);
        throw error;
      },
    );
    // Some writers do not wait; the refusal is recorded in any case.
    settled.catch(ignoreRefusal);
    this.#inFlight.add(table, change, settled);
    return settled;
  }

  #arrive(table: Table, change: StoredChange): void {
    this.#inFlight.arrived(table, change);
    this.#publish(table, change);
    for (const listener of this.#arrivalListeners) listener();
  }

  #refuse(error: unknown): void {
    this.#refusal ??= `nothing can be written until the server is started again: ${messageOf(error)}`;
    this.#inFlight.clear();
  }

  /** About how much memory the objects of a change take. */
  sizeOf({ before, after }: Pick<StoredChange, 'before' | 'after'>): number {
    return this.#sizeOf(before) + this.#sizeOf(after);
  }

  /** Forgets the oldest changes, whatever table they are in. A watch that would need them is told to list again. */
  #forget(): void {
    while (this.#historyBytes > this.#historyRoom * LEFT_OF_HISTORY) {
      const oldest = [...this.tables].reduce((a, b) => ((b.oldest ?? Infinity) < (a.oldest ?? Infinity) ? b : a));
      if (oldest.oldest === undefined) return;
      const kept = oldest.historyBytes;
      oldest.forgetOldest();
      this.#historyBytes += oldest.historyBytes - kept;
    }
  }

  /** Computed once for each object, since it is compared again when it is replaced. */
  #sizeOf(object: Stored | undefined): number {
    if (!object) return 0;
    const known = this.#sizes.get(object);
    if (known !== undefined) return known;
    const bytes = heapBytes(object);
    this.#sizes.set(object, bytes);
    return bytes;
  }

  #publish(table: Table, change: StoredChange): void {
    this.#visible = change.revision;
    this.#bytes += this.#sizeOf(change.after) - this.#sizeOf(change.before);
    const kept = table.historyBytes;
    table.apply(change);
    this.#historyBytes += table.historyBytes - kept;
    if (this.#historyBytes > this.#historyRoom) this.#forget();
    for (const listener of this.#changeListeners) listener(table, change);
  }
}

const ignoreRefusal = (): void => {};
