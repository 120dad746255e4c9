import type { Stored } from '../object.ts';
import type { StoredChange, Table } from './table.ts';

/** Changes that are not durable yet: the newest of each object, and a promise for all of them. */
export class PendingChanges {
  readonly #newest = new Map<Table, Map<string, StoredChange>>();
  #last: Promise<void> | undefined;
  #count = 0;

  /** Settles with the youngest change; undefined when there is none. */
  get settled(): Promise<void> | undefined {
    return this.#last;
  }

  /** The newest pending state of an object, undefined when its removal is pending; `otherwise` when no change of it is pending. */
  newest(table: Table, key: string, otherwise: Stored | undefined): Stored | undefined {
    const change = this.#count === 0 ? undefined : this.#newest.get(table)?.get(key);
    return change ? change.after : otherwise;
  }

  /** Keys of objects whose write is pending. */
  added(table: Table): readonly string[] {
    const changes = this.#newest.get(table);
    return changes ? [...changes.values()].filter(({ key, after }) => after && !table.get(key)).map(({ key }) => key) : [];
  }

  add(table: Table, change: StoredChange, settled: Promise<void>): void {
    const changes = this.#newest.get(table) ?? new Map<string, StoredChange>();
    this.#newest.set(table, changes.set(change.key, change));
    this.#last = settled;
    this.#count++;
  }

  /** Removes a change that is durable now. */
  arrived(table: Table, change: StoredChange): void {
    const changes = this.#newest.get(table);
    if (changes?.get(change.key) === change) changes.delete(change.key);
    if (--this.#count === 0) this.clear();
  }

  clear(): void {
    this.#newest.clear();
    this.#last = undefined;
    this.#count = 0;
  }
}
