import type { WatchLine } from '../../kube/transport.ts';

/** Lines on their way to one watcher, handed over in batches of what is there. */
export class WatchQueue implements AsyncIterable<readonly WatchLine[]> {
  #lines: WatchLine[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #onEnd: () => void;

  /** `onEnd` is called once, however the watch ends. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  push(line: WatchLine): void {
    if (this.#ended) return;
    this.#lines.push(line);
    this.#wake?.();
  }

  /** Ends the watch after the lines that are there already. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WatchLine[], void> {
    try {
      for (;;) {
        while (this.#lines.length === 0 && !this.#ended) await this.#change();
        if (this.#lines.length === 0) return;
        const batch = this.#lines;
        this.#lines = [];
        yield batch;
      }
    } finally {
      this.end();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
