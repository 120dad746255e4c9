import { instant, turn, type Clock, type Instant } from '../base/index.ts';

interface Waiter {
  readonly at: Instant;
  readonly resolve: () => void;
}

/** A clock that stands until a test moves it. */
export class ManualClock implements Clock {
  #now: Instant;
  #waiters: Waiter[] = [];

  constructor(start = 1_794_711_600_000) {
    this.#now = instant(start);
  }

  now(): Instant {
    return this.#now;
  }

  /** How many wait: none may be left when a test is over. */
  get waiting(): number {
    return this.#waiters.length;
  }

  waitUntil(at: Instant, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      if (at <= this.#now) return resolve();
      const stop = (): void => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        at,
        resolve: () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
      };
      this.#waiters.push(waiter);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** Moves on by `ms`, from one waiter to the next, and lets each have its turn before the clock goes on. */
  async advance(ms: number): Promise<void> {
    const end = instant(this.#now + ms);
    await turn();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#now = next.at > this.#now ? next.at : this.#now;
      this.#waiters = this.#waiters.filter((other) => other !== next);
      next.resolve();
      await turn();
    }
    this.#now = end;
    await turn();
  }

  /** Is set to another time, as people and NTP do; who waits is told nothing. */
  jump(ms: number): void {
    this.#now = instant(this.#now + ms);
  }

  #next(end: Instant): Waiter | undefined {
    return this.#waiters.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
  }
}
