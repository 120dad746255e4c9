import type { Cluster } from '../../api/builtin/index.ts';
import type { Condition } from '../../api/meta.ts';
import type { Machine } from '../../api/machine/machine.ts';
import { LABELS } from '../../api/well-known.ts';
import { parseTime, type Instant } from '../../base/index.ts';
import { getCondition } from '../../kube/conditions.ts';
import type { Listed } from '../../kube/read.ts';
import type { ClusterSeen } from './target.ts';

export const clusterNameOf = ({ spec, metadata }: Machine): string => spec.clusterName ?? metadata.labels?.[LABELS.clusterName] ?? '';

/** Since when the Machine's cluster is up. One that no Cluster object stands for is the one that we run in. */
export function clusterOf(machine: Machine, clusters: Listed<Cluster>): ClusterSeen {
  const name = clusterNameOf(machine);
  if (name === '') return { kind: 'local' };
  if (clusters.kind === 'unreadable') return { kind: 'unreadable', why: `Cluster ${name} cannot be read: ${clusters.reason}` };
  const cluster = clusters.value.find(({ metadata }) => metadata.name === name && metadata.namespace === machine.metadata.namespace);
  if (!cluster) return { kind: 'local' };
  const { conditions } = cluster.status ?? {};
  return {
    kind: 'other',
    name,
    controlPlaneSince: trueSince(conditions, 'ControlPlaneInitialized'),
    infrastructureSince: trueSince(conditions, 'InfrastructureReady'),
  };
}

function trueSince(conditions: readonly Condition[] | undefined, type: string): Instant | undefined {
  const found = getCondition(conditions, type);
  return found?.status === 'True' ? parseTime(found.lastTransitionTime) : undefined;
}
