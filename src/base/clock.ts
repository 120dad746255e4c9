import { MINUTE } from './duration.ts';

/** A moment, in milliseconds since the Unix epoch. */
export type Instant = number & { readonly __brand: 'Instant' };

/** Names a number of milliseconds since the epoch as an Instant. */
export const instant = (epochMs: number): Instant => epochMs as Instant;

/** The moment `ms` milliseconds after `at`. */
export const after = (at: Instant, ms: number): Instant => instant(at + ms);

/** The one source of time. Decisions take `now` as an argument; only shells hold a Clock. */
export interface Clock {
  now(): Instant;
  /** Resolves at `at` (at once when it has passed), or rejects with the signal's reason when `signal` aborts first. */
  waitUntil(at: Instant, signal: AbortSignal): Promise<void>;
}

/**
 * Timers measure what has passed, not what the clock says: longer waits are made of several, so that a clock that was set
 * ahead, or a machine that slept, is noticed within this time.
 */
export const LONGEST_TIMER_MS = 60_000;

/** The machine's own clock. */
export const systemClock: Clock = timerClock(() => Date.now());

/**
 * Counts on without ever being set, from an origin that means nothing: for delays and durations, never for moments that anyone
 * else is to read.
 */
export const steadyClock: Clock = timerClock(() => performance.now());

function timerClock(now: () => number): Clock {
  return {
    now: () => instant(now()),
    waitUntil(at, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        let timer: NodeJS.Timeout;
        const stop = (): void => {
          clearTimeout(timer);
          reject(signal.reason as Error);
        };
        const arm = (): void => {
          const left = at - now();
          if (left > 0) {
            timer = setTimeout(arm, Math.min(left, LONGEST_TIMER_MS));
            return;
          }
          signal.removeEventListener('abort', stop);
          resolve();
        };
        signal.addEventListener('abort', stop, { once: true });
        arm();
      });
    },
  };
}

/** Lets everything that is already due run (microtasks and what they queue), then continues. Takes no time on any Clock. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The last moment that the wire form can say. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * Wire form with whole seconds, as Kubernetes writes metav1.Time: `2026-11-15T03:00:00Z`. What is later than the year 9999, because
 * an object has that year, is its last second: no server accepts a later time.
 */
export const toTime = (at: Instant): string => `${new Date(Math.min(at, LAST_TIME)).toISOString().slice(0, 19)}Z`;

/** Wire form with microseconds, as Kubernetes writes metav1.MicroTime (Leases, Events). */
export const toMicroTime = (at: Instant): string => new Date(at).toISOString().replace('Z', '000Z');

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Reads an RFC 3339 date-time; undefined when it is none. Its zone is required: the machine's own must never matter. */
export function parseTime(text: string | undefined): Instant | undefined {
  const match = RFC3339.exec(text?.toUpperCase() ?? '');
  if (!match || !isDay(Number(match[1]), Number(match[2]), Number(match[3]))) return undefined;
  const ms = Date.parse(match[0]);
  return Number.isNaN(ms) ? undefined : instant(ms);
}

/** By how much clocks differ without one of them being wrong. */
const CLOCKS_DIFFER_MS = MINUTE;

/** Whether a moment that should have been is yet to come: the clock was set back, or a process with a slower one took over. */
export const isAhead = (moment: string | undefined, now: Instant): boolean =>
  (parseTime(moment) ?? instant(0)) > after(now, CLOCKS_DIFFER_MS);

/** Date.parse takes the 30th of February for the 2nd of March. */
const isDay = (year: number, month: number, day: number): boolean =>
  (day > 0 && day <= 28) || new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
