import { after, instant, turn, type Clock, type Instant } from '../../base/index.ts';

/** A clock that stands still until it is moved. */
export interface FakeClock extends Clock {
  /** Moves on, ending each wait at its moment, and lets what follows from it run. */
  advance(ms: number): Promise<void>;
  /** How many wait. */
  readonly waiting: number;
}

interface Wait {
  readonly at: Instant;
  end(): void;
}

export const START = instant(1_790_000_000_000);

/** Starts at a fixed moment. */
export function fakeClock(start = START): FakeClock {
  let now = start;
  const waits = new Set<Wait>();
  const nextDue = (until: Instant): Wait | undefined => [...waits].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    get waiting() {
      return waits.size;
    },
    waitUntil(at, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (at <= now) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const stop = (): void => void (waits.delete(wait), reject(signal.reason as Error));
        const wait: Wait = { at, end: () => void (signal.removeEventListener('abort', stop), resolve()) };
        signal.addEventListener('abort', stop, { once: true });
        waits.add(wait);
      });
    },
    async advance(ms) {
      const until = after(now, ms);
      await turn();
      for (let wait = nextDue(until); wait; wait = nextDue(until)) {
        now = wait.at;
        waits.delete(wait);
        wait.end();
        await turn();
      }
      now = until;
      await turn();
    },
  };
}
