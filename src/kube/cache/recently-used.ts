/** A map that keeps the entries used last and forgets the rest, so that it cannot grow without end. */
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
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }
}
