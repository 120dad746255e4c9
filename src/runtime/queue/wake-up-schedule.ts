import type { Clock, Instant } from '../../base/index.ts';

interface Stop {
  readonly key: string;
  at: Instant;
  /** Of stops due at the same moment the one planned first comes first. */
  order: number;
  place: number;
}

/**
 * Keys with the moment each is due; one moment per key. A heap that knows where each key sits, so that moving a key's moment
 * leaves nothing behind: a key that plans hours ahead on every pass costs one place, not one per pass.
 */
export class Timetable {
  readonly #clock: Clock;
  readonly #fire: (key: string) => void;
  readonly #stops = new Map<string, Stop>();
  readonly #heap: Stop[] = [];
  #planned = 0;
  #armedFor: Instant | undefined;
  #poke: () => void = () => {};

  constructor(clock: Clock, fire: (key: string) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  get size(): number {
    return this.#heap.length;
  }

  when(key: string): Instant | undefined {
    return this.#stops.get(key)?.at;
  }

  /** Sets the key's moment in place of the one it had. */
  plan(key: string, at: Instant): void {
    const known = this.#stops.get(key);
    const stop = known ?? { key, at, order: 0, place: this.#heap.length };
    stop.at = at;
    stop.order = this.#planned++;
    if (!known) {
      this.#stops.set(key, stop);
      this.#heap.push(stop);
    }
    this.#sift(stop);
    if (this.#armedFor === undefined || at < this.#armedFor) this.#poke();
  }

  cancel(key: string): void {
    const stop = this.#stops.get(key);
    if (!stop) return;
    this.#stops.delete(key);
    const last = this.#heap.pop();
    if (last === undefined || last === stop) return;
    last.place = stop.place;
    this.#heap[last.place] = last;
    this.#sift(last);
  }

  /** Fires each key at its moment until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const poke = (): void => this.#poke();
    signal.addEventListener('abort', poke);
    while (!signal.aborted) {
      this.#fireDue();
      await this.#nextOrPoked(signal);
    }
    signal.removeEventListener('abort', poke);
  }

  #fireDue(): void {
    const now = this.#clock.now();
    for (let first = this.#heap[0]; first !== undefined && first.at <= now; first = this.#heap[0]) {
      this.cancel(first.key);
      this.#fire(first.key);
    }
  }

  async #nextOrPoked(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#armedFor = this.#heap[0]?.at;
    const poked = new AbortController();
    this.#poke = () => poked.abort();
    if (this.#armedFor === undefined) await new Promise<void>((resolve) => (this.#poke = resolve));
    else await this.#clock.waitUntil(this.#armedFor, poked.signal).catch(() => undefined);
    this.#poke = () => {};
  }

  #sift(stop: Stop): void {
    this.#up(stop);
    this.#down(stop);
  }

  #up(stop: Stop): void {
    while (stop.place > 0) {
      const parent = this.#heap[(stop.place - 1) >> 1]!;
      if (!isBefore(stop, parent)) return;
      this.#swap(stop, parent);
    }
  }

  #down(stop: Stop): void {
    for (;;) {
      const left = this.#heap[2 * stop.place + 1];
      if (left === undefined) return;
      const right = this.#heap[2 * stop.place + 2];
      const child = right !== undefined && isBefore(right, left) ? right : left;
      if (!isBefore(child, stop)) return;
      this.#swap(stop, child);
    }
  }

  #swap(a: Stop, b: Stop): void {
    [a.place, b.place] = [b.place, a.place];
    this.#heap[a.place] = a;
    this.#heap[b.place] = b;
  }
}

const isBefore = (a: Stop, b: Stop): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
