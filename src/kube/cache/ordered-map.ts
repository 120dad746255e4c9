/** Beyond so many changed values, a new list is cheaper than a corrected one. */
const FEW = 500;

/**
 * A map whose values come in key order. The order is made when first asked for, and then kept: bulk loads cost no sorting, and a list after a
 * few changes costs those and a copy.
 */
export class OrderedMap<T> {
  readonly #values = new Map<string, T>();
  #keys: string[] | undefined;
  #list: readonly T[] | undefined;
  /** Keys whose values are others than in the list. */
  readonly #changed = new Set<string>();

  get size(): number {
    return this.#values.size;
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: T): void {
    const isNew = !this.#values.has(key);
    this.#values.set(key, value);
    if (isNew) {
      this.#keys?.splice(placeOf(this.#keys, key), 0, key);
      this.#forgetList();
    } else if (this.#list) this.#noteChange(key);
  }

  delete(key: string): void {
    if (!this.#values.delete(key)) return;
    this.#keys?.splice(placeOf(this.#keys, key), 1);
    this.#forgetList();
  }

  /** The keys as they are now; a copy, so that it can be walked while the map changes. */
  keys(): readonly string[] {
    return [...this.#sorted()];
  }

  /** The values as they are now: the returned array never changes, and is shared until the map does. */
  values(): readonly T[] {
    if (this.#list && this.#changed.size === 0) return this.#list;
    const list = this.#list ? this.#putRight(this.#list) : this.#sorted().map((key) => this.#values.get(key) as T);
    this.#changed.clear();
    this.#list = Object.freeze(list);
    return this.#list;
  }

  #putRight(list: readonly T[]): readonly T[] {
    const copy = [...list];
    for (const key of this.#changed) copy[placeOf(this.#sorted(), key)] = this.#values.get(key) as T;
    return copy;
  }

  #noteChange(key: string): void {
    this.#changed.add(key);
    if (this.#changed.size > FEW) this.#forgetList();
  }

  #forgetList(): void {
    this.#list = undefined;
    this.#changed.clear();
  }

  #sorted(): string[] {
    this.#keys ??= [...this.#values.keys()].toSorted(inOrder);
    return this.#keys;
  }
}

/** Where the key is, or belongs. */
function placeOf(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** By code units, the same on every machine; a locale's order is not. */
const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
