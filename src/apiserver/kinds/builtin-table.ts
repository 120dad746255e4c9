import type { NameRule } from '../metadata/names.ts';

/** What tells one built-in kind from another. Kubernetes' hand-written validation of their fields is not among it. */
export interface BuiltinRow {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly namespaced?: boolean;
  readonly status?: boolean;
  readonly generation?: boolean;
  readonly names?: NameRule;
  /** False where a PUT must name the version that it replaces. */
  readonly unconditionalUpdate?: boolean;
  readonly createOnUpdate?: boolean;
  readonly orphansByDefault?: boolean;
  readonly fields?: readonly string[];
}

const core = (kind: string, plural: string, rest: Partial<BuiltinRow>): BuiltinRow => ({ group: '', version: 'v1', kind, plural, ...rest });
const apps = (kind: string, plural: string, rest: Partial<BuiltinRow>): BuiltinRow => ({
  ...{ group: 'apps', version: 'v1', kind, plural, namespaced: true, status: true, generation: true },
  ...rest,
});
const batch = (kind: string, plural: string, rest: Partial<BuiltinRow>): BuiltinRow => ({
  ...{ group: 'batch', version: 'v1', kind, plural, namespaced: true, status: true, generation: true },
  ...rest,
});
const rbac = (kind: string, plural: string, rest: Partial<BuiltinRow>): BuiltinRow => ({
  ...{ group: 'rbac.authorization.k8s.io', version: 'v1', kind, plural, names: 'path', createOnUpdate: true },
  ...rest,
});

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
    fields: [...INVOLVED, 'reason', 'reportingComponent', 'source', 'type'],
  }),
  core('Pod', 'pods', { namespaced: true, status: true, generation: true, shortNames: ['po'], fields: POD_FIELDS }),
  core('Service', 'services', {
    namespaced: true,
    status: true,
    names: 'label1035',
    shortNames: ['svc'],
    createOnUpdate: true,
    fields: ['spec.clusterIP', 'spec.type'],
  }),
  core('ServiceAccount', 'serviceaccounts', { namespaced: true, shortNames: ['sa'] }),
  apps('Deployment', 'deployments', { shortNames: ['deploy'] }),
  apps('ReplicaSet', 'replicasets', { shortNames: ['rs'], fields: ['status.replicas'] }),
  apps('StatefulSet', 'statefulsets', { shortNames: ['sts'] }),
  apps('DaemonSet', 'daemonsets', { shortNames: ['ds'] }),
  batch('Job', 'jobs', { orphansByDefault: true, fields: ['status.successful'] }),
  batch('CronJob', 'cronjobs', { shortNames: ['cj'] }),
  {
    group: 'coordination.k8s.io',
    version: 'v1',
    kind: 'Lease',
    plural: 'leases',
    namespaced: true,
    unconditionalUpdate: false,
    createOnUpdate: true,
  },
  rbac('Role', 'roles', { namespaced: true }),
  rbac('RoleBinding', 'rolebindings', { namespaced: true }),
  rbac('ClusterRole', 'clusterroles', {}),
  rbac('ClusterRoleBinding', 'clusterrolebindings', {}),
];
