import { Cluster } from '../../kube/builtin/index.ts';
import type { Machine } from '../../api/machine/machine.ts';
import { keyOf, type ObjectKey } from '../../api/meta.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import { clusterNameOf, localClusterUnknown } from '../machine-health/targets/cluster-of-machine.ts';

/** Where a Machine's Node is. A Node of another cluster may have the same name as one of this cluster. */
export type MachineLocation =
  | { readonly kind: 'local' }
  | { readonly kind: 'other-cluster'; readonly cluster: ObjectKey }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Whether a Cluster object represents the cluster that Sickbay runs in; undefined while that is not known. */
export type IsLocalCluster = (cluster: ObjectKey) => boolean | undefined;

/** Finds out, from a live read, in which cluster a Machine is. A Machine without a Cluster object is in the local cluster. */
export async function locateMachine(
  machine: Machine,
  reader: Pick<Reader, 'fetch'>,
  isLocalCluster: IsLocalCluster,
): Promise<MachineLocation> {
  const name = clusterNameOf(machine);
  if (name === '') return { kind: 'local' };
  const read = await reader.fetch(Cluster, { namespace: machine.metadata.namespace ?? '', name });
  if (read.kind === 'absent') return { kind: 'local' };
  if (read.kind === 'unreadable') return { kind: 'unreadable', reason: `Cluster ${name} cannot be read: ${read.reason}` };
  const cluster = keyOf(read.value);
  const isLocal = isLocalCluster(cluster);
  // A Node that is taken to be elsewhere is acted on without a claim for it in the budget, while a workflow may be draining it.
  if (isLocal === undefined) return { kind: 'unreadable', reason: localClusterUnknown(name) };
  return isLocal ? { kind: 'local' } : { kind: 'other-cluster', cluster };
}
