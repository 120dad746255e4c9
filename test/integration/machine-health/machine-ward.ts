import { Cluster, Event, Namespace, Node } from '../../../src/api/builtin/index.ts';
import { Machine, MachineHealthCheck, type Draft, type KubeObject, type Resource } from '../../../src/api/index.ts';
import { silent, systemClock, toTime, type Fields, type Logger } from '../../../src/base/index.ts';
import { until } from '../../../src/cli/demo/until.ts';
import {
  createMachineHealthControllers,
  createUnmanagedCheckLogger,
  LOG_UNMANAGED_CHECK,
  type Definitions,
} from '../../../src/controllers/machine-health/index.ts';
import { bearer, createClient, httpTransport, type KubeClient, type Transport } from '../../../src/kube/index.ts';
import type { ApiRequest } from '../../../src/kube/client/transport.ts';
import type { WorkloadNodes } from '../../../src/workload-clusters/index.ts';
import type { ControlPlaneAccess } from '../../../src/testkit/control-plane.ts';
import { runControllers } from '../../cluster/run-controllers.ts';

/** A state of a Node that no component of Kubernetes writes: whether it is bad is up to the test alone. */
const BAD = 'KernelDeadlock';

/** What makes a Machine unhealthy in these tests, at once. */
const checks = { unhealthyNodeConditions: [{ type: BAD, status: 'True', timeoutSeconds: 0 }] };

/** Every Cluster is the one that the test runs in. */
const HERE: WorkloadNodes = {
  get: () => ({ kind: 'local' }),
  fetch: () => Promise.resolve({ kind: 'local' }),
  isLocal: () => true,
  onChange: () => () => undefined,
};

/** How the controllers run. */
export interface Shift {
  readonly definitions?: Definitions;
  /** Whether the owner of MachineSets counts as running; it does not when absent. */
  readonly keepsMachineSets?: boolean;
  /** Whose token they have; the administrator's when absent. */
  readonly token?: string;
  /** Changes what they ask of the server. */
  readonly change?: (request: ApiRequest) => ApiRequest;
}

type Way = Transport & { close?(): unknown };
/** Leads to a server as the owner of a token, or as its administrator. */
export type Connect = (token?: string) => Way;

/** The way to a control plane, as the owner of a token or as its administrator. */
export const reach =
  ({ url, caData, token: admin }: ControlPlaneAccess): Connect =>
  (token = admin) =>
    httpTransport({ server: url, ca: caData, identity: bearer(token) });

/** The controllers of machine health on a real server, with Machines and Nodes that a test makes unhealthy and healthy. */
export class MachineWard {
  readonly admin: KubeClient;
  /** What the controllers asked of the server, beside watches. */
  readonly asked: ApiRequest[] = [];
  /** Answers that were refusals, with what was asked. */
  readonly refused: string[] = [];
  readonly lines: Fields[] = [];
  readonly namespace: string;
  readonly #connect: Connect;
  readonly #ways: Way[] = [];
  readonly #over = new AbortController();
  #shift = new AbortController();
  #working: Promise<unknown> = Promise.resolve();

  private constructor(connect: Connect, namespace: string) {
    this.#connect = (token) => {
      const way = connect(token);
      this.#ways.push(way);
      return way;
    };
    this.namespace = namespace;
    this.admin = createClient(this.#connect());
  }

  static async open(connect: Connect, namespace: string): Promise<MachineWard> {
    const ward = new MachineWard(connect, namespace);
    await ward.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    return ward;
  }

