import { Namespace, resourceOfKind } from '../../api/builtin/index.ts';
import { keyText, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { ownerChain } from '../../kube/objects/owner-chain.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';

type Signal = SignalProcessing['spec']['signal'];

/** The target, its owners and its namespace, as the API server shows them. */
export type TargetContext =
  /** An undefined part does not exist, or is of a kind that cannot be read. `owners` is nearest first. */
  | {
      readonly kind: 'read';
      readonly target: KubeObject | undefined;
      readonly owners: readonly KubeObject[];
      readonly namespace: Namespace | undefined;
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Reads all of it. If one part cannot be read, the whole is unreadable: a partial context would be taken for the whole. */
export async function readTargetContext(signal: Signal, reader: Reader): Promise<TargetContext> {
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
  return failures.length > 0 ? { kind: 'unreadable', reason: failures.join('; ') } : { kind: 'read', target, owners, namespace };
}

/** The namespace of a target: itself if the target is one, empty if the target is cluster-scoped. */
export const namespaceOf = ({ targetResource: { kind, name, namespace } }: Signal): string =>
  kind === 'Namespace' ? name : (namespace ?? '');

/** Only objects of this cluster can be read. */
const targetResource = ({ targetType, targetResource: { kind, apiVersion } }: Signal): Resource | undefined =>
  targetType === 'kubernetes' ? resourceOfKind(kind, apiVersion) : undefined;
