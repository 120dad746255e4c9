import { keyOf, keyText, type KubeObject } from '../../api/meta.ts';
import { PlatformError } from '../../base/index.ts';
import type { IndexQuery } from './cache.ts';
import { OrderedMap } from './ordered-map.ts';

/** Names the values that an object is found under. */
export type IndexBy<T> = (object: T) => readonly string[];

interface Index<T> {
  readonly by: IndexBy<T>;
  readonly buckets: Map<string, OrderedMap<T>>;
}

/** One and the same, as every list is until it changes. */
const NONE: readonly never[] = Object.freeze([]);

/** The objects of a store by key, and by each of its indexes. */
export class KeptObjects<T extends KubeObject> {
  readonly #all = new OrderedMap<T>();
  readonly #indexes = new Map<string, Index<T>>();

  get size(): number {
    return this.#all.size;
  }

  /** Adds an index over what is here and what comes. Asking again for the same one changes nothing. */
  index(name: string, by: IndexBy<T>): void {
    const known = this.#indexes.get(name);
    if (known && known.by !== by)
      throw new PlatformError('Internal', `two different indexes are named ${JSON.stringify(name)}`, { retry: 'never' });
    if (known) return;
    const index: Index<T> = { by, buckets: new Map() };
    this.#indexes.set(name, index);
    for (const object of this.#all.values()) enter(index, keyText(keyOf(object)), object);
  }

  get(key: string): T | undefined {
    return this.#all.get(key);
  }

  keys(): readonly string[] {
    return this.#all.keys();
  }

  list(query?: IndexQuery): readonly T[] {
    return query ? (this.#index(query).buckets.get(query.value)?.values() ?? NONE) : this.#all.values();
  }

  /** Whether the query's list would hold such an object; yes when its index cannot tell (a draft lacks what objects have). */
  wouldList(object: T, query: IndexQuery): boolean {
    try {
      return this.#index(query).by(object).includes(query.value);
    } catch {
      return true;
    }
  }

  #index(query: IndexQuery): Index<T> {
    const index = this.#indexes.get(query.index);
    if (!index) throw new PlatformError('Internal', `no index is named ${JSON.stringify(query.index)}`, { retry: 'never' });
    return index;
  }

  set(key: string, object: T): void {
    const before = this.#all.get(key);
    this.#all.set(key, object);
    for (const index of this.#indexes.values()) {
      if (before) leave(index, key, before);
      enter(index, key, object);
    }
  }

  delete(key: string): void {
    const before = this.#all.get(key);
    if (!before) return;
    this.#all.delete(key);
    for (const index of this.#indexes.values()) leave(index, key, before);
  }
}

function enter<T>(index: Index<T>, key: string, object: T): void {
  for (const value of index.by(object)) {
    let bucket = index.buckets.get(value);
    if (!bucket) index.buckets.set(value, (bucket = new OrderedMap()));
    bucket.set(key, object);
  }
}

function leave<T>(index: Index<T>, key: string, object: T): void {
  for (const value of index.by(object)) {
    const bucket = index.buckets.get(value);
    bucket?.delete(key);
    if (bucket?.size === 0) index.buckets.delete(value);
  }
}
