import { keyOf, keyText, type KubeObject } from '../../api/meta.ts';
import { resourceName } from '../../api/resource.ts';
import type { ObjectStore } from './object-store.ts';
import type { Write } from './recording-client.ts';

type AnyStore = ObjectStore<KubeObject>;

export interface LedgerDeps {
  readonly stores: () => readonly AnyStore[];
  /** Called for a write whose outcome is unknown. */
  readonly onLost: (write: Write) => void;
  /** Told of a refusal that makes one doubt what the store shows under the key. */
  readonly onContradicted: (store: AnyStore, key: string) => void;
}

/** Tells every store that may hold an object what we did to it. A kind's versions are one set of objects. */
export class WriteLedger {
  readonly #stores: () => readonly AnyStore[];
  readonly #onLost: (write: Write) => void;
  readonly #onContradicted: (store: AnyStore, key: string) => void;

  constructor(deps: LedgerDeps) {
    this.#stores = deps.stores;
    this.#onLost = deps.onLost;
    this.#onContradicted = deps.onContradicted;
  }

  begin(write: Write): void {
    for (const store of this.#concerned(write)) store.writes.begin(keyText(write.key), write.draft);
  }

  /** `contradicted`: the reason lies in the object, which is not as it was thought to be. */
  refused(write: Write, contradicted: boolean): void {
    const key = keyText(write.key);
    for (const store of this.#concerned(write)) {
      store.writes.refused(key);
      if (contradicted) this.#onContradicted(store, key);
      store.settled();
    }
  }

  wrote(write: Write, object: KubeObject | undefined): void {
    if (write.key.name === '' && object) return this.#named({ ...write, key: keyOf(object) }, object);
    for (const store of this.#concerned(write)) {
      store.writes.wrote(keyText(write.key), object);
      store.settled();
    }
  }

  /** Without a UID known to us the name alone does not tell which object goes: that takes a look. */
  deleted(write: Write, uid: string | undefined): void {
    const key = keyText(write.key);
    let unknown = false;
    for (const store of this.#concerned(write)) {
      const going = uid ?? store.writes.uidOf(key) ?? store.shown(key)?.metadata.uid;
      if (going === undefined) store.writes.lost(key);
      else store.writes.deleted(key, going);
      unknown ||= going === undefined;
      store.settled();
    }
    if (unknown) this.#onLost(write);
  }

  lost(write: Write): void {
    const concerned = this.#concerned(write);
    for (const store of concerned) store.writes.lost(keyText(write.key));
    if (concerned.length > 0) this.#onLost(write);
  }

  /** A read begun after the loss found the object, or none. */
  found(write: Write, object: KubeObject | undefined): void {
    const key = keyText(write.key);
    for (const store of this.#concerned(write)) {
      store.writes.found(key, object?.metadata.resourceVersion, store.shown(key));
      store.settled();
    }
  }

  #named(write: Write, object: KubeObject): void {
    this.begin(write);
    this.wrote(write, object);
  }

  /** None for a write whose name the server makes up: it cannot be told apart before the answer, and not at all without one. */
  #concerned(write: Write): readonly AnyStore[] {
    if (write.key.name === '') return [];
    const name = resourceName(write.resource);
    return this.#stores().filter((store) => resourceName(store.resource) === name && store.covers(write.key.namespace));
  }
}
