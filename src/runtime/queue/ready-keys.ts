/** A key in line. It is a link of its own line, so that leaving from the middle costs nothing. */
export interface ReadyKey {
  readonly key: string;
  priority: number;
  before: ReadyKey | undefined;
  behind: ReadyKey | undefined;
}

interface Line {
  readonly priority: number;
  first: ReadyKey | undefined;
  last: ReadyKey | undefined;
}

/** Keys in order of priority, and in order of arrival within one. Priorities are few: each has a line of its own. */
export class ReadyKeys<Item extends ReadyKey> {
  /** Highest priority first. */
  readonly #lines: Line[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  put(item: Item): void {
    const line = this.#lineOf(item.priority);
    item.before = line.last;
    item.behind = undefined;
    if (line.last) line.last.behind = item;
    else line.first = item;
    line.last = item;
    this.#size++;
  }

  /** The first of the highest priority. */
  take(): Item | undefined {
    for (const line of this.#lines) {
      const first = line.first;
      if (first === undefined) continue;
      this.#leave(line, first);
      return first as Item;
    }
    return undefined;
  }

  /** Moves an item that is in line to the end of another one. */
  raise(item: Item, priority: number): void {
    this.#leave(this.#lineOf(item.priority), item);
    item.priority = priority;
    this.put(item);
  }

  #leave(line: Line, item: ReadyKey): void {
    if (item.before) item.before.behind = item.behind;
    else line.first = item.behind;
    if (item.behind) item.behind.before = item.before;
    else line.last = item.before;
    item.before = undefined;
    item.behind = undefined;
    this.#size--;
  }

  #lineOf(priority: number): Line {
    const known = this.#lines.find((line) => line.priority === priority);
    if (known) return known;
    const line: Line = { priority, first: undefined, last: undefined };
    const at = this.#lines.findIndex((other) => other.priority < priority);
    this.#lines.splice(at < 0 ? this.#lines.length : at, 0, line);
    return line;
  }
}
