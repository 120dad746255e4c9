import { after, instant, LONGEST_TIMER_MS, PlatformError, type Clock, type Instant, type Logger, type Random } from '../base/index.ts';
import type { Transport } from '../kube/client/transport.ts';
import type { Journal } from './journal.ts';
import type { VirtualTime } from './virtual-time.ts';

/** All that a simulated process gets of the world. It can reach nothing else, so it cannot tell that it is simulated. */
export interface ReplicaEnv {
  readonly name: string;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Measures what has passed; jumps of the clock do not reach it. */
  readonly steady: Clock;
  readonly random: Random;
  /** Its lines go to the journal of the run. */
  readonly log: Logger;
  /** Aborts when the process is asked to stop; a crash does not ask. */
  readonly signal: AbortSignal;
}

/** Starts a process; it lives on through what it awaits. */
export type Boot = (env: ReplicaEnv) => Promise<void>;

/** One life of a process, from start to crash. What was on its way to a past life never arrives. */
export interface Life {
  readonly number: number;
  alive: boolean;
  readonly stop: AbortController;
  /** Called at the crash, to hang up what the process held open. */
  readonly atDeath: Set<() => void>;
}

/** A process that can die, stand still, and have its clock set, without its own doing. */
export class Replica {
  readonly name: string;
  readonly #time: VirtualTime;
  readonly #journal: Journal;
  readonly #start: (replica: Replica, life: Life) => void;
  #life: Life | undefined;
  readonly #lives: Life[] = [];
  #frozenUntil: Instant;
  #clockOffset = 0;

  constructor(options: { name: string; time: VirtualTime; journal: Journal; start: (replica: Replica, life: Life) => void }) {
    this.name = options.name;
    this.#time = options.time;
    this.#journal = options.journal;
    this.#start = options.start;
    this.#frozenUntil = options.time.now();
  }

  start(): void {
    this.#life = { number: this.#lives.length + 1, alive: true, stop: new AbortController(), atDeath: new Set() };
    this.#lives.push(this.#life);
    this.#journal.note(this.name, () => 'starts');
    this.#start(this, this.#life);
  }

  /** Ends the process between two of its instructions; it is started again after `downMs`. */
  crash(downMs: number): void {
    const life = this.#life;
    if (!life?.alive) return;
    life.alive = false;
    this.#life = undefined;
    this.#frozenUntil = this.#time.now();
    this.#journal.note(this.name, () => 'dies');
    for (const hangUp of life.atDeath) hangUp();
    this.#time.at(after(this.#time.now(), downMs), () => this.start());
  }

  /** Ends every life of the process, and asks each to release its resources. */
  end(): void {
    for (const life of this.#lives) {
      life.alive = false;
      life.stop.abort(new PlatformError('Unavailable', 'the simulation is over'));
    }
  }

  /** The process stands still: nothing reaches it and nothing leaves it until `ms` have passed. */
  freeze(ms: number): void {
    this.#frozenUntil = instant(Math.max(this.#frozenUntil, this.#time.now() + ms));
    this.#journal.note(this.name, () => `stands still for ${ms} ms`);
  }

  get frozenUntil(): Instant {
    return this.#frozenUntil;
  }

  jumpClock(ms: number): void {
    this.#clockOffset += ms;
    this.#journal.note(this.name, () => `clock jumps by ${ms} ms`);
  }

  /** Runs `action` inside the process once `due` has come, the process is not frozen, and this life still lasts. */
  deliver(life: Life, due: Instant, action: () => void): () => void {
    let cancel: () => void;
    const arrive = (): void => {
      if (!life.alive) return;
      if (this.#time.now() < this.#frozenUntil) {
        cancel = this.#time.at(this.#frozenUntil, arrive);
        return;
      }
      action();
    };
    cancel = this.#time.at(due, arrive);
    return () => cancel();
  }

  /** The process's own clock. Timers run by elapsed time, as real ones do; a jump is noticed when the next one fires. */
  clockFor(life: Life): Clock {
    return this.#clock(life, () => instant(this.#time.now() + this.#clockOffset));
  }

  /** The process's stopwatch. */
  steadyClockFor(life: Life): Clock {
    return this.#clock(life, () => this.#time.now());
  }

  #clock(life: Life, now: () => Instant): Clock {
    return {
      now,
      waitUntil: (at, signal) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) return reject(signal.reason as Error);
          let cancel: () => void;
          const stop = (): void => {
            cancel();
            reject(signal.reason as Error);
          };
          const arm = (): void => {
            const left = at - now();
            if (left > 0) {
              cancel = this.deliver(life, after(this.#time.now(), Math.min(left, LONGEST_TIMER_MS)), arm);
              return;
            }
            signal.removeEventListener('abort', stop);
            resolve();
          };
          signal.addEventListener('abort', stop, { once: true });
          arm();
        }),
    };
  }
}
