import { Namespace, Node } from '../../src/api/builtin/index.ts';
import { kinds, Machine, MachineHealthCheck, type KubeObject, type Resource } from '../../src/api/index.ts';
import { after, MINUTE, systemClock, systemRandom } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { createClient, httpTransport, loadConfig, type HttpTransport, type KubeClient } from '../../src/kube/index.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';

const CLUSTER = 'this';

/** A Machine for each real node of a cluster, and a check over them, in a namespace of their own. */
export class NodeMachines {
  readonly namespace = `machines-${systemRandom.uuid().slice(0, 8)}`;
  readonly over = new AbortController();
  readonly transport: HttpTransport;
  readonly client: KubeClient;

  private constructor(transport: HttpTransport) {
    this.transport = transport;
    this.client = createClient(transport);
  }

  static async open(kubeconfig: string): Promise<NodeMachines> {
    const opened = new NodeMachines(httpTransport(await loadConfig({ clock: systemClock, kubeconfig })));
    const { client, namespace } = opened;
    await installKinds(kinds, { client, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    return opened;
  }

  async close(): Promise<void> {
    await this.client.delete(Namespace, { namespace: '', name: this.namespace });
    await this.transport.close();
  }

  key = (name: string) => ({ namespace: this.namespace, name });

  /** Names of the Machines, which are those of the nodes. */
  async machines(): Promise<readonly string[]> {
    const nodes = (await this.client.list(Node)).items.map(({ metadata }) => metadata.name);
    for (const name of nodes) {
      const metadata = { ...this.key(name), labels: { role: 'worker' } };
      const apiVersion = 'cluster.x-k8s.io/v1beta2';
      await this.client.create(Machine, { apiVersion, kind: 'Machine', metadata, spec: { clusterName: CLUSTER } });
      await this.client.patchStatus(Machine, this.key(name), { type: 'merge', body: { status: { nodeRef: { name } } } });
    }
    return nodes;
  }

  /** A check that finds a node unhealthy five seconds after its heartbeats are missed. */
  async check(templateRef: { readonly apiVersion: string; readonly kind: string; readonly name: string }): Promise<void> {
    await this.client.create(MachineHealthCheck, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineHealthCheck',
      metadata: this.key('workers'),
      spec: {
        clusterName: CLUSTER,
        selector: { matchLabels: { role: 'worker' } },
        checks: {
          unhealthyNodeConditions: [
            { type: 'Ready', status: 'Unknown', timeoutSeconds: 5 },
            { type: 'Ready', status: 'False', timeoutSeconds: 5 },
          ],
        },
        remediation: { templateRef },
      },
    });
  }

  /** Waits until an object is as wanted. */
  look<T extends KubeObject>(resource: Resource<T>, name: string, isWanted: (object: T) => boolean): Promise<T> {
    const find = (all: readonly T[]): T | undefined => all.find((one) => one.metadata.name === name && isWanted(one));
    return until(this.client, { resource, namespace: this.namespace }, find, this.over.signal);
  }

  untilNone(resource: Resource): Promise<true> {
    return until(this.client, { resource, namespace: this.namespace }, ({ length }) => length === 0 || undefined, this.over.signal);
  }

  /** Waits until the check counts so many that are healthy. */
  counted(healthy: number): Promise<MachineHealthCheck> {
    return this.look(MachineHealthCheck, 'workers', ({ status }) => status?.currentHealthy === healthy);
  }
}

/** What a Machine says of itself: `True HealthCheckSucceeded`. */
export const stated = (machine: Machine, type: string): string =>
  machine.status?.conditions?.filter((condition) => condition.type === type).map(({ status, reason }) => `${status} ${reason}`)[0] ?? '';
