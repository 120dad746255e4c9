import type { WatchLine } from '../../kube/client/transport.ts';

export interface WatchQueueOptions {
  /** How many lines may wait, besides the initial ones. */
  readonly limit: number;
  /** About how much memory they may take, likewise. */
  readonly limitBytes: number;
  /** Called once, however the watch ends. */
  onEnd(): void;
}

/**
 * Lines for one watcher, read in batches. A watch that falls too far behind is ended: the client can resume
 * from the last line that it has read, while unread lines would fill the memory.
 */
export class WatchQueue implements AsyncIterable<readonly WatchLine[]> {
  #lines: WatchLine[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #options: WatchQueueOptions;
  /** How many lines may wait now. */
  #room: number;
  #bytes = 0;

  constructor(options: WatchQueueOptions) {
    this.#options = options;
    this.#room = options.limit;
  }

  /** Adds an initial line, of which there may be any number. */
  begin(line: WatchLine): void {
    this.#room++;
    this.push(line);
  }

  /** Adds a change, with about how much memory it takes. One alone may be as large as it likes. */
  push(line: WatchLine, bytes = 0): void {
    if (this.#ended) return;
    if (this.#lines.length >= this.#room || (this.#bytes > 0 && this.#bytes + bytes > this.#options.limitBytes)) return this.end();
    this.#lines.push(line);
    this.#bytes += bytes;
    this.#wake?.();
  }

  /** Ends the watch after the waiting lines. */
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
        this.#bytes = 0;
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
