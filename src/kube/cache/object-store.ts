import { keyOf, keyText, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import { messageOf, type Logger } from '../../base/index.ts';
import type { Change, IndexQuery, Store, StoreOptions } from './cache.ts';
import { KeptObjects } from './indexed-objects.ts';
import { OwnWrites, type View } from './own-writes.ts';
import { compareVersions, isNewer } from '../client/resource-version.ts';
import { matchesLabels, parseLabelSelector, type LabelRequirement } from '../selectors/index.ts';

type Listener<T extends KubeObject> = (change: Change<T>) => void;

/** A store as its reflector fills it. Readers see only `Store`. */
export class ObjectStore<T extends KubeObject> implements Store<T>, View {
  readonly resource: Resource<T>;
  readonly writes = new OwnWrites();
  readonly #log: Logger;
  readonly #namespace: string | undefined;
  readonly #labels: readonly LabelRequirement[];
  readonly #objects = new KeptObjects<T>();
  readonly #listeners = new Set<Listener<T>>();
  readonly #onSettled = new Set<() => void>();
  #progress: string | undefined;
  unreadable: string | undefined;
  isKindUnknown = false;

  constructor(options: Pick<StoreOptions<T>, 'resource' | 'namespace' | 'labelSelector'>, log: Logger) {
    this.resource = options.resource;
    this.#namespace = options.namespace;
    this.#labels = parseLabelSelector(options.labelSelector ?? '');
    this.#log = log.with({ resource: resourceName(options.resource) });
  }

  get size(): number {
    return this.#objects.size;
  }

  /** The newest version that the stream has passed: every change up to it is in the store. */
  get progress(): string | undefined {
    return this.#progress;
  }

  get(key: ObjectKey): T | undefined {
    return this.#objects.get(keyText(key));
  }

  shown(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(by?: IndexQuery): readonly T[] {
    return this.#objects.list(by);
  }

  isBehind(key: ObjectKey): boolean {
    return this.writes.isBehind(keyText(key), this);
  }

  isListBehind(by?: IndexQuery): boolean {
    return this.writes.isListBehind(this, (object) => this.#selects(object) && (!by || this.#objects.wouldList(object as T, by)));
  }

  /** Whether the store follows objects of this namespace ('' for cluster-scoped ones). */
  covers(namespace: string): boolean {
    return this.#namespace === undefined || this.#namespace === namespace;
  }

  #selects(object: unknown): boolean {
    return matchesLabels(this.#labels, (object as Partial<KubeObject>).metadata?.labels);
  }

  onChange(listener: Listener<T>): () => void {
    // Wrapped, so that a function registered twice is told twice and each registration ends by itself.
    const entry: Listener<T> = (change) => listener(change);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  onSettled(listener: () => void): () => void {
    const entry = (): void => listener();
    this.#onSettled.add(entry);
    return () => void this.#onSettled.delete(entry);
  }

  /** One of our writes has ended, in whatever way; to be called when `writes` knows it. */
  settled(): void {
    for (const listener of this.#onSettled) listener();
  }

  addIndexes(indexes: StoreOptions<T>['indexes'] = {}): void {
    for (const [name, by] of Object.entries(indexes)) this.#objects.index(name, by);
  }

  /** The stream showed that the object is so. */
  put(object: T): void {
    this.passed(object.metadata.resourceVersion);
    this.#put(keyText(keyOf(object)), object);
  }

  /** The stream showed that the object is gone. */
  remove(object: KubeObject): void {
    this.passed(object.metadata.resourceVersion);
    const key = keyText(keyOf(object));
    if (this.#objects.get(key)?.metadata.uid === object.metadata.uid) this.#remove(key);
  }

  /** The stream has passed this version. */
  passed(version: string): void {
    if (isNewer(version, this.#progress)) this.#progress = version;
  }

  /** There are no objects of a kind that is not served. How far the stream was is still true when the kind comes back. */
  clear(): void {
    for (const key of [...this.#objects.keys()].toSorted()) this.#remove(key);
  }

  /** A list is the truth at its version, whatever was here. Changes are told in key order. */
  replace(items: readonly T[], version: string): void {
    this.#progress = version;
    const listed = new Map(items.map((object) => [keyText(keyOf(object)), object]));
    const keys = new Set([...this.#objects.keys(), ...listed.keys()]);
    for (const key of [...keys].toSorted()) {
      const object = listed.get(key);
      if (object) this.#relist(key, object);
      else this.#remove(key);
    }
  }

  /** Unlike the stream, a list may show an older version than ours: then the server has gone back, and we with it. */
  #relist(key: string, object: T): void {
    const before = this.#objects.get(key);
    if (before && isSame(before, object) && before.metadata.resourceVersion === object.metadata.resourceVersion) return;
    this.#replaceOne(key, object, before);
  }

  #put(key: string, object: T): void {
    const before = this.#objects.get(key);
    const isOld =
      before && isSame(before, object) && compareVersions(object.metadata.resourceVersion, before.metadata.resourceVersion) <= 0;
    if (!isOld) this.#replaceOne(key, object, before);
  }

  #replaceOne(key: string, object: T, before: T | undefined): void {
    if (before && !isSame(before, object)) this.#remove(key);
    this.#objects.set(key, object);
    this.#tell({ kind: 'put', object, before: before && isSame(before, object) ? before : undefined });
  }

  #remove(key: string): void {
    const object = this.#objects.get(key);
    if (!object) return;
    this.#objects.delete(key);
    this.#tell({ kind: 'gone', object });
  }

  #tell(change: Change<T>): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        // One reader's mistake must not cost the others their view.
        this.#log.error('a listener threw', { key: keyText(keyOf(change.object)), error: messageOf(error) });
      }
    }
  }
}

const isSame = (a: KubeObject, b: KubeObject): boolean => a.metadata.uid === b.metadata.uid;
