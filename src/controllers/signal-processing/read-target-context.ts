import { Namespace, Node, Pod, resourceOfKind } from '../../api/builtin/index.ts';
import { keyText, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { mustLeaveOnDrain } from '../../kube/objects/drain.ts';
import { ownerChain } from '../../kube/objects/owner-chain.ts';
import type { Listed } from '../../kube/client/read.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import { isProtectedNamespace, type OwnNamespaces } from '../../scope/index.ts';

type Signal = SignalProcessing['spec']['signal'];

/** The target, its owners and its namespace, as the API server shows them. */
export type TargetContext =
  /** An undefined part does not exist, or is of a kind that cannot be read. `owners` is nearest first. */
  | {
      readonly kind: 'read';
      readonly target: KubeObject | undefined;
      readonly owners: readonly KubeObject[];
      readonly namespace: Namespace | undefined;
      /** Of a Node: the namespaces of the pods that would have to leave it. */
      readonly podNamespaces?: readonly Namespace[];
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Reads all of it. If one part cannot be read, the whole is unreadable: a partial context would be taken for the whole. */
export async function readTargetContext(signal: Signal, reader: Reader, own: OwnNamespaces): Promise<TargetContext> {
  const failures: string[] = [];
  const fetch = async <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) => {
    const read = await reader.fetch(resource, key);
    if (read.kind === 'unreadable') failures.push(`reading ${resource.kind} ${keyText(key)}: ${read.reason}`);
    return read;
  };
  const valueOf = async <T extends KubeObject>(resource: Resource<T> | undefined, key: ObjectKey): Promise<T | undefined> => {
    const read = resource && (await fetch(resource, key));
    return read?.kind === 'value' ? read.value : undefined;
  };
  const namespaceName = namespaceOf(signal);
  const namespace = namespaceName === '' ? undefined : await valueOf(Namespace, { namespace: '', name: namespaceName });
  const resource = targetResource(signal);
  const target = await valueOf(resource, {
    namespace: resource?.namespaced === true ? namespaceName : '',
    name: signal.targetResource.name,
  });
  const { owners } = target ? await ownerChain(target, fetch) : { owners: [] };
  if (failures.length > 0) return { kind: 'unreadable', reason: failures.join('; ') };
  const read = { kind: 'read', target, owners, namespace } as const;
  if (resource !== Node || !target) return read;
  const around = await podNamespacesOf(target.metadata.name, reader, own);
  return around.kind === 'unreadable' ? around : { ...read, podNamespaces: around.value };
}

/** Namespaces in which nothing is ever remediated say nothing about what runs there: every node has pods of kube-system. */
async function podNamespacesOf(node: string, reader: Reader, own: OwnNamespaces): Promise<Listed<Namespace>> {
  const pods = await reader.fetchList(Pod, { fieldSelector: `spec.nodeName=${node}` });
  if (pods.kind === 'unreadable') return { kind: 'unreadable', reason: `listing the Pods on Node ${node}: ${pods.reason}` };
  const movable = pods.value.filter(mustLeaveOnDrain).map(({ metadata }) => metadata.namespace ?? '');
  const names = new Set(movable.filter((name) => !isProtectedNamespace(name, own)));
  if (names.size === 0) return { kind: 'value', value: [] };
  const all = await reader.fetchList(Namespace, {});
  if (all.kind === 'unreadable') return { kind: 'unreadable', reason: `listing the Namespaces of the Pods on Node ${node}: ${all.reason}` };
  return { kind: 'value', value: all.value.filter(({ metadata }) => names.has(metadata.name)) };
}

/** The namespace of a target: itself if the target is one, empty if the target is cluster-scoped. */
export const namespaceOf = ({ targetResource: { kind, name, namespace } }: Signal): string =>
  kind === 'Namespace' ? name : (namespace ?? '');

/** Only objects of this cluster can be read. */
const targetResource = ({ targetType, targetResource: { kind, apiVersion } }: Signal): Resource | undefined =>
  targetType === 'kubernetes' ? resourceOfKind(kind, apiVersion) : undefined;
