import type { Topic } from '../contract/index.ts';

/** A change of one object. Its state is read when the change is sent: only the last state counts. */
export interface LoggedChange {
  readonly number: number;
  readonly topic: Topic;
  readonly name: string;
}

/** What changed since a moment; undefined where that is no longer known. */
export type ChangesSince = readonly LoggedChange[] | undefined;

const MOST_KEPT = 20_000;

/**
 * Which objects changed, in order. Several changes of one object count as the last of them, so a client that was away gets each object once,
 * and the log never holds more than the objects that changed.
 */
export class ChangeLog {
  readonly #most: number;
  readonly #latest = new Map<string, number>();
  #log: LoggedChange[] = [];
  /** The newest change that is no longer known. */
  #forgotten = 0;
  #newest = 0;

  constructor({ most = MOST_KEPT }: { readonly most?: number } = {}) {
    this.#most = most;
  }

  /** The number of the newest change; 0 before the first. */
  get newest(): number {
    return this.#newest;
  }

  add(topic: Topic, name: string): void {
    this.#newest++;
    this.#latest.set(keyOf(topic, name), this.#newest);
    this.#log.push({ number: this.#newest, topic, name });
    if (this.#log.length > 2 * this.#most) this.#compact();
  }

  /** Each object that changed after this number, once, in the order of its last change. */
  since(number: number): ChangesSince {
    if (number < this.#forgotten || number > this.#newest) return undefined;
    return this.#log.slice(this.#placeAfter(number)).filter((change) => this.#isLatest(change));
  }

  #isLatest({ number, topic, name }: LoggedChange): boolean {
    return this.#latest.get(keyOf(topic, name)) === number;
  }

  /** The log is sorted by number. */
  #placeAfter(number: number): number {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#log[middle]!.number <= number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compact(): void {
    const live = this.#log.filter((change) => this.#isLatest(change));
    const kept = live.slice(-this.#most);
    for (const { number, topic, name } of live.slice(0, live.length - kept.length)) {
      this.#forgotten = number;
      this.#latest.delete(keyOf(topic, name));
    }
    this.#log = kept;
  }
}

const keyOf = (topic: Topic, name: string): string => `${topic}/${name}`;
