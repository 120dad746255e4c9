import type { Instant } from '../../base/index.ts';

/** What was so from when on: the world's own memory, to hold against what was written. */
export class Timeline<T> {
  readonly #turns: { readonly at: Instant; readonly value: T }[] = [];

  set(at: Instant, value: T): void {
    this.#turns.push({ at, value });
  }

  /** What was so at a moment; undefined before the first. */
  at(moment: Instant): T | undefined {
    return this.#turns.findLast(({ at }) => at <= moment)?.value;
  }

  /** All that was so at some moment of the stretch, its ends included. */
  during(from: number, to: number): readonly T[] {
    const first = this.#turns.findLastIndex(({ at }) => at <= from);
    return this.#turns
      .slice(Math.max(0, first))
      .filter(({ at }) => at <= to)
      .map(({ value }) => value);
  }

  /** For how long at a stretch, up to a moment, it was so. */
  longest(isSo: (value: T) => boolean, until: Instant): number {
    let [longest, since] = [0, Infinity];
    for (const { at, value } of this.#turns.filter((turn) => turn.at <= until)) {
      longest = Math.max(longest, at - since);
      since = isSo(value) ? Math.min(since, at) : Infinity;
    }
    return Math.max(longest, until - since);
  }
}
