/**
 * P11: heap of 10,000 cached objects (about 4 KB each, a quarter of it managedFields), against their size as served.
 * The objects go through the real client and cache; the transport makes each page's text up and parses it, as HTTP would.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { KubeObject } from '../../src/api/meta.ts';
import type { Resource } from '../../src/api/resource.ts';
import { seededRandom, systemClock } from '../../src/base/index.ts';
import { createClient } from '../../src/kube/client/api-client.ts';
import { BatchQueue } from '../../src/kube/http/batch-queue.ts';
import type { Cache, Store } from '../../src/kube/cache/cache.ts';
import { createCache } from '../../src/kube/cache/create-cache.ts';
import type { ApiRequest, Transport, WatchLine } from '../../src/kube/client/transport.ts';
import type { BenchResult } from './result.ts';
import { servedObject } from './served-object.ts';

const OBJECTS = 10_000;
const REMEDIATIONS: Resource = {
  group: 'kubernaut.ai',
  version: 'v1alpha1',
  kind: 'RemediationRequest',
  plural: 'remediationrequests',
  namespaced: true,
};

/** Bytes of heap per byte served. */
export async function benchCacheMemory(): Promise<BenchResult> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Once for the code and shapes that the first objects bring with them, which are not theirs.
  await fill(100);
  collect();
  const before = process.memoryUsage().heapUsed;
  const filled = await fill(OBJECTS);
  collect();
  const numerator = process.memoryUsage().heapUsed - before;
  const denominator = filled.served;
  if (filled.store.size !== OBJECTS) throw new Error(`the cache holds ${filled.store.size} objects of ${OBJECTS}`);
  return {
    name: 'P11 heap of 10,000 cached objects ÷ bytes served',
    ratio: numerator / denominator,
    numerator,
    denominator,
    unit: 'bytes',
    goal: '≤ 1.4',
  };
}

interface Filled {
  readonly cache: Cache;
  readonly store: Store<KubeObject>;
  readonly served: number;
}

async function fill(count: number): Promise<Filled> {
  const server = new ListServer(count);
  const cache = createCache({ client: createClient(server), clock: systemClock, random: seededRandom(1) });
  const store = cache.store({
    resource: REMEDIATIONS,
    indexes: { phase: (object) => [(object as KubeObject & { status: { overallPhase: string } }).status.overallPhase] },
  });
  const stop = new AbortController();
  const running = cache.run(stop.signal);
  await cache.synced(stop.signal);
  // Made on the first list(): part of what a cache in use costs.
  store.list();
  store.list({ index: 'phase', value: 'Executing' });
  stop.abort();
  await running;
  return { cache, store, served: server.served };
}

/** Serves pages of made-up objects, and a watch on which nothing happens. */
class ListServer implements Transport {
  served = 0;
  readonly #count: number;
  readonly #random = seededRandom(7);

  constructor(count: number) {
    this.#count = count;
  }

  request(request: ApiRequest): Promise<{ code: number; body: unknown }> {
    const from = Number(request.query?.['continue'] ?? 0);
    const to = Math.min(this.#count, from + Number(request.query?.['limit'] ?? this.#count));
    const items = Array.from({ length: to - from }, (_, i) => servedObject(from + i, this.#random));
    for (const item of items) this.served += Buffer.byteLength(item);
    const next = to < this.#count ? `,"continue":"${to}"` : '';
    const text = `{"kind":"RemediationRequestList","apiVersion":"kubernaut.ai/v1alpha1","metadata":{"resourceVersion":"900000"${next}},"items":[${items.join(',')}]}`;
    return Promise.resolve({ code: 200, body: JSON.parse(text) as unknown });
  }

  watch(_request: ApiRequest, signal: AbortSignal): ReturnType<Transport['watch']> {
    const lines = new BatchQueue<readonly WatchLine[]>({ pause() {}, resume() {}, stop() {} });
    signal.addEventListener('abort', () => lines.end());
    if (signal.aborted) lines.end();
    return Promise.resolve({ code: 200, lines });
  }
}
