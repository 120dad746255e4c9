import type { ContainerLog, LogLine } from '../../apiserver/index.ts';
import type { Clock } from '../../base/index.ts';

/** As much as is kept of what one container wrote; what is older goes. */
const LONGEST_LOG = 1024 * 1024;
/** A line that is longer is taken for two. */
const LONGEST_LINE = 64 * 1024;

/** What one container has written so far, and the readers that wait for more. */
export class LogBuffer implements ContainerLog {
  readonly #clock: Clock;
  #lines: LogLine[] = [];
  #size = 0;
  /** How many lines there have ever been. */
  #count = 0;
  #ended = false;
  readonly #waiting = new Set<() => void>();
  readonly #flushes: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** Takes the texts of one stream, in any pieces: the streams of a container are mixed by lines. */
  writer(): (text: string) => void {
    let rest = '';
    this.#flushes.push(() => {
      if (rest !== '') this.#add([rest]);
      rest = '';
    });
    return (text) => {
      const pieces = (rest + text).split(/(?<=\n)/);
      const last = pieces.at(-1) ?? '';
      rest = last.endsWith('\n') || last.length > LONGEST_LINE ? '' : last;
      this.#add(rest === '' ? pieces : pieces.slice(0, -1));
    };
  }

  /** The container is gone: its unfinished text is a line, and no reader need wait any more. */
  end(): void {
    this.#flushes.forEach((flush) => flush());
    this.#ended = true;
    this.#wake();
  }

  following(): AsyncIterable<readonly LogLine[], undefined> {
    let seen = this.#count;
    let left = false;
    const wake = new Set<() => void>();
    const next = async (): Promise<IteratorResult<readonly LogLine[], undefined>> => {
      while (!left && !this.#ended && seen === this.#count) await this.#change(wake);
      if (left || seen === this.#count) return { done: true, value: undefined };
      const value = this.#lines.slice(-(this.#count - seen));
      seen = this.#count;
      return { done: false, value };
    };
    const leave = (): Promise<IteratorResult<readonly LogLine[], undefined>> => {
      left = true;
      wake.forEach((each) => each());
      return Promise.resolve({ done: true, value: undefined });
    };
    return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
  }

  #add(texts: readonly string[]): void {
    const fresh = texts.filter((text) => text !== '');
    if (fresh.length === 0) return;
    const at = this.#clock.now();
    this.#lines.push(...fresh.map((text) => ({ at, text })));
    this.#count += fresh.length;
    this.#size += fresh.reduce((sum, text) => sum + text.length, 0);
    let old = 0;
    while (this.#size > LONGEST_LOG) this.#size -= this.#lines[old++]!.text.length;
    if (old > 0) this.#lines = this.#lines.slice(old);
    this.#wake();
  }

  /** Resolves with the next line, at the end, or when the one who waits is told to stop. */
  #change(own: Set<() => void>): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        own.delete(done);
        resolve();
      };
      this.#waiting.add(done);
      own.add(done);
    });
  }

  #wake(): void {
    [...this.#waiting].forEach((each) => each());
  }
}