  /** The server as the owner of a token sees it. */
  as = (token: string): KubeClient => createClient(this.#connect(token));

  /** Lets the controllers work; a second call is a new life of the process. */
  async start({ definitions = 'sickbay', keepsMachineSets = false, token, change = (request) => request }: Shift = {}): Promise<void> {
    await this.stop();
    this.#shift = new AbortController();
    const controllers = createMachineHealthControllers(() => ({ allowRemediateAnnotation: false }), {
      definitions,
      nodes: HERE,
      keepsMachineSets,
    });
    const log: Logger = { ...silent, info: (_, fields) => void this.lines.push(fields ?? {}) };
    const calls = { [LOG_UNMANAGED_CHECK]: createUnmanagedCheckLogger(log) };
    this.#working = runControllers(this.recorded(token, change), controllers, this.#shift.signal, calls).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#shift.abort(new Error('told to stop'));
    await this.#working;
  }

  async close(): Promise<void> {
    await this.stop();
    this.#over.abort(new Error('the tests are over'));
    for (const way of this.#ways) await way.close?.();
  }

  /** A way to the server on which is kept what is asked of it. */
  recorded(token?: string, change: (request: ApiRequest) => ApiRequest = (request) => request): Transport {
    const transport = this.#connect(token);
    return {
      request: async (given, signal) => {
        const request = change(given);
        this.asked.push(request);
        const answer = await transport.request(request, signal);
        // A write refused for an outdated version is no error of the controllers.
        if (answer.code >= 400 && answer.code !== 404 && answer.code !== 409)
          this.refused.push(`${request.method} ${request.path} ${answer.code} ${JSON.stringify(answer.body)}`);
        return answer;
      },
      watch: (request, signal) => transport.watch(request, signal),
    };
  }

  /** What the controllers wrote, as `PATCH /apis/…`. */
  writes = (): readonly string[] => this.asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

  key = (name: string) => ({ namespace: this.namespace, name });

  /** A Machine with a Node, which is healthy. */
  async machine(
    name: string,
    { labels, ...more }: { labels: Record<string, string> } & Partial<Draft<Machine>['metadata']>,
  ): Promise<void> {
    await this.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
    await this.turn(name, 'False');
    const dataSecretName = `${name}-bootstrap`;
    const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'Metal3Machine', name };
    await this.admin.create(Machine, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { ...this.key(name), labels, ...more },
      spec: { clusterName: 'c', bootstrap: { dataSecretName }, infrastructureRef },
    });
    await this.admin.patchStatus(Machine, this.key(name), { type: 'merge', body: { status: { nodeRef: { name } } } });
  }

  /** The Cluster of the Machines, which is up: only where the server has Clusters. */
  async cluster(): Promise<void> {
    const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'Metal3Cluster', name: 'c' };
    const draft = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: this.key('c'), spec: { infrastructureRef } };
    await this.admin.create(Cluster, draft as Draft<Cluster>);
    const up = { status: 'True', reason: 'Up', message: '', lastTransitionTime: toTime(systemClock.now()) };
    const conditions = ['ControlPlaneInitialized', 'InfrastructureReady'].map((type) => ({ type, ...up }));
    await this.admin.patchStatus(Cluster, this.key('c'), { type: 'merge', body: { status: { conditions } } });
  }

  /** `True`: the Node is unhealthy from now on. */
  async turn(name: string, status: 'True' | 'False'): Promise<void> {
    const now = toTime(systemClock.now());
    const bad = { type: BAD, status, reason: 'Told', message: '', lastTransitionTime: now, lastHeartbeatTime: now };
    // Merged by type: other conditions belong to other controllers.
    await this.admin.patchStatus(Node, { namespace: '', name }, { type: 'strategic', body: { status: { conditions: [bad] } } });
  }

  check(name: string, spec: object, metadata: object = {}): Promise<MachineHealthCheck> {
    return this.admin.create(MachineHealthCheck, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineHealthCheck',
      metadata: { ...this.key(name), ...metadata },
      spec: { clusterName: 'c', checks, selector: {}, ...spec },
    });
  }

  /** Waits until an object is as wanted. */
  until<T extends KubeObject>(resource: Resource<T>, name: string, isWanted: (object: T) => boolean): Promise<T> {
    const find = (all: readonly T[]): T | undefined => all.find((object) => object.metadata.name === name && isWanted(object));
    return until(this.admin, { resource, namespace: this.namespace }, find, this.#over.signal);
  }

  untilGone(resource: Resource, name: string): Promise<true> {
    const isGone = (all: readonly KubeObject[]): true | undefined => all.every(({ metadata }) => metadata.name !== name) || undefined;
    return until(this.admin, { resource, namespace: this.namespace }, isGone, this.#over.signal);
  }

  /** Waits until the Machine says that of itself. */
  untilStated(name: string, stated: Readonly<Record<string, 'True' | 'False'>>): Promise<Machine> {
    const says = ({ status }: Machine): boolean =>
      Object.entries(stated).every(([type, is]) => status?.conditions?.find((condition) => condition.type === type)?.status === is);
    return this.until(Machine, name, says);
  }

  /** Waits until an Event for this reason is recorded for an object. */
  untilTold(about: KubeObject, reason: string): Promise<Event> {
    const find = (events: readonly Event[]): Event | undefined =>
      events.find((event) => event.involvedObject.uid === about.metadata.uid && event.reason === reason);
    return until(this.admin, { resource: Event, namespace: this.namespace }, find, this.#over.signal);
  }
}
