import { Cluster } from '../../kube/builtin/index.ts';
import type { Machine } from '../../api/machine/machine.ts';
import type { ObjectKey } from '../../api/meta.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import { clusterNameOf, localClusterUnknown, targetCluster } from '../machine-health/targets/cluster-of-machine.ts';

/** Where a Machine's Node is. A Node of another cluster may have the same name as one of this cluster. */
export type MachineLocation =
  | { readonly kind: 'local' }
  | { readonly kind: 'other-cluster'; readonly cluster: ObjectKey }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Whether a Cluster object represents the cluster that Sickbay runs in; undefined while that is not known. */
export type IsLocalCluster = (cluster: ObjectKey) => boolean | undefined;

/** Finds out, from a live read, in which cluster a Machine is: nothing is known of one whose Cluster is gone (ruling 123). */
export async function locateMachine(
  machine: Machine,
  reader: Pick<Reader, 'fetch'>,
  isLocalCluster: IsLocalCluster,
): Promise<MachineLocation> {
  const name = clusterNameOf(machine);
  if (name === '') return { kind: 'local' };
  const key = { namespace: machine.metadata.namespace ?? '', name };
  const cluster = targetCluster(name, await reader.fetch(Cluster, key));
  if (cluster.kind === 'local') return { kind: 'local' };
  if (cluster.kind === 'unknown') return { kind: 'unreadable', reason: cluster.why };
  const isLocal = isLocalCluster(key);
  // A Node that is taken to be elsewhere is acted on without a claim for it in the budget, while a workflow may be draining it.
  if (isLocal === undefined) return { kind: 'unreadable', reason: localClusterUnknown(name) };
  return isLocal ? { kind: 'local' } : { kind: 'other-cluster', cluster: key };
}
