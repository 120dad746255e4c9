import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import type { IndexQuery, Store } from '../../kube/cache/cache.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { ask, askList } from '../../kube/client/read-live.ts';
import type { Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';

/** Reads what is cached from the caches, and everything else from the server. */
export function cachedReader(stores: readonly Store<KubeObject>[], client: KubeClient): Reader {
  const byName = new Map(stores.map((store) => [resourceName(store.resource), store]));
  const get = <T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Read<T> => {
    const store = byName.get(resourceName(resource)) as Store<T> | undefined;
    const unreadable = store ? store.unreadable : 'not cached';
    if (unreadable !== undefined) return { kind: 'unreadable', reason: unreadable };
    const value = store?.get(key);
    return value === undefined ? { kind: 'absent' } : { kind: 'value', value };
  };
  return {
    get,
    list<T extends KubeObject>(resource: Resource<T>, by?: IndexQuery): Listed<T> {
      const store = byName.get(resourceName(resource)) as Store<T> | undefined;
      if (!store) return { kind: 'unreadable', reason: 'not cached' };
      return store.unreadable === undefined ? { kind: 'value', value: store.list(by) } : { kind: 'unreadable', reason: store.unreadable };
    },
    fetch: async (resource, key, options) =>
      byName.has(resourceName(resource)) ? get(resource, key) : ask(() => client.get(resource, key, options)),
    fetchList: (resource, options) => askList(client, resource, options),
  };
}
