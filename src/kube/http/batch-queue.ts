/** What a queue tells the side that fills it. */
export interface Flow {
  /** Enough is waiting: send no more for now. */
  pause(): void;
  resume(): void;
  /** The reader has gone. */
  stop(): void;
}

const MOST_WAITING = 16;

/** Hands batches from a callback to one reader, in order, and slows the sender down when the reader falls behind. */
export class BatchQueue<T> implements AsyncIterable<T> {
  readonly #flow: Flow;
  readonly #batches: T[] = [];
  #end: { readonly error?: Error } | undefined;
  #wake: (() => void) | undefined;
  #paused = false;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  push(batch: T): void {
    if (this.#end) return;
    this.#batches.push(batch);
    this.#wake?.();
    if (this.#batches.length < MOST_WAITING || this.#paused) return;
    this.#paused = true;
    this.#flow.pause();
  }

  /** No more will come. An error is thrown to the reader after what came before it. */
  end(error?: Error): void {
    this.#end ??= error ? { error } : {};
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        while (this.#batches.length > 0) yield this.#take();
        if (this.#end?.error) throw this.#end.error;
        if (this.#end) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = undefined;
      }
    } finally {
      this.end();
      this.#flow.stop();
    }
  }

  #take(): T {
    const batch = this.#batches.shift() as T;
    if (this.#paused && this.#batches.length === 0) {
      this.#paused = false;
      this.#flow.resume();
    }
    return batch;
  }
}
