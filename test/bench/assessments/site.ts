import { CustomResourceDefinition, Deployment, Namespace, Pod } from '../../../src/api/builtin/index.ts';
import { EffectivenessAssessment } from '../../../src/api/effectiveness-assessment/effectiveness-assessment.ts';
import { assessmentPhases } from '../../../src/api/effectiveness-assessment/phases.ts';
import { kinds } from '../../../src/api/index.ts';
import type { Draft } from '../../../src/api/meta.ts';
import { isTerminal } from '../../../src/api/phases.ts';
import { createMemoryApi } from '../../../src/apiserver/index.ts';
import { crdOf } from '../../../src/api/crd-of.ts';
import { seededRandom, silent, toTime, turn } from '../../../src/base/index.ts';
import { createEffectivenessController } from '../../../src/controllers/effectiveness/index.ts';
import { DEFAULT_SETTINGS } from '../../../src/controllers/default-settings.ts';
import { specHash } from '../../../src/controllers/target/index.ts';
import { createClient } from '../../../src/kube/client/api-client.ts';
import type { KubeClient } from '../../../src/kube/client/client.ts';
import { createCache } from '../../../src/kube/cache/create-cache.ts';
import type { Monitoring } from '../../../src/monitoring/index.ts';
import { createControlLoop, noMetrics, soleTerm } from '../../../src/runtime/index.ts';
import { ManualClock } from '../../../src/testkit/manual-clock.ts';

const SHOP = 'shop';
const { namespace } = DEFAULT_SETTINGS;

/** The monitor on a server in memory, by a clock that the benchmark moves; what is asked of others goes over real connections. */
export interface Site {
  readonly clock: ManualClock;
  /** Orders one assessment of a workload. */
  order(name: string, workload: number): Promise<void>;
  /** Resolves when so many more have ended as they should; rejects when one ended otherwise. */
  ended(count: number): Promise<void>;
  /** Takes all of them away. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

const workloadName = (index: number): string => `workload-${String(index).padStart(3, '0')}`;

export async function openSite(workloads: number, monitoring: Monitoring): Promise<Site> {
  const clock = new ManualClock();
  const api = createMemoryApi({ clock, random: seededRandom(1) });
  const admin = createClient(api);
  await install(admin, workloads);
  const stop = new AbortController();
  const cache = createCache({ client: createClient(api), clock, random: seededRandom(2) });
  const loop = createControlLoop({
    controllers: [createEffectivenessController(() => DEFAULT_SETTINGS, monitoring)],
    cache,
    clock,
    random: seededRandom(3),
    log: silent,
    events: { record: () => Promise.resolve() },
    metrics: noMetrics,
    workers: DEFAULT_SETTINGS.assessment.maxConcurrentReconciles,
  });
  const ends = new Ends(admin, stop.signal);
  const running = [cache.run(stop.signal), loop.run(soleTerm(stop.signal)), ends.follow()];
  return {
    clock,
    async order(name, workload) {
      const applied = specHash(await admin.get(Deployment, { namespace: SHOP, name: workloadName(workload) }));
      await order(admin, { name, workload, applied, at: toTime(clock.now()) });
    },
    ended: (count) => ends.wait(count),
    async clear() {
      const { items } = await admin.list(EffectivenessAssessment, { namespace });
      for (const { metadata } of items) await admin.delete(EffectivenessAssessment, { namespace, name: metadata.name });
      await turn();
    },
    async stop() {
      stop.abort();
      await Promise.all(running);
      api.close();
    },
  };
}

async function install(admin: KubeClient, workloads: number): Promise<void> {
  for (const kind of kinds) await admin.create(CustomResourceDefinition, crdOf(kind));
  for (const name of [namespace, SHOP]) await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (let index = 0; index < workloads; index++) {
    const name = workloadName(index);
    const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'sickbay.test/busybox:1' }] } };
    const spec = { replicas: 2, selector: { matchLabels: { app: name } }, template };
    await admin.create(Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: SHOP },
      spec,
    } as Draft<Deployment>);
    for (const ending of ['bcdfg', 'hjklm']) await runPod(admin, { app: name, name: `${name}-6b7f9c-${ending}`, spec: template.spec });
  }
}

async function runPod(admin: KubeClient, { app, name, spec }: { app: string; name: string; spec: Pod['spec'] }): Promise<void> {
  const key = { namespace: SHOP, name };
  await admin.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata: { ...key, labels: { app } }, spec });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await admin.patchStatus(Pod, key, { type: 'merge', body: { status } });
}

interface Ordered {
  readonly name: string;
  readonly workload: number;
  readonly applied: string;
  readonly at: string;
}

async function order(admin: KubeClient, { name, workload, applied, at }: Ordered): Promise<void> {
  const target = { kind: 'Deployment', apiVersion: 'apps/v1', name: workloadName(workload), namespace: SHOP };
  await admin.create(EffectivenessAssessment, {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'EffectivenessAssessment',
    metadata: { name, namespace },
    spec: {
      correlationID: name,
      remediationRequestPhase: 'Verifying',
      signalTarget: target,
      remediationTarget: target,
      config: { stabilizationWindow: '5m' },
      remediationCreatedAt: at,
      signalName: `Down-${workloadName(workload)}`,
      appliedSpecHash: applied,
    },
  });
}

/** Counts assessments that ended fully assessed. */
class Ends {
  readonly #admin: KubeClient;
  readonly #signal: AbortSignal;
  readonly #met = new Set<string>();
  #left = 0;
  #settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;

  constructor(admin: KubeClient, signal: AbortSignal) {
    this.#admin = admin;
    this.#signal = signal;
  }

  wait(count: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#left = count - this.#met.size;
    this.#settle = { resolve, reject };
    if (this.#left <= 0) resolve();
    return promise.finally(() => this.#met.clear());
  }

  async follow(): Promise<void> {
    const { resourceVersion } = await this.#admin.list(EffectivenessAssessment, { namespace });
    for await (const batch of await this.#admin.watch(EffectivenessAssessment, { namespace, resourceVersion }, this.#signal))
      for (const { type, object } of batch) if (type === 'MODIFIED') this.#note(object as EffectivenessAssessment);
  }

  #note({ metadata, status = {} }: EffectivenessAssessment): void {
    if (!isTerminal(assessmentPhases, status.phase) || this.#met.has(metadata.uid)) return;
    this.#met.add(metadata.uid);
    const { assessmentReason = '', message = '' } = status;
    if (assessmentReason !== 'Full') this.#settle?.reject(new Error(`${metadata.name} ended as ${assessmentReason}: ${message}`));
    if (--this.#left === 0) this.#settle?.resolve();
  }
}
