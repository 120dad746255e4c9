import type { NameRule } from '../metadata/names.ts';
import type { WorkMeta } from '../object.ts';

/** The properties of the built-in kinds. Kubernetes' hand-written validation of their fields is not included. */
export interface BuiltinRow {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced?: boolean;
  readonly status?: boolean;
  readonly generation?: boolean;
  readonly names?: NameRule;
  readonly strictMetadata?: boolean;
  readonly fixedByStatus?: 'all' | readonly (keyof WorkMeta)[];
  /** False where a PUT must name the version that it replaces. */
  readonly unconditionalUpdate?: boolean;
  readonly createOnUpdate?: boolean;
  /** The propagation policy when a deletion names none; `ignored` where deletions cannot name one. */
  readonly dependents?: 'deleted' | 'orphaned' | 'ignored';
  readonly showsDeleted?: boolean;
  readonly annotatesWishes?: boolean;
  readonly fields?: readonly string[];
}

type Rest = Partial<BuiltinRow>;

const core = (kind: string, plural: string, rest: Rest): BuiltinRow => ({ group: '', version: 'v1', kind, plural, ...rest });

/** Workloads: namespaced, with a status and a generation. */
const workload = (group: string, kind: string, plural: string, rest: Rest): BuiltinRow => {
  const usual = { namespaced: true, status: true, generation: true, categories: ['all'] };
  return { group, version: 'v1', kind, plural, ...usual, ...rest };
};

const rbac = (kind: string, plural: string, namespaced: boolean): BuiltinRow => {
  const usual = { names: 'path', createOnUpdate: true } as const;
  return { group: 'rbac.authorization.k8s.io', version: 'v1', kind, plural, namespaced, ...usual };
};

const POD_FIELDS = [
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork',
  'status.phase',
  'status.podIP',
  'status.nominatedNodeName',
];
const INVOLVED = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
  (field) => `involvedObject.${field}`,
);

/** The built-in kinds that are served. */
export const BUILTINS: readonly BuiltinRow[] = [
  core('Namespace', 'namespaces', { status: true, names: 'label', shortNames: ['ns'], fields: ['status.phase'] }),
  core('Node', 'nodes', { status: true, shortNames: ['no'], fields: ['spec.unschedulable'] }),
  core('ConfigMap', 'configmaps', { namespaced: true, shortNames: ['cm'] }),
  core('Secret', 'secrets', { namespaced: true, fields: ['type'] }),
  core('Event', 'events', {
    namespaced: true,
    shortNames: ['ev'],
    createOnUpdate: true,
    names: 'path',
    strictMetadata: false,
    dependents: 'ignored',
    fields: [...INVOLVED, 'reason', 'reportingComponent', 'source', 'type'],
  }),
  core('Pod', 'pods', {
    showsDeleted: true,
    namespaced: true,
    status: true,
    fixedByStatus: ['ownerReferences'],
    generation: true,
    shortNames: ['po'],
    categories: ['all'],
    fields: POD_FIELDS,
  }),
  core('Service', 'services', {
    showsDeleted: true,
    namespaced: true,
    status: true,
    names: 'label1035',
    shortNames: ['svc'],
    categories: ['all'],
    createOnUpdate: true,
    fields: ['spec.clusterIP', 'spec.type'],
  }),
  core('ServiceAccount', 'serviceaccounts', { showsDeleted: true, namespaced: true, shortNames: ['sa'] }),
  workload('apps', 'Deployment', 'deployments', { fixedByStatus: ['labels'], annotatesWishes: true, shortNames: ['deploy'] }),
  workload('apps', 'ReplicaSet', 'replicasets', { shortNames: ['rs'], fields: ['status.replicas'] }),
  workload('apps', 'StatefulSet', 'statefulsets', { shortNames: ['sts'] }),
  workload('apps', 'DaemonSet', 'daemonsets', { shortNames: ['ds'] }),
  workload('batch', 'Job', 'jobs', { dependents: 'orphaned', fields: ['status.successful'] }),
  workload('batch', 'CronJob', 'cronjobs', { shortNames: ['cj'] }),
  {
    group: 'coordination.k8s.io',
    version: 'v1',
    kind: 'Lease',
    plural: 'leases',
    namespaced: true,
    unconditionalUpdate: false,
    createOnUpdate: true,
    strictMetadata: false,
  },
  {
    group: 'policy',
    version: 'v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    namespaced: true,
    status: true,
    generation: true,
    unconditionalUpdate: false,
  },
  rbac('Role', 'roles', true),
  rbac('RoleBinding', 'rolebindings', true),
  rbac('ClusterRole', 'clusterroles', false),
  rbac('ClusterRoleBinding', 'clusterrolebindings', false),
];
