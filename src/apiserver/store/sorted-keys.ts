/** The index of a key in a sorted list, or the index where it belongs. */
export function indexOfKey(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The keys of a sorted list that start with a prefix. */
export function rangeOf(keys: readonly string[], prefix: string): readonly string[] {
  const from = indexOfKey(keys, prefix);
  let to = from;
  while (to < keys.length && keys[to]!.startsWith(prefix)) to++;
  return keys.slice(from, to);
}

/** Up to so many new keys are inserted one by one; more are merged at once. */
const FEW = 8;

/** Keys in order. New keys are sorted in at the next read, so that many writes in a row cost one sort. */
export class SortedKeys {
  #sorted: string[] = [];
  #fresh: string[] = [];

  get all(): readonly string[] {
    if (this.#fresh.length > 0) this.#sortIn();
    return this.#sorted;
  }

  /** Adds a key that is not in the list. */
  add(key: string): void {
    this.#fresh.push(key);
  }

  /** Removes a key that is in the list. */
  remove(key: string): void {
    if (this.#fresh.length > 0) this.#sortIn();
    this.#sorted.splice(indexOfKey(this.#sorted, key), 1);
  }

  #sortIn(): void {
    const fresh = this.#fresh;
    this.#fresh = [];
    if (fresh.length > FEW) this.#sorted = merged(this.#sorted, fresh.toSorted(byCode));
    else for (const key of fresh) this.#sorted.splice(indexOfKey(this.#sorted, key), 0, key);
  }
}

const byCode = (a: string, b: string): number => (a < b ? -1 : 1);

function merged(some: readonly string[], others: readonly string[]): string[] {
  const all: string[] = [];
  let next = 0;
  for (const key of some) {
    while (next < others.length && others[next]! < key) all.push(others[next++]!);
    all.push(key);
  }
  return [...all, ...others.slice(next)];
}
