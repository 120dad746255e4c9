import { ConfigMap, Deployment, Node, type Container } from '../../api/builtin/index.ts';
import { LABELS } from '../../api/well-known.ts';
import type { Draft } from '../../api/meta.ts';
import { hasCode } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { ask } from '../../kube/client/read-live.ts';
import { KUBELET_ANNOTATION } from '../../local-cluster/index.ts';
import { ensureNamespace } from '../process/install.ts';

/** Nodes beside the one that workflows run on. */
export const WORKERS = ['worker-1', 'worker-2'] as const;

/** What the worker of the shop does, which a ConfigMap tells it. */
export const WORKER_SETTINGS = { namespace: 'shop', name: 'worker-settings', key: 'start' } as const;
const WORKER_START = 'head -c 24m /dev/zero | tail | sleep infinity';

const IMAGE = 'busybox:1.37';
/** A rollout that takes longer is reported as stuck. */
const PROGRESS_DEADLINE_SECONDS = 30;

interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly container?: Partial<Container>;
}

const WORKLOADS: readonly Workload[] = [
  { namespace: 'shop', name: 'web' },
  { namespace: 'shop', name: 'checkout' },
  {
    namespace: 'shop',
    name: 'worker',
    container: {
      command: ['sh', '-c', '$(START)'],
      env: [{ name: 'START', valueFrom: { configMapKeyRef: { name: WORKER_SETTINGS.name, key: WORKER_SETTINGS.key } } }],
      resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '64Mi' } },
    },
  },
  { namespace: 'payments', name: 'payments' },
];

/** Of what the local cluster creates once: what a user deletes later stays deleted. */
const RECORD = 'local-shop';

/** Creates the shop in a cluster that never had it. True when it was created now. */
export async function openShop(client: KubeClient, system: string): Promise<boolean> {
  const record = { namespace: system, name: RECORD };
  const seen = await ask(() => client.get(ConfigMap, record));
  if (seen.kind !== 'absent') return false;
  await ensureNamespace(client, 'shop', { [LABELS.managed]: 'true', [LABELS.environment]: 'staging' });
  await ensureNamespace(client, 'payments', { [LABELS.managed]: 'true', [LABELS.environment]: 'production' });
  for (const name of WORKERS) await unlessThere(client.create(Node, workerNode(name)));
  await unlessThere(client.create(ConfigMap, workerSettings()));
  for (const workload of WORKLOADS) await unlessThere(client.create(Deployment, deploymentOf(workload)));
  await unlessThere(client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: record, data: { created: 'true' } }));
  return true;
}

const workerNode = (name: string): Draft<Node> => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: { 'kubernetes.io/hostname': name, [LABELS.managed]: 'true', [LABELS.environment]: 'staging' },
    annotations: { [KUBELET_ANNOTATION]: 'running' },
  },
});

const workerSettings = (): Draft<ConfigMap> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: WORKER_SETTINGS.namespace, name: WORKER_SETTINGS.name },
  data: { [WORKER_SETTINGS.key]: WORKER_START },
});

function deploymentOf({ namespace, name, container = {} }: Workload): Draft<Deployment> {
  const labels = { app: name };
  const containers = [{ name, image: IMAGE, command: ['sh', '-c', 'sleep infinity'], ...container }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name, labels },
    spec: {
      replicas: 2,
      progressDeadlineSeconds: PROGRESS_DEADLINE_SECONDS,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'shop.example.com/release': '1.0.0' } },
        spec: { containers, terminationGracePeriodSeconds: 1 },
      },
    },
  };
}

async function unlessThere(created: Promise<unknown>): Promise<void> {
  try {
    await created;
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  }
}
