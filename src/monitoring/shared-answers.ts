import { after, type Clock, type Instant } from '../base/index.ts';

interface Kept<T> {
  readonly answer: T;
  readonly until: Instant;
}

export interface SharedAnswersOptions {
  /** A steady clock. */
  readonly steady: Clock;
  /** How many answers are kept at most; the oldest are dropped first. */
  readonly most: number;
}

/** Equal queries at the same time, or within a time afterwards, get the same answer. A failure is never kept. */
export class SharedAnswers<T> {
  readonly #steady: Clock;
  readonly #most: number;
  readonly #asked = new Map<string, Promise<T>>();
  readonly #kept = new Map<string, Kept<T>>();

  constructor({ steady, most }: SharedAnswersOptions) {
    this.#steady = steady;
    this.#most = most;
  }

  /** How many answers are kept. */
  get size(): number {
    return this.#kept.size;
  }

  get(key: string, keepMs: number, ask: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key);
    if (kept && this.#steady.now() < kept.until) return Promise.resolve(kept.answer);
    const open = this.#asked.get(key);
    if (open) return open;
    const asking = this.#ask(key, keepMs, ask);
    this.#asked.set(key, asking);
    return asking;
  }

  async #ask(key: string, keepMs: number, ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      if (keepMs > 0) this.#keep(key, { answer, until: after(this.#steady.now(), keepMs) });
      return answer;
    } finally {
      this.#asked.delete(key);
    }
  }

  #keep(key: string, kept: Kept<T>): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const now = this.#steady.now();
    for (const [oldest, { until }] of this.#kept) {
      if (until > now && this.#kept.size <= this.#most) return;
      this.#kept.delete(oldest);
    }
  }
}
