/** A map whose values come in key order. The order is made when first asked for, and then kept: bulk loads cost no sorting. */
export class OrderedMap<T> {
  readonly #values = new Map<string, T>();
  #keys: string[] | undefined;
  #list: readonly T[] | undefined;

  get size(): number {
    return this.#values.size;
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: T): void {
    if (this.#keys && !this.#values.has(key)) this.#keys.splice(placeOf(this.#keys, key), 0, key);
    this.#values.set(key, value);
    this.#list = undefined;
  }

  delete(key: string): void {
    if (!this.#values.delete(key)) return;
    this.#keys?.splice(placeOf(this.#keys, key), 1);
    this.#list = undefined;
  }

  /** The keys as they are now; a copy, so that it can be walked while the map changes. */
  keys(): readonly string[] {
    return [...this.#sorted()];
  }

  /** The values as they are now: the array handed out never changes, and is shared until the map does. */
  values(): readonly T[] {
    this.#list ??= Object.freeze(this.#sorted().map((key) => this.#values.get(key) as T));
    return this.#list;
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
