import type { CoreV1Api } from '@kubernetes/client-node';
import { after, isObject, MINUTE, PlatformError, SECOND, type Clock, type JsonObject } from '../../src/base/index.ts';
import type { ApiRequest, HttpTransport } from '../../src/kube/index.ts';
import type { Step } from './fault.ts';
import type { PodLog, Seen, Snapshot } from './recording.ts';
import { collectionOf, RECORDED, type Recorded } from './resources.ts';

/** A cluster that may be broken. */
export interface ClusterAccess {
  readonly transport: HttpTransport;
  readonly logs: CoreV1Api;
  readonly clock: Clock;
}

const CALM_LIMIT_MS = 2 * MINUTE;
const TAIL_LINES = 30;

/** The namespace in which one fault takes place. */
export class Scene {
  readonly namespace: string;
  readonly #access: ClusterAccess;

  constructor(access: ClusterAccess, namespace: string) {
    this.#access = access;
    this.namespace = namespace;
  }

  async open(): Promise<void> {
    await this.#call({
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.namespace } },
    });
    // Pods are refused until their ServiceAccount is there.
    await this.#until('the default ServiceAccount', async () => {
      const accounts = await this.#list({ apiVersion: 'v1', kind: 'ServiceAccount', namespaced: true });
      return accounts.length > 0;
    });
  }

  close(): Promise<unknown> {
    return this.#call({ method: 'DELETE', path: `/api/v1/namespaces/${this.namespace}` });
  }

  async take(step: Step): Promise<void> {
    if ('create' in step) {
      const { metadata } = step.create;
      const body = { ...step.create, metadata: { ...metadata, namespace: this.namespace } };
      await this.#call({ method: 'POST', path: collectionOf(step.create, this.namespace), body });
      return;
    }
    const on = 'patch' in step ? step.patch : step.remove;
    const path = `${collectionOf(on, this.namespace)}/${on.name}`;
    const contentType = 'application/strategic-merge-patch+json';
    await this.#call('patch' in step ? { method: 'PATCH', path, contentType, body: step.body } : { method: 'DELETE', path });
  }

  /** Waits until everything that has replicas has all of them, ready and of the newest template. */
  async untilCalm(): Promise<void> {
    const kinds = RECORDED.filter(({ kind }) => ['Deployment', 'StatefulSet', 'DaemonSet'].includes(kind));
    await this.#until('all workloads to be ready', async () => {
      const workloads = (await Promise.all(kinds.map((kind) => this.#list(kind)))).flat();
      return workloads.every(isCalm);
    });
  }

  async snapshot(at: number): Promise<Snapshot> {
    const objects = (await Promise.all(RECORDED.map((kind) => this.#list(kind)))).flat();
    const pods = objects.filter(({ kind }) => kind === 'Pod');
    const logs = (await Promise.all(pods.flatMap((pod) => this.#logsOf(pod)))).filter((log) => log !== undefined);
    return { at, objects, logs };
  }

  async #list({ apiVersion, kind, namespaced }: Recorded): Promise<readonly Seen[]> {
    const body = await this.#call({ method: 'GET', path: collectionOf({ apiVersion, kind }, namespaced ? this.namespace : undefined) });
    const items = isObject(body) && Array.isArray(body['items']) ? (body['items'] as readonly JsonObject[]) : [];
    return items.map((item) => ({ ...item, apiVersion, kind }) as unknown as Seen);
  }

  #logsOf(pod: Seen): readonly Promise<PodLog | undefined>[] {
    const { containers = [], initContainers = [] } = pod['spec'] as Record<string, readonly { readonly name: string }[] | undefined>;
    return [...initContainers, ...containers].flatMap(({ name }) => [this.#log(pod, name, false), this.#log(pod, name, true)]);
  }

  /** Undefined where there is none: the container has not run. */
  async #log(pod: Seen, container: string, previous: boolean): Promise<PodLog | undefined> {
    const { name } = pod.metadata;
    const options = { name, namespace: this.namespace, container, previous, tailLines: TAIL_LINES };
    const text = await this.#access.logs.readNamespacedPodLog(options).catch(() => undefined);
    return text === undefined || text === '' ? undefined : { pod: name, container, ...(previous && { previous }), text };
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const { clock } = this.#access;
    const limit = after(clock.now(), CALM_LIMIT_MS);
    while (!(await isSo())) {
      if (clock.now() >= limit) throw new PlatformError('Unavailable', `${this.namespace}: waited in vain for ${what}`);
      await clock.waitUntil(after(clock.now(), SECOND), new AbortController().signal);
    }
  }

  async #call(request: ApiRequest): Promise<unknown> {
    const { code, body } = await this.#access.transport.request(request);
    if (code >= 300) throw new PlatformError('Invalid', `${request.method} ${request.path}: ${code} ${JSON.stringify(body).slice(0, 300)}`);
    return body;
  }
}

function isCalm({ kind, metadata, ...rest }: Seen): boolean {
  const status = rest['status'] as Record<string, number | undefined>;
  const wanted = kind === 'DaemonSet' ? (status['desiredNumberScheduled'] ?? 0) : ((rest['spec'] as { replicas?: number }).replicas ?? 1);
  const isSeen = status['observedGeneration'] === metadata.generation;
  const counts = kind === 'DaemonSet' ? ['numberReady', 'updatedNumberScheduled'] : ['readyReplicas', 'updatedReplicas', 'replicas'];
  return isSeen && counts.every((count) => (status[count] ?? 0) === wanted);
}
