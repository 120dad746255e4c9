import type { BindingSubject, ClusterRole, ClusterRoleBinding, PolicyRule } from '../../kube/builtin/index.ts';
import { GROUPS } from '../authentication/user.ts';

/** A role or binding that a server has from the start. */
export type DefaultRole = Pick<ClusterRole, 'apiVersion' | 'kind' | 'rules' | 'aggregationRule'> & { readonly metadata: Named };
export type DefaultBinding = Pick<ClusterRoleBinding, 'apiVersion' | 'kind' | 'roleRef' | 'subjects'> & { readonly metadata: Named };

interface Named {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const RBAC = 'rbac.authorization.k8s.io';
const IDENTITY = { 'kubernetes.io/bootstrapping': 'rbac-defaults' } as const;
export const READ_VERBS = ['get', 'list', 'watch'] as const;
export const WRITE_VERBS = ['create', 'delete', 'deletecollection', 'patch', 'update'] as const;
const ALL = [...WRITE_VERBS, ...READ_VERBS].toSorted();

type Level = 'view' | 'edit' | 'admin';

const aggregationLabel = (level: Level): string => `${RBAC}/aggregate-to-${level}`;

interface RoleContent {
  readonly rules?: readonly PolicyRule[];
  /** The role that aggregates this one. */
  readonly into?: Level;
}

/** A ClusterRole with the labels of default roles. */
export const defaultRole = (name: string, { rules, into }: RoleContent): DefaultRole => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: { name, labels: { ...IDENTITY, ...(into && { [aggregationLabel(into)]: 'true' }) } },
  ...(rules && { rules }),
});

const aggregating = (level: Level, into?: Level): DefaultRole => ({
  ...defaultRole(level, into ? { into } : {}),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregationLabel(level)]: 'true' } }] },
});

const binding = (name: string, groups: readonly string[]): DefaultBinding => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name, labels: IDENTITY },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
  subjects: groups.map((group): BindingSubject => ({ apiGroup: RBAC, kind: 'Group', name: group })),
});

/** The verbs on these resources of a group. */
export const policyRule = (group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  verbs,
  apiGroups: [group],
  resources,
});

const HEALTH = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const DISCOVERY = ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*'];
const ACCESS_REVIEWS = 'authorization.k8s.io';

/** The rules of Kubernetes' own roles, for the resources that are served here. */
const VIEW: readonly PolicyRule[] = [
  policyRule('', ['configmaps', 'pods', 'serviceaccounts', 'services', 'services/status'], READ_VERBS),
  policyRule('', ['namespaces/status', 'pods/log', 'pods/status'], READ_VERBS),
  policyRule('', ['namespaces'], READ_VERBS),
  policyRule('', ['events'], READ_VERBS),
  policyRule(
    'apps',
    ['daemonsets', 'deployments', 'replicasets', 'statefulsets'].flatMap((name) => [name, `${name}/status`]),
    READ_VERBS,
  ),
  policyRule('apps', ['deployments/scale', 'replicasets/scale', 'statefulsets/scale'], READ_VERBS),
  policyRule('batch', ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status'], READ_VERBS),
];

const EDIT: readonly PolicyRule[] = [
  policyRule('', ['secrets'], READ_VERBS),
  policyRule('', ['serviceaccounts'], ['impersonate']),
  policyRule('', ['configmaps', 'events', 'pods', 'secrets', 'serviceaccounts', 'services'], WRITE_VERBS),
  policyRule('', ['serviceaccounts/token'], ['create']),
  policyRule('apps', ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], WRITE_VERBS),
  policyRule('apps', ['deployments/scale', 'replicasets/scale', 'statefulsets/scale'], WRITE_VERBS),
  policyRule('batch', ['cronjobs', 'jobs'], WRITE_VERBS),
  policyRule('coordination.k8s.io', ['leases'], ALL),
];

const ADMIN: readonly PolicyRule[] = [
  policyRule(ACCESS_REVIEWS, ['localsubjectaccessreviews'], ['create']),
  policyRule(RBAC, ['rolebindings', 'roles'], ALL),
];

/** Roles that every server has from the start. */
export const DEFAULT_ROLES: readonly DefaultRole[] = [
  defaultRole('cluster-admin', { rules: [policyRule('*', ['*'], ['*']), { verbs: ['*'], nonResourceURLs: ['*'] }] }),
  defaultRole('system:discovery', { rules: [{ verbs: ['get'], nonResourceURLs: [...DISCOVERY, ...HEALTH].toSorted() }] }),
  defaultRole('system:public-info-viewer', { rules: [{ verbs: ['get'], nonResourceURLs: HEALTH }] }),
  defaultRole('system:basic-user', {
    rules: [
      policyRule(ACCESS_REVIEWS, ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], ['create']),
      policyRule('authentication.k8s.io', ['selfsubjectreviews'], ['create']),
    ],
  }),
  defaultRole('system:auth-delegator', {
    rules: [
      policyRule('authentication.k8s.io', ['tokenreviews'], ['create']),
      policyRule(ACCESS_REVIEWS, ['subjectaccessreviews'], ['create']),
    ],
  }),
  aggregating('admin'),
  aggregating('edit', 'admin'),
  aggregating('view', 'edit'),
  defaultRole('system:aggregate-to-view', { into: 'view', rules: VIEW }),
  defaultRole('system:aggregate-to-edit', { into: 'edit', rules: EDIT }),
  defaultRole('system:aggregate-to-admin', { into: 'admin', rules: ADMIN }),
];

/** Which groups have which roles from the start. */
export const DEFAULT_BINDINGS: readonly DefaultBinding[] = [
  binding('cluster-admin', [GROUPS.masters]),
  binding('system:discovery', [GROUPS.authenticated]),
  binding('system:public-info-viewer', [GROUPS.authenticated, GROUPS.unauthenticated]),
  binding('system:basic-user', [GROUPS.authenticated]),
];
