import type { Change } from '../store/table.ts';

/** Where an object is. */
export interface Ref {
  readonly table: string;
  readonly key: string;
}

/** Who is owned by whom, by UID. */
export class OwnerGraph {
  readonly #places = new Map<string, Ref>();
  /** Owner's UID → dependents, by their own UIDs. */
  readonly #dependents = new Map<string, Set<string>>();

  /** Takes a committed change in. Dependents of what is gone stay known until they go or change themselves. */
  follow(table: string, { key, before, after }: Change): void {
    if (before && before.metadata.uid !== after?.metadata.uid) this.#places.delete(before.metadata.uid);
    if (after && before?.metadata.uid !== after.metadata.uid) this.#places.set(after.metadata.uid, { table, key });
    if (before?.metadata.ownerReferences === after?.metadata.ownerReferences) return;
    for (const { uid } of before?.metadata.ownerReferences ?? []) this.#forget(uid, before!.metadata.uid);
    for (const { uid } of after?.metadata.ownerReferences ?? []) {
      const known = this.#dependents.get(uid) ?? new Set<string>();
      this.#dependents.set(uid, known.add(after!.metadata.uid));
    }
  }

  placeOf(uid: string): Ref | undefined {
    return this.#places.get(uid);
  }

  /** The objects that name this UID as an owner. */
  dependents(uid: string): readonly Ref[] {
    return [...(this.#dependents.get(uid) ?? [])].map((dependent) => this.#places.get(dependent)).filter((place) => place !== undefined);
  }

  #forget(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner);
    known?.delete(dependent);
    if (known?.size === 0) this.#dependents.delete(owner);
  }
}
