interface Line<T> {
  /** What is under way. */
  readonly now: Promise<T>;
  /** What begins when that has ended. */
  next?: Promise<T>;
}

/**
 * One read for all who ask for the same at the same time. What is under way already may find what was so before the question, and is not
 * shared: callers that come meanwhile share the next read, which starts when that one has ended.
 */
export class JoinedReads<T> {
  readonly #lines = new Map<string, Line<T>>();

  read(key: string, begin: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key);
    if (!line) return this.#begin(key, begin);
    line.next ??= line.now.then(
      () => this.#begin(key, begin),
      () => this.#begin(key, begin),
    );
    return line.next;
  }

  #begin(key: string, begin: () => Promise<T>): Promise<T> {
    // One that throws at once fails like any other.
    const line: Line<T> = { now: (async () => begin())() };
    this.#lines.set(key, line);
    const end = (): void => {
      if (this.#lines.get(key) === line && line.next === undefined) this.#lines.delete(key);
    };
    line.now.then(end, end);
    return line.now;
  }
}
