import { after, type Clock, type Instant } from '../../base/index.ts';
import { Timetable } from './wake-up-schedule.ts';

/** Wakes each key at most once in an interval. What is too early is put off to the end of it, never lost. */
export class SpacedWakes {
  readonly #steady: Clock;
  readonly #wake: (key: string) => void;
  readonly #putOff: Timetable;
  readonly #woken = new Map<string, Instant>();

  constructor(steady: Clock, wake: (key: string) => void) {
    this.#steady = steady;
    this.#wake = wake;
    this.#putOff = new Timetable(steady, (key) => this.#now(key));
  }

  /** The shortest interval among those that were asked for counts: who can wait is woken with who cannot. */
  wake(key: string, everyMs: number): void {
    const last = this.#woken.get(key);
    const earliest = last === undefined ? this.#steady.now() : after(last, everyMs);
    if (earliest <= this.#steady.now()) return this.#now(key);
    const planned = this.#putOff.when(key);
    if (planned === undefined || earliest < planned) this.#putOff.plan(key, earliest);
  }

  /** Keeps what was put off going until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#putOff.run(signal);
  }

  #now(key: string): void {
    this.#putOff.cancel(key);
    this.#woken.set(key, this.#steady.now());
    this.#wake(key);
  }
}
