import { useSyncExternalStore } from 'react';

/** The time of the server. Limits are counted down by it, whatever the clock of the browser says. */
class ServerClock {
  /** How far the clock of the browser is ahead, in milliseconds; negative when it is behind. */
  browserAheadMs = 0;
  readonly #listeners = new Set<() => void>();
  #second = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;

  /** In milliseconds since 1970. */
  now(): number {
    return Date.now() - this.browserAheadMs;
  }

  /** Takes the time that the server answered as the right one. */
  set(time: string): void {
    this.browserAheadMs = Date.now() - Date.parse(time);
    this.#tick();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#second = Math.floor(this.now() / 1000);
    this.#ticking ??= setInterval(() => this.#tick(), 1000);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#ticking);
      this.#ticking = undefined;
    };
  };

  readonly second = (): number => (this.#ticking === undefined ? Math.floor(this.now() / 1000) : this.#second);

  #tick(): void {
    this.#second = Math.floor(this.now() / 1000);
    for (const listener of this.#listeners) listener();
  }
}

export const serverClock = new ServerClock();

/** The time of the server, which is another one every second. */
export const useNow = (): number => useSyncExternalStore(serverClock.subscribe, serverClock.second) * 1000;

export const millisecondsOf = (time: string): number => Date.parse(time);

/** A time as people write it here. */
export const absoluteTime = (time: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(time));

/** The time of day without seconds, for axes; in seconds since the epoch, as plots count. */
export const axisTime = (seconds: number): string =>
  new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(new Date(seconds * 1000));

/** The time of day as people write it here, with seconds. */
export const clockTime = (time: string): string => new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }).format(new Date(time));

/** Waits; ends early, without an error, when the signal aborts. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Calls once, after this time, however often it is asked for before. */
export function throttled(milliseconds: number, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      call();
    }, milliseconds);
  };
}
