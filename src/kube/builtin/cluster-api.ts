import type { Condition, KubeObject } from '../meta.ts';
import type { Resource } from '../resource.ts';

const clusterApi = <T extends KubeObject>(kind: string, plural: string): Resource<T> => ({
  group: 'cluster.x-k8s.io',
  version: 'v1beta2',
  kind,
  plural,
  namespaced: true,
});

/** Cluster API's Cluster, as far as health checks look at it. */
export interface Cluster extends KubeObject {
  readonly spec?: { readonly paused?: boolean };
  readonly status?: { readonly conditions?: readonly Condition[] };
}
export const Cluster = clusterApi<Cluster>('Cluster', 'clusters');
