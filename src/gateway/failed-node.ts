import { DaemonSet, Deployment, Node, Pod, ReplicaSet, StatefulSet } from '../api/builtin/index.ts';
import type { KubeObject, LabelSelector } from '../api/meta.ts';
import { apiVersionOf, type Resource } from '../api/resource.ts';
import { ask, askList, formatLabelSelector, labelRequirements, type KubeClient } from '../kube/index.ts';
import type { Target } from './find-target.ts';

/** What has pods that a selector finds. */
const WITH_PODS: readonly Resource[] = [Deployment, StatefulSet, DaemonSet, ReplicaSet];

type WithSelector = KubeObject & { readonly spec: { readonly selector: LabelSelector } };

/**
 * The Node whose failure made a workload unhealthy: all of its pods that are not ready are on Nodes that are not Ready; of several the first by
 * name. Undefined where there is none, and where that cannot be read: the workload is then judged for itself.
 */
export async function failedNodeOf(target: Target, client: KubeClient): Promise<Target | undefined> {
  const pods = await unreadyPodsOf(target, client);
  const names = new Set(pods.map(({ spec }) => spec.nodeName));
  const nodes = await Promise.all([...names].map((name) => notReadyNode(name, client)));
  if (nodes.length === 0 || nodes.includes(undefined)) return undefined;
  const [first] = nodes.flatMap((node) => node ?? []).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return first && targetOf(first);
}

/** Those that are being deleted count: on a Node that does not answer they stay until it does. */
async function unreadyPodsOf({ kind, apiVersion, namespace, name }: Target, client: KubeClient): Promise<readonly Pod[]> {
  const resource = WITH_PODS.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
  if (!resource) return [];
  const read = await ask(() => client.get(resource, { namespace, name }));
  if (read.kind !== 'value') return [];
  const { selector } = (read.value as WithSelector).spec;
  const pods = await askList(client, Pod, { namespace, labelSelector: formatLabelSelector(labelRequirements(selector)) });
  return pods.kind === 'value' ? pods.value.filter(isUnready) : [];
}

const isUnready = ({ status }: Pod): boolean =>
  status?.phase !== 'Succeeded' &&
  status?.phase !== 'Failed' &&
  status?.conditions?.some(({ type, status: holds }) => type === 'Ready' && holds === 'True') !== true;

/** Undefined for a Node that is Ready, that cannot be read, and for a pod that is on none. */
async function notReadyNode(name: string | undefined, client: KubeClient): Promise<Node | undefined> {
  if (name === undefined) return undefined;
  const read = await ask(() => client.get(Node, { namespace: '', name }));
  if (read.kind !== 'value') return undefined;
  const ready = read.value.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready !== undefined && ready.status !== 'True' ? read.value : undefined;
}

const targetOf = ({ metadata }: Node): Target => {
  const apiVersion = apiVersionOf(Node);
  return { apiVersion, kind: Node.kind, name: metadata.name, namespace: '', object: { apiVersion, kind: Node.kind, metadata } };
};
