/**
 * P11: heap of 10,000 cached objects (about 4 KB each, a quarter of it managedFields), against their size as served.
 * The objects go through the real client and cache; the transport makes each page's text up and parses it, as HTTP would.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { KubeObject } from '../../src/api/meta.ts';
import type { Resource } from '../../src/api/resource.ts';
import { seededRandom, systemClock, toTime, type Instant, type Random } from '../../src/base/index.ts';
import { createClient } from '../../src/kube/api-client.ts';
import type { Cache, Store } from '../../src/kube/cache.ts';
import { createCache } from '../../src/kube/create-cache.ts';
import type { ApiRequest, Transport } from '../../src/kube/transport.ts';
import type { BenchResult } from './result.ts';

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
    const items = Array.from({ length: to - from }, (_, i) => objectText(from + i, this.#random));
    for (const item of items) this.served += Buffer.byteLength(item);
    const next = to < this.#count ? `,"continue":"${to}"` : '';
    const text = `{"kind":"RemediationRequestList","apiVersion":"kubernaut.ai/v1alpha1","metadata":{"resourceVersion":"900000"${next}},"items":[${items.join(',')}]}`;
    return Promise.resolve({ code: 200, body: JSON.parse(text) as unknown });
  }

  watch(_request: ApiRequest, signal: AbortSignal): ReturnType<Transport['watch']> {
    const lines = (async function* () {
      if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    })();
    return Promise.resolve({ code: 200, lines });
  }
}

const PHASES = ['Pending', 'Processing', 'Analyzing', 'Executing', 'Completed', 'Failed'];

/** As kube-apiserver writes it: members in alphabetical order, managedFields of two writers. */
function objectText(i: number, random: Random): string {
  const at = (offset: number): string => toTime((1_790_000_000_000 + i * 7_000 + offset * 1_000) as Instant);
  const target = { kind: 'Deployment', name: `checkout-${i % 977}`, namespace: `team-${i % 61}` };
  const phase = random.pick(PHASES);
  return JSON.stringify({
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationRequest',
    metadata: {
      annotations: { 'kubernaut.ai/correlation-id': random.uuid(), 'kubernaut.ai/source-cluster': 'production-eu-central-1' },
      creationTimestamp: at(0),
      finalizers: ['kubernaut.ai/remediation-protection'],
      generation: 1 + (i % 3),
      labels: {
        'kubernaut.ai/severity': i % 4 ? 'warning' : 'critical',
        'kubernaut.ai/signal-type': 'prometheus-alert',
        'kubernaut.ai/target': target.name,
      },
      managedFields: [managedFields('gateway', at(0), SPEC_FIELDS), managedFields('sickbay', at(30), STATUS_FIELDS, 'status')],
      name: `rr-${random.uuid().slice(0, 13)}-${i}`,
      namespace: `sickbay-${i % 11}`,
      resourceVersion: String(100_000 + i),
      uid: random.uuid(),
    },
    spec: {
      firingTime: at(-60),
      receivedTime: at(0),
      severity: i % 4 ? 'warning' : 'critical',
      signalAnnotations: {
        description: `Pod ${target.name}-${random.uuid().slice(0, 8)} restarted ${i % 9} times within ten minutes`,
        runbook_url: 'https://runbooks.example.com/KubePodCrashLooping',
      },
      signalFingerprint: (random.uuid() + random.uuid()).replaceAll('-', ''),
      signalLabels: {
        alertname: 'KubePodCrashLooping',
        container: 'app',
        namespace: target.namespace,
        pod: `${target.name}-${random.uuid().slice(0, 8)}`,
      },
      signalName: 'KubePodCrashLooping',
      signalSource: 'alertmanager',
      signalType: 'prometheus-alert',
      targetResource: target,
      targetType: 'kubernetes',
    },
    status: {
      conditions: ['Ready', 'SignalProcessed', 'Analyzed', 'Approved'].map((type, n) => ({
        lastTransitionTime: at(n * 5),
        message: `${type} was reached after ${random.int(50_000)} ms`,
        observedGeneration: 1,
        reason: `${type}Succeeded`,
        status: n % 2 ? 'True' : 'False',
        type,
      })),
      deduplication: { firstSeenAt: at(0), lastSeenAt: at(600), occurrenceCount: 1 + random.int(40) },
      history: Array.from({ length: 8 }, (_, n) => ({
        at: at(n * 4),
        message: `attempt ${n} of the analysis took ${random.int(9_000)} ms`,
        phase: random.pick(PHASES),
      })),
      overallPhase: phase,
      selectedWorkflow: {
        actionType: 'RestartDeployment',
        confidence: 0.5 + random.int(50) / 100,
        workflowId: random.uuid(),
        version: '1.4.2',
      },
      startTime: at(1),
      targetUid: random.uuid(),
    },
  });
}

type Fields = { readonly [key: string]: Fields };

const names = (...list: string[]): Fields => Object.fromEntries(list.map((name) => [`f:${name}`, {}]));

const SPEC_FIELDS: Fields = {
  'f:metadata': {
    'f:annotations': { '.': {}, ...names('kubernaut.ai/correlation-id', 'kubernaut.ai/source-cluster') },
    'f:labels': { '.': {}, ...names('kubernaut.ai/severity', 'kubernaut.ai/signal-type', 'kubernaut.ai/target') },
  },
  'f:spec': {
    '.': {},
    ...names('firingTime', 'receivedTime', 'severity', 'signalFingerprint', 'signalName', 'signalSource', 'signalType', 'targetType'),
    'f:signalAnnotations': { '.': {}, ...names('description', 'runbook_url') },
    'f:signalLabels': { '.': {}, ...names('alertname', 'container', 'namespace', 'pod') },
    'f:targetResource': { '.': {}, ...names('kind', 'name', 'namespace') },
  },
};

const STATUS_FIELDS: Fields = {
  'f:status': {
    '.': {},
    ...names('conditions', 'history', 'overallPhase', 'startTime', 'targetUid'),
    'f:deduplication': { '.': {}, ...names('firstSeenAt', 'lastSeenAt', 'occurrenceCount') },
    'f:selectedWorkflow': { '.': {}, ...names('actionType', 'confidence', 'workflowId', 'version') },
  },
};

const managedFields = (manager: string, time: string, fieldsV1: Fields, subresource?: string): object => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  fieldsType: 'FieldsV1',
  fieldsV1,
  manager,
  operation: 'Update',
  ...(subresource === undefined ? {} : { subresource }),
  time,
});
