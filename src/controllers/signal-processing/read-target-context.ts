import { Namespace, resourceOfKind } from '../../api/builtin/index.ts';
import { keyText, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { ownerChain } from '../../kube/objects/owner-chain.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';

type Signal = SignalProcessing['spec']['signal'];

/** The target and what is around it, as the server shows it. */
export type Surroundings =
  /** What is undefined does not exist, or is of a kind that we cannot read. `owners` is nearest first. */
  | {
      readonly kind: 'read';
      readonly target: KubeObject | undefined;
      readonly owners: readonly KubeObject[];
      readonly namespace: Namespace | undefined;
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Asks the server for all of it. One part that cannot be read makes the whole unreadable: half a picture would pass for the whole. */
export async function readSurroundings(signal: Signal, reader: Reader): Promise<Surroundings> {
  const refusals: string[] = [];
  const fetch = async <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) => {
    const read = await reader.fetch(resource, key);
    if (read.kind === 'unreadable') refusals.push(`reading ${resource.kind} ${keyText(key)}: ${read.reason}`);
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
  return refusals.length > 0 ? { kind: 'unreadable', reason: refusals.join('; ') } : { kind: 'read', target, owners, namespace };
}

/** A namespace surrounds itself; what is cluster-wide has none. */
export const namespaceOf = ({ targetResource: { kind, name, namespace } }: Signal): string =>
  kind === 'Namespace' ? name : (namespace ?? '');

/** Only what lives in this cluster can be read. */
const targetResource = ({ targetType, targetResource: { kind, apiVersion } }: Signal): Resource | undefined =>
  targetType === 'kubernetes' ? resourceOfKind(kind, apiVersion) : undefined;
