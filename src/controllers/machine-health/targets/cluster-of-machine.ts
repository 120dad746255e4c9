import type { Cluster } from '../../../api/builtin/index.ts';
import type { Condition } from '../../../api/meta.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { LABELS } from '../../../api/well-known.ts';
import { parseTime, type Instant } from '../../../base/index.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';
import type { Listed, Read } from '../../../kube/client/read.ts';
import type { TargetCluster } from './target.ts';

export const clusterNameOf = ({ spec, metadata }: Machine): string => spec.clusterName ?? metadata.labels?.[LABELS.clusterName] ?? '';

/** The state of the Machine's cluster. A name without a Cluster object means the local cluster. */
export function clusterOfMachine(machine: Machine, clusters: Listed<Cluster>): TargetCluster {
  const name = clusterNameOf(machine);
  if (clusters.kind === 'unreadable') return targetCluster(name, clusters);
  const cluster = clusters.value.find(({ metadata }) => metadata.name === name && metadata.namespace === machine.metadata.namespace);
  return targetCluster(name, cluster ? { kind: 'value', value: cluster } : { kind: 'absent' });
}

/** The same, from a read of that Cluster. */
export function targetCluster(name: string, read: Read<Cluster>): TargetCluster {
  if (name === '' || read.kind === 'absent') return { kind: 'local' };
  if (read.kind === 'unreadable') return { kind: 'unreadable', why: `Cluster ${name} cannot be read: ${read.reason}` };
  const { conditions } = read.value.status ?? {};
  return {
    kind: 'other',
    name,
    controlPlaneSince: trueSince(conditions, 'ControlPlaneInitialized'),
    infrastructureSince: trueSince(conditions, 'InfrastructureReady'),
    ...(read.value.spec?.paused === true && { isPaused: true }),
  };
}

function trueSince(conditions: readonly Condition[] | undefined, type: string): Instant | undefined {
  const found = getCondition(conditions, type);
  return found?.status === 'True' ? parseTime(found.lastTransitionTime) : undefined;
}

/** Why a Machine is left alone whose Node may be in the local cluster or in another. */
export const localClusterUnknown = (cluster: string): string =>
  `it is unknown whether Cluster ${cluster} is the one that Sickbay runs in: see the condition NodesReachable of the MachineHealthCheck`;
