import { pluralOf } from './plural.ts';

/** A kind that is recorded. */
export interface Recorded {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const kinds = (apiVersion: string, names: readonly string[], namespaced = true): readonly Recorded[] =>
  names.map((kind) => ({ apiVersion, kind, namespaced }));

/** The kinds of which a recording shows what is in the namespace, and those around it. */
export const RECORDED: readonly Recorded[] = [
  ...kinds('v1', [
    'Pod',
    'Service',
    'ConfigMap',
    'Secret',
    'PersistentVolumeClaim',
    'ResourceQuota',
    'LimitRange',
    'ServiceAccount',
    'Event',
  ]),
  ...kinds('apps/v1', ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'ControllerRevision']),
  ...kinds('batch/v1', ['Job', 'CronJob']),
  ...kinds('autoscaling/v2', ['HorizontalPodAutoscaler']),
  ...kinds('policy/v1', ['PodDisruptionBudget']),
  ...kinds('networking.k8s.io/v1', ['NetworkPolicy', 'Ingress']),
  ...kinds('discovery.k8s.io/v1', ['EndpointSlice']),
  ...kinds('v1', ['Node', 'PersistentVolume'], false),
  ...kinds('storage.k8s.io/v1', ['StorageClass'], false),
];

/** Where the API has all objects of a kind, in a namespace or in none. */
export function collectionOf({ apiVersion, kind }: Pick<Recorded, 'apiVersion' | 'kind'>, namespace?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${pluralOf(kind)}`;
}
