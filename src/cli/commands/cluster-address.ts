import type { Clock } from '../../base/index.ts';
import type { ClusterAddress } from '../../controllers/execution/index.ts';
import { podConfig, type PodConfigOptions } from '../../kube/identity/pod-config.ts';

/**
 * Where a playbook finds the cluster that we work on: its address as pods see it. Undefined outside a cluster, and where we work on another
 * one than our own: nobody knows whether AWX could reach it.
 */
export function clusterAddress(
  server: string,
  clock: Clock,
  where: Omit<PodConfigOptions, 'clock'> = { env: process.env },
): ClusterAddress | undefined {
  const pod = podConfig({ clock, ...where });
  return pod?.server === server && pod.ca !== undefined ? { host: pod.server, ca: String(pod.ca) } : undefined;
}
