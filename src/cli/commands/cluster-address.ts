import type { Clock } from '../../base/index.ts';
import type { ClusterAddress } from '../../controllers/execution/index.ts';
import { podConfig, type PodConfigOptions } from '../../kube/identity/pod-config.ts';

/**
 * The address of the cluster for playbooks, as pods see it. Undefined outside a cluster, and where Sickbay works on another
 * cluster than its own: AWX may not reach that one.
 */
export function clusterAddress(
  server: string,
  clock: Clock,
  where: Omit<PodConfigOptions, 'clock'> = { env: process.env },
): ClusterAddress | undefined {
  const pod = podConfig({ clock, ...where });
  return pod?.server === server && pod.ca !== undefined ? { host: pod.server, ca: String(pod.ca) } : undefined;
}
