import { ConfigMap, Node, Pod, type NodeCondition } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { MachineSet } from '../../../api/machine-set/machine-set.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { LABELS } from '../../../api/well-known.ts';
import { MINUTE, seededRandom, silent, toTime } from '../../../base/index.ts';
import { createClient } from '../../../kube/client/api-client.ts';
import { createCache } from '../../../kube/cache/create-cache.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../../kube/client/transport.ts';
import { createControlLoop, noMetrics, soleTerm } from '../../../runtime/index.ts';
import { createMachineHealthControllers } from '../../machine-health/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { Settings } from '../../settings.ts';
import { Stage } from '../../testing/stage.ts';
import { createEvictPod, createMachineOwnerControllers, EVICT_POD, type Provider } from '../index.ts';

export const NAMESPACE = 'shop';
const POOL = 'workers';

export interface OwnerStageOptions {
  readonly settings?: Partial<Settings>;
  readonly provider?: Provider;
}

/** Health checks and the owner on one server in memory, each with a cache of its own as in a process, and the cluster around them. */
export class OwnerStage {
  readonly stage: Stage;
  /** What the owner wrote, in order: `DELETE machines/workers-1`. */
  readonly written: string[] = [];
  /** What the check wrote. */
  readonly checked: string[] = [];
  readonly troubles: string[] = [];
  /** Reasons of the Events that the owner recorded. */
  readonly told: string[] = [];
  settings: Settings;
  /** Answers the owner instead of the server, where it returns something. */
  intercept: (request: ApiRequest) => ApiResponse | undefined = () => undefined;
  readonly #provider: Provider | undefined;
  #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  private constructor(stage: Stage, { settings = {}, provider }: OwnerStageOptions) {
    this.stage = stage;
    this.settings = { ...DEFAULT_SETTINGS, ...settings };
    this.#provider = provider;
  }

  static async start(options: OwnerStageOptions = {}): Promise<OwnerStage> {
    const stage = await Stage.start({
      kinds: [Machine, MachineSet, MachineHealthCheck],
      controllers: createMachineHealthControllers(() => ({ allowRemediateAnnotation: false }), { keepsMachineSets: true }),
    });
    const owner = new OwnerStage(stage, options);
    stage.intercept = (request) => void note(owner.checked, request);
    owner.#run();
    await stage.settle();
    return owner;
  }

  get admin() {
    return this.stage.admin;
  }

  /** As if the owner's process had died and another had started. */
  async restart(): Promise<void> {
    await this.#halt();
    this.#stop = new AbortController();
    this.#run();
    await this.stage.settle();
  }

  async end(): Promise<void> {
    await this.#halt();
    await this.stage.end();
  }

  async #halt(): Promise<void> {
    this.#stop.abort();
    await this.stage.settle();
    await this.#running;
  }

  #run(): void {
    const { clock, api } = this.stage;
    const { signal } = this.#stop;
    const transport: Transport = {
      request: async (request, aborted) => {
        const refusal = this.intercept(request);
        if (refusal) return refusal;
        note(this.written, request);
        const before = await this.#verdictBefore(request);
        const answer = await api.request(request, aborted);
        if (before && answer.code === 200) this.verdicts.push({ before, after: verdictsIn((answer.body as Machine).status) });
        return answer;
      },
      watch: (request, aborted) => api.watch(request, aborted),
    };
    const cache = createCache({ client: createClient(transport), clock, random: seededRandom(5) });
    const loop = createControlLoop({
      controllers: createMachineOwnerControllers(() => this.settings, this.#provider),
      cache,
      clock,
      random: seededRandom(6),
      log: silent,
      events: { record: (_, { reason }) => Promise.resolve(void this.told.push(reason)) },
      calls: { [EVICT_POD]: createEvictPod({ client: cache.client, log: silent }) },
      metrics: { ...noMetrics, passed: (_, outcome) => void (outcome.kind === 'failed' && this.troubles.push(String(outcome.error))) },
    });
    this.#running = Promise.all([cache.run(signal), loop.run(soleTerm(signal))]);
  }

  /** Five minutes, without any change from outside. */
  async untilMarked(): Promise<void> {
    await this.stage.advance(5 * MINUTE);
    await this.pass(3);
  }

  /** The verdict on a Machine's health before and after every write of its status. */
  readonly verdicts: { readonly before: unknown; readonly after: unknown }[] = [];

  async #verdictBefore({ method, path }: ApiRequest): Promise<unknown> {
    const [, name] = (method === 'PATCH' && /\/machines\/([^/]+)\/status$/.exec(path)) || [];
    return name === undefined ? undefined : verdictsIn((await this.admin.get(Machine, { namespace: NAMESPACE, name })).status);
  }

  /** Seconds go by, one after the other, with everything that happens in each. */
  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) await this.stage.advance(1_000);
  }

  /** Healthy Nodes, in the pool of the group. */
  async pool(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.node(name);
  }

  async node(name: string, { pool = POOL, ready = 'True', labels = {} }: NodeSketch = {}): Promise<void> {
    await this.admin.create(Node, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { [LABELS.machinePool]: pool, [LABELS.machinePoolNamespace]: NAMESPACE, ...labels } },
    });
    await this.turnReady(name, ready);
  }

  async turnReady(name: string, status: NodeCondition['status']): Promise<void> {
    const now = toTime(this.stage.clock.now());
    const ready = { type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: now, lastHeartbeatTime: now };
    await this.admin.patchStatus(Node, { namespace: '', name }, { type: 'merge', body: { status: { conditions: [ready] } } });
    await this.stage.settle();
  }

  /** A set of Machines from the pool, and a check over them that acts on Nodes that have been unhealthy for five minutes. */
  async group(replicas: number, { name = 'workers', spec = {}, check = {} }: GroupSketch = {}): Promise<void> {
    await this.set(replicas, { name, spec });
    await this.check(check);
    await this.pass(3);
  }

  async set(replicas: number, { name = 'workers', spec = {}, labels = {} }: GroupSketch = {}): Promise<void> {
    const template = { metadata: { labels: { role: 'worker', set: name, [LABELS.machinePool]: POOL, ...labels } }, spec: {} };
    await this.admin.create(MachineSet, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineSet',
      metadata: { namespace: NAMESPACE, name },
      spec: { clusterName: 'local', replicas, selector: { matchLabels: { role: 'worker', set: name } }, template, ...spec },
    });
    await this.stage.settle();
  }

  async check(spec: object = {}): Promise<void> {
    await this.admin.create(MachineHealthCheck, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineHealthCheck',
      metadata: { namespace: NAMESPACE, name: 'workers' },
      spec: {
        clusterName: 'local',
        selector: { matchLabels: { role: 'worker' } },
        checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
        ...spec,
      },
    } as never);
    await this.stage.settle();
  }

  async machines(): Promise<readonly Machine[]> {
    return (await this.admin.list(Machine, { namespace: NAMESPACE })).items;
  }

  async names(): Promise<readonly string[]> {
    return (await this.machines()).map(({ metadata }) => metadata.name);
  }

  async machineOn(node: string): Promise<Machine> {
    const found = (await this.machines()).find(({ status }) => status?.nodeRef?.name === node);
    if (!found) throw new Error(`no Machine has ${node}`);
    return found;
  }

  async nodes(): Promise<readonly string[]> {
    return (await this.admin.list(Node)).items.map(({ metadata }) => metadata.name);
  }

  async checkStatus() {
    return (await this.admin.get(MachineHealthCheck, { namespace: NAMESPACE, name: 'workers' })).status;
  }

  /** What the budget's ledger holds, by the key of the claimant. */
  async claims(): Promise<Readonly<Record<string, { readonly endedAt?: string }>>> {
    const ledger = await this.admin.get(ConfigMap, { namespace: 'sickbay-system', name: 'sickbay-budget' }).catch(() => undefined);
    const entries = Object.values(ledger?.data ?? {}).map((text) => JSON.parse(text) as { key: string; endedAt?: string });
    return Object.fromEntries(entries.map((entry) => [entry.key, entry]));
  }

  async pod(name: string, node: string, labels: Readonly<Record<string, string>> = { app: 'web' }): Promise<void> {
    await this.admin.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: NAMESPACE, name, labels },
      spec: { nodeName: node, containers: [{ name: 'main', image: 'web' }], terminationGracePeriodSeconds: 30 },
    });
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await this.admin.patchStatus(Pod, { namespace: NAMESPACE, name }, { type: 'merge', body: { status } });
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.admin.list(Pod, { namespace: NAMESPACE })).items;
  }
}

export interface NodeSketch {
  readonly pool?: string;
  readonly ready?: NodeCondition['status'];
  readonly labels?: Readonly<Record<string, string>>;
}

export interface GroupSketch {
  readonly name?: string;
  readonly spec?: object;
  readonly check?: object;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Writes by their verb and what they are to: `PATCH machines/workers-1/status`. */
function note(written: string[], { method, path }: ApiRequest): void {
  if (method !== 'GET') written.push(`${method} ${path.replace(/^.*\/v1(beta2)?\//, '').replace(/^namespaces\/[^/]+\//, '')}`);
}

/** In both styles. */
const verdictsIn = (status: Machine['status']): unknown =>
  [status?.conditions, status?.deprecated?.v1beta1?.conditions].map((all) => all?.find(({ type }) => type === 'HealthCheckSucceeded'));
