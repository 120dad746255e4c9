/**
 * A map that keeps the entries used last and forgets the rest, so that it cannot grow without end. An empty one costs nothing: each store has
 * one, and each list makes a new one.
 */
export class Recent<T> {
  readonly #entries = new Map<string, T>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The entry, made when it is not there. */
  of(key: string, make: () => T): T {
    const entry = this.#entries.get(key) ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#most) this.#dropOldest();
    return entry;
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
