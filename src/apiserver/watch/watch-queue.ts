import type { WatchLine } from '../../kube/client/transport.ts';

export interface WatchQueueOptions {
  /** How many lines may wait, besides those that the watch begins with. */
  readonly limit: number;
  /** Called once, however the watch ends. */
  onEnd(): void;
}

/**
 * Lines on their way to one watcher, handed over in batches of what is there. A watcher that falls too far behind is ended: it can go on
 * from the last line that it has read, while lines that nobody reads would fill the memory.
 */
export class WatchQueue implements AsyncIterable<readonly WatchLine[]> {
  #lines: WatchLine[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #options: WatchQueueOptions;
  /** How many lines may wait now. */
  #room: number;

  constructor(options: WatchQueueOptions) {
    this.#options = options;
    this.#room = options.limit;
  }

  /** Takes a line that the watch begins with, of which there may be any number. */
  begin(line: WatchLine): void {
    this.#room++;
    this.push(line);
  }

  push(line: WatchLine): void {
    if (this.#ended) return;
    if (this.#lines.length >= this.#room) return this.end();
    this.#lines.push(line);
    this.#wake?.();
  }

  /** Ends the watch after the lines that are there already. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.onEnd();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WatchLine[], void> {
    try {
      for (;;) {
        while (this.#lines.length === 0 && !this.#ended) await this.#change();
        if (this.#lines.length === 0) return;
        const batch = this.#lines;
        this.#lines = [];
        this.#room = this.#options.limit;
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
