/** Where a key is, or where it belongs, in a sorted list. */
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
