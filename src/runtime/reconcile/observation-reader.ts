import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import { PlatformError } from '../../base/index.ts';
import { ask, askList } from '../../kube/client/read-live.ts';
import type { IndexQuery, Store } from '../../kube/cache/cache.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type { Listed, Read, Reader } from './controller.ts';

/** The stores a controller follows, by `plural.group`. */
export type Stores = ReadonlyMap<string, Store<KubeObject>>;

/** Something this process wrote and its cache does not show yet. */
export interface Lag {
  readonly store: Store<KubeObject>;
  /** Asks again: true until the store has caught up. */
  readonly stillBehind: () => boolean;
}

/** A Reader that notes which of its reads were older than our own writes. Created for every pass. */
export interface ObservationReader extends Reader {
  readonly lags: readonly Lag[];
}

export interface ReaderOptions {
  readonly stores: Stores;
  readonly client: KubeClient;
  readonly signal: AbortSignal;
}

/**
 * Reads for one observation. Whether a read is of the past is judged at the moment of the read: what came later was not seen. Nothing of an
 * observation with such a read will count, so a list that is behind is not returned: iterating it would be wasted work.
 */
export function createObservationReader({ stores, client, signal }: ReaderOptions): ObservationReader {
  const lags: Lag[] = [];
  const isBehind = (store: Store<KubeObject>, stillBehind: () => boolean): boolean => {
    const is = stillBehind();
    if (is) lags.push({ store, stillBehind });
    return is;
  };
  const known = new Map<Resource, Store<KubeObject>>();
  const storeFor = (resource: Resource): Store<KubeObject> => {
    const store = known.get(resource) ?? storeOf(stores, resource);
    known.set(resource, store);
    return store;
  };
  return {
    lags,
    get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Read<T> {
      const store = storeFor(resource);
      if (store.unreadable !== undefined) return { kind: 'unreadable', reason: store.unreadable };
      isBehind(store, () => store.isBehind(key));
      const value = store.get(key);
      if (value !== undefined) return { kind: 'value', value: value as T };
      return store.isKindUnknown ? { kind: 'absent', isKindUnknown: true } : { kind: 'absent' };
    },
    list<T extends KubeObject>(resource: Resource<T>, by?: IndexQuery): Listed<T> {
      const store = storeFor(resource);
      if (store.unreadable !== undefined) return { kind: 'unreadable', reason: store.unreadable };
      if (isBehind(store, () => store.isListBehind(by))) return { kind: 'unreadable', reason: 'our own last write is not shown yet' };
      return { kind: 'value', value: store.list(by) as readonly T[] };
    },
    ...serverReader(client, signal),
  };
}

/** What is read from the server alone. */
export const serverReader = (client: KubeClient, signal: AbortSignal): Pick<Reader, 'fetch' | 'fetchList' | 'fetchLog'> => ({
  fetch: <T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options = {}) =>
    ask(() => client.get(resource, key, { ...options, signal }), signal),
  fetchList: (resource, options) => askList(client, resource, { ...options, signal }),
  fetchLog: (pod, options) => ask(() => client.log(pod, { ...options, signal }), signal),
});

/** The store of a watched kind. Reading another kind is a mistake in the controller, not a state of the cluster. */
export function storeOf(stores: Stores, resource: Resource): Store<KubeObject> {
  const store = stores.get(resourceName(resource));
  if (store) return store;
  throw new PlatformError('Internal', `reading ${resourceName(resource)} from the cache: it is not among the watches`, { retry: 'never' });
}
