import { after, assertNever, backoffDelay, type Backoff, type Clock, type Instant, type Random } from '../../base/index.ts';
import { ReadyKeys, type ReadyKey } from './ready-keys.ts';
import { Timetable } from './wake-up-schedule.ts';

/** Called as things happen, for metrics. */
export interface QueueHooks {
  /** A key became ready that was not. */
  added?(): void;
  /** A key was handed to a worker, so many milliseconds after it became ready. */
  taken?(waitedMs: number): void;
  /** A key was sent away to come back after its backoff. */
  retried?(): void;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Measures delays; a clock that people or NTP can set must not stretch them. The same as `clock` when absent. */
  readonly steady?: Clock;
  readonly random?: Random;
  readonly backoff?: Backoff;
  readonly hooks?: QueueHooks;
}

/** Fast enough that a passing conflict is not felt, slow enough that an API outage is not a storm. */
const DEFAULT_BACKOFF: Backoff = { baseMs: 20, maxMs: 60_000, jitter: 0.2 };

/** So much later than planned, by the steady clock, a wake-up comes although the other clock does not say so: that one was set back. */
const CLOCK_SET_BACK_MS = 5_000;

/** Idle keys whose records are kept before they are swept: keys come back, and a kept record is cheaper than a new one. */
const IDLE_KEPT = 1_024;

/** `again` remembers an add that came while the key was in work. */
interface Work extends ReadyKey {
  state: 'idle' | 'ready' | 'working';
  again: boolean;
  readyAt: number;
}

/**
 * Keys that want work, each at most once.
 *
 *            add                    get                     done
 *   (idle) ───────▶ ready (by priority) ───────▶ working ───────▶ (idle), or ready again if added meanwhile
 *      ▲               ▲
 *      │               ├── wakeAt: absolute; the last pass's word replaces the one before, an add in between leaves it alone.
 *      │               │   A clock that was set back delays no key: the pass checks it again
 *      └───────────────┴── retry: after the key's backoff; a pass that starts for any other reason makes it moot
 *
 * A key is never in two hands, and an add is never lost: it is ready, or it is noted on the key in work.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #steady: Clock;
  readonly #works = new Map<string, Work>();
  readonly #ready = new ReadyKeys<Work>();
  readonly #failures = new Map<string, number>();
  readonly #wakeUps: Timetable;
  /** When each wake-up comes at the latest. */
  readonly #overdue: Timetable;
  readonly #retries: Timetable;
  readonly #idleWorkers: ((key: string | undefined) => void)[] = [];
  readonly #onDrained: (() => void)[] = [];
  #working = 0;
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#steady = options.steady ?? options.clock;
    this.#wakeUps = new Timetable(options.clock, (key) => this.#wake(key));
    this.#overdue = new Timetable(this.#steady, (key) => this.#wake(key));
    this.#retries = new Timetable(this.#steady, (key) => this.add(key));
  }

  /** Keys that are ready and not being worked on. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Keys in work. */
  get working(): number {
    return this.#working;
  }

  /** Wants the key worked on. One that is ready already keeps its turn, or moves up when the new priority is higher. */
  add(key: string, priority = 0): void {
    if (this.#closed) return;
    const work = this.#works.get(key) ?? this.#newWork(key);
    switch (work.state) {
      case 'idle':
        return this.#enqueue(work, priority);
      case 'ready':
        if (priority > work.priority) this.#ready.raise(work, priority);
        return;
      case 'working':
        work.priority = work.again ? Math.max(work.priority, priority) : priority;
        work.again = true;
        return;
      default:
        return assertNever(work.state);
    }
  }

  /** The next key, as soon as there is one; undefined once the queue is closed. Every key must come back through `done`. */
  get(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const work = this.#ready.take();
    if (work !== undefined) return Promise.resolve(this.#begin(work));
    return new Promise((resolve) => this.#idleWorkers.push(resolve));
  }

  /** Ends the work on a key that `get` returned. */
  done(key: string): void {
    const work = this.#works.get(key);
    if (work?.state !== 'working') return;
    this.#working--;
    work.state = 'idle';
    if (this.#closed) return this.#working === 0 ? this.#tellDrained() : undefined;
    if (work.again) this.#enqueue(work, work.priority);
    else if (this.#works.size > 2 * (this.#ready.size + this.#working) + IDLE_KEPT) this.#sweep();
  }

  /** Brings the key back after its backoff, which grows with every call until `forget`. Returns the delay. */
  retry(key: string): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const delay = backoffDelay(this.#options.backoff ?? DEFAULT_BACKOFF, failures, this.#options.random);
    this.retryIn(key, delay);
    this.#options.hooks?.retried?.();
    return delay;
  }

  /** Brings the key back after a delay that is no sign of failure. */
  retryIn(key: string, ms: number): void {
    if (!this.#closed) this.#retries.plan(key, after(this.#steady.now(), ms));
  }

  /** The key is well: its next failure waits the shortest time again, and a retry under way is off. */
  forget(key: string): void {
    this.#failures.delete(key);
    this.#retries.cancel(key);
  }

  /** Sets the moment at which the key becomes ready by itself, in place of the one it had; undefined takes it away. */
  wakeAt(key: string, at: Instant | undefined): void {
    if (at === undefined || this.#closed) return this.#cancelWakeUp(key);
    this.#wakeUps.plan(key, at);
    this.#overdue.plan(key, after(this.#steady.now(), at - this.#options.clock.now() + CLOCK_SET_BACK_MS));
  }

  /** The key's wake-up, to explain what is being waited for. */
  wakesAt(key: string): Instant | undefined {
    return this.#wakeUps.when(key);
  }

  /** Keeps wake-ups and retries going until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#wakeUps.run(signal), this.#overdue.run(signal), this.#retries.run(signal)]);
  }

  /** Returns no further keys. Resolves when no key is in work; ready keys are dropped, since a new start looks at everything. */
  close(): Promise<void> {
    this.#closed = true;
    for (const tell of this.#idleWorkers.splice(0)) tell(undefined);
    if (this.#working === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onDrained.push(resolve));
  }

  #wake(key: string): void {
    this.#cancelWakeUp(key);
    this.add(key);
  }

  #cancelWakeUp(key: string): void {
    this.#wakeUps.cancel(key);
    this.#overdue.cancel(key);
  }

  #enqueue(work: Work, priority: number): void {
    work.state = 'ready';
    work.priority = priority;
    work.again = false;
    const { hooks } = this.#options;
    hooks?.added?.();
    if (hooks?.taken) work.readyAt = this.#steady.now();
    const worker = this.#idleWorkers.shift();
    if (worker === undefined) this.#ready.put(work);
    else worker(this.#begin(work));
  }

  #begin(work: Work): string {
    work.state = 'working';
    this.#working++;
    this.#retries.cancel(work.key);
    const { hooks } = this.#options;
    if (hooks?.taken) hooks.taken(this.#steady.now() - work.readyAt);
    return work.key;
  }

  #newWork(key: string): Work {
    const work: Work = { key, priority: 0, state: 'idle', again: false, readyAt: 0, before: undefined, behind: undefined };
    this.#works.set(key, work);
    return work;
  }

  #sweep(): void {
    for (const [key, work] of this.#works) if (work.state === 'idle') this.#works.delete(key);
  }

  #tellDrained(): void {
    for (const tell of this.#onDrained.splice(0)) tell();
  }
}
