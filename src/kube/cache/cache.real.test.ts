import { expect, onTestFinished, test } from 'vitest';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { after, MINUTE, systemClock, systemRandom } from '../../base/index.ts';
import type { ControlPlaneAccess } from '../../testkit/control-plane.ts';
import { describeOnControlPlane } from '../../testkit/lanes.ts';
import { createClient } from '../client/api-client.ts';
import type { ApiRequest, ApiResponse, Transport, WatchStream } from '../client/transport.ts';
import type { Cache, Store } from './cache.ts';
import type { KubeClient } from '../client/client.ts';
import { createCache } from './create-cache.ts';
import { bearer } from '../http/http-config.ts';
import { httpTransport } from '../http/http-transport.ts';
import { cuttableProxy, type CuttableProxy } from '../testing/cuttable-proxy.ts';
import { installWidgets } from '../testing/install-widgets.ts';
import { WIDGETS } from '../testing/widget.ts';

const NAMESPACES: Resource = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
const CONFIG_MAPS: Resource<ConfigMap> = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Counts what goes through, and may change a watch before it leaves. */
class ObservedTransport implements Transport {
  lists = 0;
  watches = 0;
  changeWatch: (request: ApiRequest) => ApiRequest = (request) => request;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  request(request: ApiRequest, signal?: AbortSignal): Promise<ApiResponse> {
    this.lists++;
    return this.#transport.request(request, signal);
  }

  watch(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse | WatchStream> {
    this.watches++;
    return this.#transport.watch(this.changeWatch(request), signal);
  }
}

interface Rig {
  readonly proxy: CuttableProxy;
  readonly observed: ObservedTransport;
  /** Writes past proxy and cache, as other people do. */
  readonly others: KubeClient;
  readonly cache: Cache;
  readonly store: Store<ConfigMap>;
  readonly namespace: string;
}

/** A running cache of one namespace's ConfigMaps that reads through a proxy whose connections can be cut. */
async function follow(plane: ControlPlaneAccess): Promise<Rig> {
  const proxy = await cuttableProxy(Number(new URL(plane.url).port));
  const identity = bearer(plane.token);
  const direct = httpTransport({ server: plane.url, ca: plane.caData, identity });
  const proxied = httpTransport({ server: `https://127.0.0.1:${proxy.port}`, ca: plane.caData, identity });
  const observed = new ObservedTransport(proxied);
  const others = createClient(direct);
  const namespace = `cache-${systemRandom.uuid().slice(0, 8)}`;
  await others.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const cache = createCache({ client: createClient(observed), clock: systemClock, random: systemRandom });
  // Without what the controller manager puts into every namespace.
  const store = cache.store({ resource: CONFIG_MAPS, namespace, labelSelector: 'test=cache' });
  const ended = new AbortController();
  const running = cache.run(ended.signal);
  onTestFinished(async () => {
    ended.abort();
    await running;
    await Promise.all([direct.close(), proxied.close(), proxy.close()]);
  });
  await cache.synced(ended.signal);
  return { proxy, observed, others, cache, store, namespace };
}

const draft = (namespace: string, name: string): { apiVersion: string; kind: string; metadata: object } => ({
  apiVersion: 'client.example.com/v1',
  kind: 'Widget',
  metadata: { namespace, name },
});

const names = (store: Store<KubeObject>): string =>
  store
    .list()
    .map(({ metadata }) => metadata.name)
    .join();

const configMap = (
  namespace: string,
  name: string,
): { apiVersion: string; kind: string; metadata: object; data: Record<string, string> } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, labels: { test: 'cache' } },
  data: { name },
});

/** Resolves when it holds; asks every few milliseconds. The test's own time limit ends it otherwise. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await systemClock.waitUntil(after(systemClock.now(), 5), new AbortController().signal);
}

async function inParallel(count: number, action: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await action(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

describeOnControlPlane('the cache on a real kube-apiserver', (plane) => {
  const CHANGES = 10_000;

  /**
   * Each change is the creation of an object of its own, so each can be counted: told exactly once, as new, and none as gone.
   * The connections are reset three times in the middle; that the kind is listed only once proves that the watch itself
   * brought everything, and not a list after it.
   */
  test('loses none of 10,000 changes through three forced reconnects', { timeout: 5 * MINUTE }, async () => {
    const { proxy, observed, others, store, namespace } = await follow(plane());
    const told = new Map<string, number>();
    let other = 0;
    store.onChange((change) => {
      if (change.kind === 'put' && change.before === undefined)
        told.set(change.object.metadata.name, (told.get(change.object.metadata.name) ?? 0) + 1);
      else other++;
    });
    const cuts: number[] = [];
    await inParallel(CHANGES, async (i) => {
      await others.create(CONFIG_MAPS, configMap(namespace, `change-${i}`));
      if (i === CHANGES / 4 || i === CHANGES / 2 || i === (3 * CHANGES) / 4) cuts.push(proxy.cut());
    });
    await until(() => told.size === CHANGES);
    expect([...told.values()].every((times) => times === 1)).toBe(true);
    expect(other).toBe(0);
    expect(store.size).toBe(CHANGES);
    expect(cuts).toHaveLength(3);
    expect(cuts.every((connections) => connections > 0)).toBe(true);
    expect(observed.watches).toBeGreaterThanOrEqual(4);
    expect(observed.lists).toBe(1);
  });

  test('lists again after a 410, and has then what the server has', async () => {
    const { proxy, observed, others, cache, namespace } = await follow(plane());
    await installWidgets(others);
    const store = cache.store({ resource: WIDGETS, namespace });
    const write = (name: string): Promise<unknown> => others.create(WIDGETS, { ...draft(namespace, name), spec: { colour: 'red' } });
    await write('stays');
    await write('goes');
    await until(() => store.size === 2);
    const lists = observed.lists;
    let expired = 0;
    // Older than the kind itself, so older than anything the server remembers of it.
    observed.changeWatch = (request) => {
      if (!request.path.endsWith('/widgets') || expired++ > 0) return request;
      return { ...request, query: { ...request.query, resourceVersion: '1' } };
    };
    proxy.cut();
    await others.delete(WIDGETS, { namespace, name: 'goes' });
    await write('comes');
    await until(() => expired > 0 && names(store) === 'comes,stays');
    await until(() => observed.lists === lists + 1);
  });

  test('knows when it is behind its own writes', async () => {
    const { cache, store, namespace } = await follow(plane());
    const key = { namespace, name: 'own' };
    await cache.client.create(CONFIG_MAPS, configMap(namespace, 'own'));
    await until(() => !store.isBehind(key));
    expect(store.get(key)?.data).toEqual({ name: 'own' });
    const patched = await cache.client.patch(CONFIG_MAPS, key, { type: 'merge', body: { data: { more: 'yes' } } });
    await until(() => !store.isBehind(key));
    expect(store.get(key)?.metadata.resourceVersion).toBe(patched.metadata.resourceVersion);
    await cache.client.delete(CONFIG_MAPS, key);
    await until(() => !store.isBehind(key));
    expect(store.get(key)).toBeUndefined();
  });

  test('is no longer behind a write that leaves the selector', async () => {
    const { cache, store, namespace } = await follow(plane());
    const key = { namespace, name: 'leaves' };
    await cache.client.create(CONFIG_MAPS, configMap(namespace, 'leaves'));
    await cache.client.patch(CONFIG_MAPS, key, { type: 'merge', body: { metadata: { labels: { test: null } } } });
    await until(() => !store.isBehind(key));
    expect(store.get(key)).toBeUndefined();
  });
});
