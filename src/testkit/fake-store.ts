import { keyOf, keyText, type KubeObject, type ObjectKey } from '../api/meta.ts';
import type { Resource } from '../api/resource.ts';
import type { Change, IndexQuery, Store } from '../kube/cache/cache.ts';

/** A store whose content, lag and readability a test sets by hand. */
export class FakeStore implements Store<KubeObject> {
  readonly resource: Resource;
  /** Keys that are behind. */
  readonly behind = new Set<string>();
  listBehind = false;
  unreadable: string | undefined;
  isKindUnknown = false;
  readonly #objects = new Map<string, KubeObject>();
  readonly #listeners = new Set<(change: Change<KubeObject>) => void>();
  readonly #onSettled = new Set<() => void>();

  constructor(resource: Resource, objects: readonly KubeObject[] = []) {
    this.resource = resource;
    for (const object of objects) this.#objects.set(keyText(keyOf(object)), object);
  }

  get size(): number {
    return this.#objects.size;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  get(key: ObjectKey): KubeObject | undefined {
    return this.#objects.get(keyText(key));
  }

  list(_by?: IndexQuery): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  isBehind(key: ObjectKey): boolean {
    return this.behind.has(keyText(key));
  }

  isListBehind(_by?: IndexQuery): boolean {
    return this.listBehind;
  }

  onChange(listener: (change: Change<KubeObject>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onSettled(listener: () => void): () => void {
    this.#onSettled.add(listener);
    return () => this.#onSettled.delete(listener);
  }

  /** The answer to our own write comes: the store has caught up with it, and nothing changes. */
  settle(key: ObjectKey): void {
    this.behind.delete(keyText(key));
    for (const listener of this.#onSettled) listener();
  }

  /** The watch shows an object: it is in the store, the store has caught up with it, and listeners are told. */
  put(object: KubeObject): void {
    const key = keyText(keyOf(object));
    const before = this.#objects.get(key);
    this.#objects.set(key, object);
    this.behind.delete(key);
    for (const listener of this.#listeners) listener({ kind: 'put', object, before });
  }

  remove(key: ObjectKey): void {
    const object = this.#objects.get(keyText(key));
    if (!object) return;
    this.#objects.delete(keyText(key));
    this.behind.delete(keyText(key));
    for (const listener of this.#listeners) listener({ kind: 'gone', object });
  }
}
