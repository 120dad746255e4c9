import { deepFreeze } from '../../base/index.ts';
import type { Stored, Work } from '../object.ts';
import type { Storage, Write } from '../storage/storage.ts';
import { Table, type Change } from './table.ts';

/** What one request wants to write: an object, or its removal. */
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

export interface StoreOptions {
  readonly storage: Storage;
  readonly watchHistory: number;
}

interface Batch {
  readonly table: Table;
  readonly change: Change;
  done: boolean;
}

/**
 * All tables and the one counter behind every resourceVersion.
 *
 * Writers judge what is newest, committed or not (`latest`); readers and watchers see only what is committed (`table`).
 * With a storage that commits at once the two are always the same.
 */
export class Store {
  readonly #tables = new Map<string, Table>();
  readonly #storage: Storage;
  readonly #history: number;
  readonly #listeners: ((table: Table, change: Change) => void)[] = [];
  /** Changes on their way to the storage, oldest first. */
  #pending: Batch[] = [];
  #assigned: number;
  #visible: number;

  constructor(options: StoreOptions) {
    this.#storage = options.storage;
    this.#history = options.watchHistory;
    const snapshot = options.storage.load();
    this.#assigned = snapshot.revision;
    this.#visible = snapshot.revision;
    for (const { table, key, object } of snapshot.rows) this.table(table).restore(key, deepFreeze(object));
  }

  /** The revision that readers see. */
  get revision(): number {
    return this.#visible;
  }

  get tables(): Iterable<Table> {
    return this.#tables.values();
  }

  table(id: string): Table {
    const known = this.#tables.get(id);
    if (known) return known;
    const made = new Table({ id, historyLimit: this.#history, floor: this.#visible });
    this.#tables.set(id, made);
    return made;
  }

  /** The newest state of an object, committed or on its way. */
  latest(table: Table, key: string): Stored | undefined {
    for (let i = this.#pending.length - 1; i >= 0; i--) {
      const batch = this.#pending[i]!;
      if (batch.table === table && batch.change.key === key) return batch.change.after;
    }
    return table.get(key);
  }

  /** Tells of every committed change, after readers can see it. */
  onChange(listener: (table: Table, change: Change) => void): void {
    this.#listeners.push(listener);
  }

  /** Writes one object under a new revision. The object is frozen and becomes the stored one; for a removal, its last state. */
  commit({ table, key, object }: Intent, last?: Stored): Committed {
    const revision = ++this.#assigned;
    const final = object ?? { ...last!, metadata: { ...last!.metadata } };
    final.metadata.resourceVersion = String(revision);
    const stored = deepFreeze(final) as Stored;
    const change: Change = { revision, key, before: this.latest(table, key), after: object ? stored : undefined };
    const write: Write = { table: table.id, key, revision, ...(object && { object: stored }) };
    const durable = this.#storage.commit([write]);
    if (!durable) this.#publish(table, change);
    return { object: stored, durable: durable && this.#settle(durable, { table, change, done: false }) };
  }

  /** Forgets history up to a revision, as etcd's compaction does. */
  compact(revision: number): void {
    for (const table of this.#tables.values()) table.compact(Math.min(revision, this.#visible));
  }

  close(): void {
    this.#storage.close();
  }

  async #settle(durable: Promise<void>, batch: Batch): Promise<void> {
    this.#pending.push(batch);
    try {
      await durable;
    } catch (error) {
      // What was judged on top of this write fails with it, since the storage answers in order and all of it is refused.
      this.#pending = this.#pending.filter((other) => other !== batch);
      throw error;
    }
    batch.done = true;
    while (this.#pending[0]?.done) {
      const next = this.#pending.shift()!;
      this.#publish(next.table, next.change);
    }
  }

  #publish(table: Table, change: Change): void {
    this.#visible = change.revision;
    table.apply(change);
    for (const listener of this.#listeners) listener(table, change);
  }
}
