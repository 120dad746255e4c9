import { Cluster } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { ObjectKey } from '../../../api/meta.ts';
import type { Cache } from '../../../kube/cache/cache.ts';
import { WorkloadClusters, type LinkDeps } from '../../../workload-clusters/index.ts';
import { trimNode } from '../watches/watches.ts';

/** Whether a cluster exists and a check may select its Machines. What cannot be read is assumed to exist. */
function stillChecked(cache: Cache): (cluster: ObjectKey) => boolean {
  const clusters = cache.store({ resource: Cluster, isOptional: true });
  const checks = cache.store({ resource: MachineHealthCheck });
  return (cluster) => {
    if (clusters.unreadable !== undefined || checks.unreadable !== undefined) return true;
    if (clusters.get(cluster) === undefined) return false;
    return checks
      .list()
      .some(({ metadata, spec }) => metadata.namespace === cluster.namespace && (spec.clusterName ?? cluster.name) === cluster.name);
  };
}

/** The Nodes of other clusters, trimmed to what checks read, for clusters that a check covers. */
export const createWorkloadNodes = ({
  cache,
  ...deps
}: Pick<LinkDeps, 'clock' | 'random' | 'log' | 'open'> & { readonly cache: Cache }): WorkloadClusters =>
  new WorkloadClusters({ ...deps, client: cache.client, keep: trimNode, isWanted: stillChecked(cache) });
