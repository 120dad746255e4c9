import { Cluster } from '../../../api/builtin/index.ts';
import type { Condition } from '../../../api/meta.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { LABELS } from '../../../api/well-known.ts';
import { parseTime, type Instant } from '../../../base/index.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { TargetCluster, UnknownCluster } from './target.ts';

export const clusterNameOf = ({ spec, metadata }: Machine): string => spec.clusterName ?? metadata.labels?.[LABELS.clusterName] ?? '';

/** A read of the Cluster that a Machine names; absent where it names none. */
const readClusterOf = (machine: Machine, reader: Pick<Reader, 'get'>): Read<Cluster> => {
  const name = clusterNameOf(machine);
  return name === '' ? { kind: 'absent' } : reader.get(Cluster, { namespace: machine.metadata.namespace ?? '', name });
};

/** The cluster of a Machine, from the cache. */
export const clusterOfMachine = (machine: Machine, reader: Pick<Reader, 'get'>): TargetCluster =>
  targetCluster(clusterNameOf(machine), readClusterOf(machine, reader));

/**
 * The cluster of a Machine, from a read of the Cluster that it names. The local cluster is meant only where no Cluster is named, or where
 * the server has no such kind: a Cluster that is gone may have been deleted, and the local Nodes say nothing about its Machines (ruling 123).
 */
export function targetCluster(name: string, read: Read<Cluster>): TargetCluster {
  if (name === '') return { kind: 'local' };
  if (read.kind === 'unreadable') return unknown('ClusterUnreadable', `Cluster ${name} cannot be read: ${read.reason}`);
  if (read.kind === 'absent') return read.isKindUnknown ? { kind: 'local' } : unknown('ClusterNotFound', `Cluster ${name} does not exist`);
  const { metadata, spec, status } = read.value;
  if (metadata.deletionTimestamp !== undefined) return unknown('ClusterDeleting', `Cluster ${name} is being deleted`);
  return {
    kind: 'other',
    name,
    controlPlaneSince: trueSince(status?.conditions, 'ControlPlaneInitialized'),
    infrastructureSince: trueSince(status?.conditions, 'InfrastructureReady'),
    ...(spec?.paused === true && { isPaused: true }),
  };
}

const unknown = (reason: UnknownCluster['reason'], why: string): UnknownCluster => ({ kind: 'unknown', reason, why });

function trueSince(conditions: readonly Condition[] | undefined, type: string): Instant | undefined {
  const found = getCondition(conditions, type);
  return found?.status === 'True' ? parseTime(found.lastTransitionTime) : undefined;
}

/** Why a Machine is left alone whose Node may be in the local cluster or in another. */
export const localClusterUnknown = (cluster: string): string =>
  `it is unknown whether Cluster ${cluster} is the one that Sickbay runs in: see the condition NodesReachable of the MachineHealthCheck`;
