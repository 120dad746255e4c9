/** Work on one place at a time: what hangs on it holds what comes after, and occupies one thread at most. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when what is outstanding on the place has ended; not at all if `signal` aborts before. */
  async take<T>(place: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.#last.get(place) ?? Promise.resolve();
    const mine = before.then(() => {
      signal.throwIfAborted();
      return work();
    });
    const ended = mine.catch(() => undefined);
    this.#last.set(place, ended);
    try {
      return await mine;
    } finally {
      if (this.#last.get(place) === ended) this.#last.delete(place);
    }
  }
}
