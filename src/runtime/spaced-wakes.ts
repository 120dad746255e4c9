import { after, type Clock } from '../base/index.ts';
import { Timetable } from './timetable.ts';

/** Wakes each key at most once in an interval. What is too early is put off to the end of it, never lost. */
export class SpacedWakes {
  readonly #everyMs: number;
  readonly #steady: Clock;
  readonly #wake: (key: string) => void;
  readonly #putOff: Timetable;
  readonly #woken = new Map<string, number>();

  constructor(everyMs: number, steady: Clock, wake: (key: string) => void) {
    this.#everyMs = everyMs;
    this.#steady = steady;
    this.#wake = wake;
    this.#putOff = new Timetable(steady, (key) => this.#now(key));
  }

  wake(key: string): void {
    const earliest = (this.#woken.get(key) ?? -Infinity) + this.#everyMs;
    const left = earliest - this.#steady.now();
    if (left <= 0) this.#now(key);
    else if (this.#putOff.when(key) === undefined) this.#putOff.plan(key, after(this.#steady.now(), left));
  }

  /** Keeps what was put off going until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#putOff.run(signal);
  }

  #now(key: string): void {
    this.#woken.set(key, this.#steady.now());
    this.#wake(key);
  }
}
