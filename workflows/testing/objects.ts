import type { ConfigMap, Container, Node, Pod } from '../../src/api/builtin/index.ts';
import type { Draft } from '../../src/api/meta.ts';
import type { Workload } from '../workloads.ts';

const CONTAINERS: readonly Container[] = [
  { name: 'web', image: 'web:1', resources: { limits: { memory: '256Mi', cpu: '500m' }, requests: { memory: '128Mi', cpu: '100m' } } },
  { name: 'side', image: 'side:1', resources: { limits: { memory: '64Mi' } } },
  { name: 'free', image: 'free:1' },
];

/** A workload `web` with two replicas: one container with limits and requests, one with a memory limit only, and one with none. */
export const aWorkload = (kind = 'Deployment', spec: object = {}, containers = CONTAINERS): Draft<Workload> => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    ...(kind === 'DaemonSet' ? {} : { replicas: 2 }),
    ...(kind === 'StatefulSet' ? { serviceName: 'web' } : {}),
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers } },
    ...spec,
  } as Workload['spec'],
});

export const READY = { conditions: [{ type: 'Ready', status: 'True' }] } as const;

export const aNode = (spec: object = {}, more: object = {}): Draft<Node> => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', ...more },
  spec,
});

/** A pod on n1 that a ReplicaSet made. */
export const aPod = (name: string, metadata: object = {}, spec: object = {}): Draft<Pod> => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', ownerReferences: [ownedBy('ReplicaSet')], ...metadata },
  spec: { nodeName: 'n1', containers: [{ name: 'web', image: 'web:1' }], ...spec },
});

export const ownedBy = (kind: string) => ({ apiVersion: 'apps/v1', kind, name: 'owner', uid: `${kind}-uid`, controller: true });

export const aConfigMap = (name: string, data: Readonly<Record<string, string>>, versionOf?: string): Draft<ConfigMap> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop', ...(versionOf === undefined ? {} : { annotations: { 'kubernaut.ai/version-of': versionOf } }) },
  data,
});
