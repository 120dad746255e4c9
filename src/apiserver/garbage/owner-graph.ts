import type { ObjectMeta } from '../../kube/meta.ts';
import type { StoredChange } from '../store/table.ts';

/** The address of an object. */
export interface Ref {
  readonly table: string;
  readonly key: string;
}

/** Dependents by the UID of their owner. */
export class OwnerGraph {
  readonly #places = new Map<string, Ref>();
  /** Owner's UID → dependents, by their own UIDs. */
  readonly #dependents = new Map<string, Set<string>>();

  /** Applies a committed change. Dependents of a deleted owner stay known until they are deleted or change. */
  follow(table: string, { key, before, after }: StoredChange): void {
    if (before && after && before.metadata.ownerReferences === after.metadata.ownerReferences) return;
    if (before && !after) this.#places.delete(before.metadata.uid);
    if (after && !before) this.#places.set(after.metadata.uid, { table, key });
    if (before) this.#forget(before.metadata);
    if (after) this.#remember(after.metadata);
  }

  placeOf(uid: string): Ref | undefined {
    return this.#places.get(uid);
  }

  /** The objects that name this UID as an owner. */
  dependents(uid: string): readonly Ref[] {
    return [...(this.#dependents.get(uid) ?? [])].map((dependent) => this.#places.get(dependent)).filter((place) => place !== undefined);
  }

  #remember({ uid, ownerReferences = [] }: ObjectMeta): void {
    for (const owner of ownerReferences) {
      const known = this.#dependents.get(owner.uid) ?? new Set<string>();
      this.#dependents.set(owner.uid, known.add(uid));
    }
  }

  #forget({ uid, ownerReferences = [] }: ObjectMeta): void {
    for (const owner of ownerReferences) {
      const known = this.#dependents.get(owner.uid);
      known?.delete(uid);
      if (known?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}
