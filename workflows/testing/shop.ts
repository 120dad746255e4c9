import { ConfigMap, Deployment, Pod } from '../../src/api/builtin/index.ts';
import type { Draft } from '../../src/api/meta.ts';
import { until } from '../../src/cli/demo/until.ts';
import type { LibraryOnCluster, Order } from './cluster-runs.ts';

/** The image that every node has. */
const BUSYBOX = 'sickbay.test/busybox:1';

/** A namespace of workloads that are broken and repaired. */
export interface Shop extends LibraryOnCluster {
  /** Runs a workflow on something of the shop. */
  readonly repair: (order: Omit<Order, 'namespace'>) => Promise<string>;
  readonly create: (deployment: Draft<Deployment>) => Promise<Deployment>;
  /** A ConfigMap whose MODE is this. */
  readonly createMap: (name: string, mode: string, metadata?: object) => Promise<ConfigMap>;
  readonly setMap: (name: string, mode: string) => Promise<ConfigMap>;
  /** Waits for a pod of the Deployment of which something is so. */
  readonly pod: (app: string, isSo: (pod: Pod) => boolean) => Promise<Pod>;
  /** Waits until all pods of the Deployment are of its newest template, and available. */
  readonly healthy: (name: string, replicas?: number) => Promise<Deployment>;
}

/** Helpers for what happens in a shop. */
export function shopOn(cluster: LibraryOnCluster): Shop {
  const { client, shop: namespace, over } = cluster;
  return {
    ...cluster,
    repair: (order) => cluster.run({ namespace, ...order }),
    create: (draft) => client.create(Deployment, { ...draft, metadata: { ...draft.metadata, namespace } }),
    createMap: (name, MODE, metadata = {}) =>
      client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, ...metadata }, data: { MODE } }),
    setMap: (name, MODE) => client.patch(ConfigMap, { namespace, name }, { type: 'merge', body: { data: { MODE } } }),
    pod: (app, isSo) => until(client, { resource: Pod, namespace, labelSelector: `app=${app}` }, (pods) => pods.find(isSo), over),
    healthy: (name, replicas = 1) => {
      const isIt = (one: Deployment): boolean => one.metadata.name === name && isHealthy(one, replicas);
      return until(client, { resource: Deployment, namespace }, (all) => all.find(isIt), over);
    },
  };
}

function isHealthy({ metadata, status }: Deployment, replicas: number): boolean {
  const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas];
  return status?.observedGeneration === metadata.generation && counts.every((count) => count === replicas);
}

/** What a script of busybox is run by. */
export const sh = (script: string): readonly string[] => ['sh', '-c', script];

/** A container that is ready when the script ends well. */
export const probe = (script: string) => ({ exec: { command: sh(script) }, periodSeconds: 2 });

/** The variable MODE, as a ConfigMap says when the container starts. */
export const modeOf = (name: string) => [{ name: 'MODE', valueFrom: { configMapKeyRef: { name, key: 'MODE' } } }];

interface DeploymentMore {
  readonly replicas?: number;
  /** More of the pods. */
  readonly spec?: object;
}

/** A Deployment whose one container is busybox with this. */
export function aDeployment(name: string, container: object, { replicas = 1, spec }: DeploymentMore = {}): Draft<Deployment> {
  const labels = { app: name };
  const containers = [{ name: 'main', image: BUSYBOX, ...container }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 1, ...spec, containers } },
    },
  };
}

/** Whether a container of the pod runs, ready or not. */
export const isUp = ({ status }: Pod): boolean => (status?.containerStatuses ?? []).some(({ state }) => state?.running !== undefined);

/** How its containers ended, now or before they were started again. */
export const endsOf = ({ status }: Pod): readonly (string | undefined)[] =>
  (status?.containerStatuses ?? []).flatMap(({ state, lastState }) => [state?.terminated?.reason, lastState?.terminated?.reason]);

/** What its containers wait for. */
export const waitsOf = ({ status }: Pod): readonly (string | undefined)[] =>
  (status?.containerStatuses ?? []).map(({ state }) => state?.waiting?.reason);

/** How often its containers were started again, all together. */
export const restartsOf = ({ status }: Pod): number =>
  (status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
