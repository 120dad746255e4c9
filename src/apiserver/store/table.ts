import type { Stored } from '../object.ts';
import { rangeOf, SortedKeys } from './sorted-keys.ts';

/** One committed change to one object. */
export interface StoredChange {
  readonly revision: number;
  readonly key: string;
  readonly before: Stored | undefined;
  /** Absent when the object was deleted. */
  readonly after: Stored | undefined;
}

/** The objects of one resource at one revision, in key order. */
export interface TableView {
  get(key: string): Stored | undefined;
  /** All keys, or those of one namespace. */
  keys(namespace?: string): readonly string[];
}

export interface HistoryOptions {
  readonly id: string;
  /** How many changes are kept for watches that resume and lists that go on. */
  readonly historyLimit: number;
  /** About how much memory a change takes; nothing when absent. */
  readonly sizeOf?: (change: StoredChange) => number;
  /** Nothing before this revision is known. */
  readonly floor: number;
}

/** The objects of one resource, all versions of it, with what happened to them lately. */
export class Table implements TableView {
  readonly id: string;
  readonly #rows = new Map<string, Stored>();
  readonly #keys = new SortedKeys();
  readonly #limit: number;
  readonly #sizeOf: (change: StoredChange) => number;
  readonly #listeners = new Set<(change: StoredChange) => void>();
  #history: StoredChange[] = [];
  #historyBytes = 0;
  /** Index of the oldest change that is still kept; what lies before it is dropped in bulk. */
  #oldest = 0;
  #floor: number;

  constructor(options: HistoryOptions) {
    this.id = options.id;
    this.#limit = options.historyLimit;
    this.#sizeOf = options.sizeOf ?? (() => 0);
    this.#floor = options.floor;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** About how much memory the changes take that are kept. */
  get historyBytes(): number {
    return this.#historyBytes;
  }

  /** The revision of the oldest change that is kept; undefined when none is. */
  get oldest(): number | undefined {
    return this.#history[this.#oldest]?.revision;
  }

  /** Watches and lists from before this revision can no longer be served. */
  get floor(): number {
    return this.#floor;
  }

  get(key: string): Stored | undefined {
    return this.#rows.get(key);
  }

  keys(namespace?: string): readonly string[] {
    return namespace === undefined ? this.#keys.all : rangeOf(this.#keys.all, `${namespace}/`);
  }

  /** Puts what the storage held at the start. */
  restore(key: string, object: Stored): void {
    this.#put(key, object);
  }

  /** Makes a committed change visible, to readers first and then to watchers. */
  apply(change: StoredChange): void {
    if (change.after) this.#put(change.key, change.after);
    else this.#remove(change.key);
    this.#remember(change);
    // A listener may subscribe another one, which has seen this change already.
    if (this.#listeners.size > 0) [...this.#listeners].forEach((listener) => listener(change));
  }

  /** Follows changes from now on. Returns how to stop. */
  subscribe(listener: (change: StoredChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The changes after a revision, oldest first; undefined when some of them are forgotten. */
  since(revision: number): readonly StoredChange[] | undefined {
    if (revision < this.#floor) return undefined;
    let from = this.#history.length;
    while (from > this.#oldest && this.#history[from - 1]!.revision > revision) from--;
    return this.#history.slice(from);
  }

  /** The table as it was at a revision; undefined when that is forgotten. */
  at(revision: number): TableView | undefined {
    const undo = this.since(revision);
    if (!undo) return undefined;
    if (undo.length === 0) return this;
    const rows = new Map(this.#rows);
    for (const { key, before } of undo.toReversed()) {
      if (before) rows.set(key, before);
      else rows.delete(key);
    }
    const keys = [...rows.keys()].toSorted();
    return { get: (key) => rows.get(key), keys: (namespace) => (namespace === undefined ? keys : rangeOf(keys, `${namespace}/`)) };
  }

  /** Forgets what happened up to a revision. */
  compact(revision: number): void {
    if (revision <= this.#floor) return;
    this.#floor = revision;
    while ((this.oldest ?? Infinity) <= revision) this.#dropOldest();
    this.#trim();
  }

  /** Forgets the oldest change that is kept. */
  forgetOldest(): void {
    this.#floor = this.oldest ?? this.#floor;
    this.#dropOldest();
    this.#trim();
  }

  #dropOldest(): void {
    const change = this.#history[this.#oldest];
    if (!change) return;
    this.#historyBytes -= this.#sizeOf(change);
    // Its place is kept for a while, its objects are not.
    this.#history[this.#oldest++] = { revision: change.revision, key: '', before: undefined, after: undefined };
  }

  #put(key: string, object: Stored): void {
    if (!this.#rows.has(key)) this.#keys.add(key);
    this.#rows.set(key, object);
  }

  #remove(key: string): void {
    if (this.#rows.delete(key)) this.#keys.remove(key);
  }

  #remember(change: StoredChange): void {
    this.#history.push(change);
    this.#historyBytes += this.#sizeOf(change);
    if (this.#history.length - this.#oldest > this.#limit) this.forgetOldest();
  }

  #trim(): void {
    if (this.#oldest < 256 || this.#oldest * 2 < this.#history.length) return;
    this.#history = this.#history.slice(this.#oldest);
    this.#oldest = 0;
  }
}
