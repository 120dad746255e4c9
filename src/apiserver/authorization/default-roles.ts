import type { BindingSubject, ClusterRole, ClusterRoleBinding, PolicyRule } from '../../kube/builtin/index.ts';
import { kinds } from '../../api/kinds.ts';
import { GROUPS } from '../authentication/user.ts';

/** A role or binding that every server begins with. */
export type DefaultRole = Pick<ClusterRole, 'apiVersion' | 'kind' | 'rules' | 'aggregationRule'> & { readonly metadata: Named };
export type DefaultBinding = Pick<ClusterRoleBinding, 'apiVersion' | 'kind' | 'roleRef' | 'subjects'> & { readonly metadata: Named };

interface Named {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const RBAC = 'rbac.authorization.k8s.io';
const IDENTITY = { 'kubernetes.io/bootstrapping': 'rbac-defaults' } as const;
const READ = ['get', 'list', 'watch'] as const;
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'] as const;
const ALL = [...WRITE, ...READ].toSorted();

type Level = 'view' | 'edit' | 'admin';

const gatherLabel = (level: Level): string => `${RBAC}/aggregate-to-${level}`;

interface Given {
  readonly rules?: readonly PolicyRule[];
  /** The role that gathers this one. */
  readonly into?: Level;
}

const role = (name: string, { rules, into }: Given): DefaultRole => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: { name, labels: { ...IDENTITY, ...(into && { [gatherLabel(into)]: 'true' }) } },
  ...(rules && { rules }),
});

const gathering = (level: Level, into?: Level): DefaultRole => ({
  ...role(level, into ? { into } : {}),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [gatherLabel(level)]: 'true' } }] },
});

const binding = (name: string, groups: readonly string[]): DefaultBinding => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name, labels: IDENTITY },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
  subjects: groups.map((group): BindingSubject => ({ apiGroup: RBAC, kind: 'Group', name: group })),
});

const on = (group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  verbs,
  apiGroups: [group],
  resources,
});

const HEALTH = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const DISCOVERY = ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*'];
const ACCESS_REVIEWS = 'authorization.k8s.io';

/** What Kubernetes gives its own roles, as far as it is served here. */
const VIEW: readonly PolicyRule[] = [
  on('', ['configmaps', 'pods', 'serviceaccounts', 'services', 'services/status'], READ),
  on('', ['namespaces/status', 'pods/log', 'pods/status'], READ),
  on('', ['namespaces'], READ),
  on('', ['events'], READ),
  on(
    'apps',
    ['daemonsets', 'deployments', 'replicasets', 'statefulsets'].flatMap((name) => [name, `${name}/status`]),
    READ,
  ),
  on('apps', ['deployments/scale', 'replicasets/scale', 'statefulsets/scale'], READ),
  on('batch', ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status'], READ),
];

const EDIT: readonly PolicyRule[] = [
  on('', ['secrets'], READ),
  on('', ['serviceaccounts'], ['impersonate']),
  on('', ['configmaps', 'events', 'pods', 'secrets', 'serviceaccounts', 'services'], WRITE),
  on('', ['serviceaccounts/token'], ['create']),
  on('apps', ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], WRITE),
  on('apps', ['deployments/scale', 'replicasets/scale', 'statefulsets/scale'], WRITE),
  on('batch', ['cronjobs', 'jobs'], WRITE),
  on('coordination.k8s.io', ['leases'], ALL),
];

const ADMIN: readonly PolicyRule[] = [
  on(ACCESS_REVIEWS, ['localsubjectaccessreviews'], ['create']),
  on(RBAC, ['rolebindings', 'roles'], ALL),
];

const PIPELINE = 'kubernaut.ai';

/** Our own kinds, group by group. */
const ourKinds = (verbs: readonly string[], parts: (plural: string) => readonly string[]): readonly PolicyRule[] =>
  [...Map.groupBy(kinds, ({ group }) => group)].map(([group, members]) =>
    on(
      group,
      members.flatMap(({ plural }) => parts(plural)),
      verbs,
    ),
  );

/** Roles that every server begins with. The `sickbay` ones are about our kinds; deciding about approvals is a role of its own. */
export const DEFAULT_ROLES: readonly DefaultRole[] = [
  role('cluster-admin', { rules: [on('*', ['*'], ['*']), { verbs: ['*'], nonResourceURLs: ['*'] }] }),
  role('system:discovery', { rules: [{ verbs: ['get'], nonResourceURLs: [...DISCOVERY, ...HEALTH].toSorted() }] }),
  role('system:public-info-viewer', { rules: [{ verbs: ['get'], nonResourceURLs: HEALTH }] }),
  role('system:basic-user', {
    rules: [
      on(ACCESS_REVIEWS, ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], ['create']),
      on('authentication.k8s.io', ['selfsubjectreviews'], ['create']),
    ],
  }),
  role('system:auth-delegator', {
    rules: [on('authentication.k8s.io', ['tokenreviews'], ['create']), on(ACCESS_REVIEWS, ['subjectaccessreviews'], ['create'])],
  }),
  gathering('admin'),
  gathering('edit', 'admin'),
  gathering('view', 'edit'),
  role('system:aggregate-to-view', { into: 'view', rules: VIEW }),
  role('system:aggregate-to-edit', { into: 'edit', rules: EDIT }),
  role('system:aggregate-to-admin', { into: 'admin', rules: ADMIN }),
  role('sickbay:view', { into: 'view', rules: ourKinds(READ, (plural) => [plural, `${plural}/status`]) }),
  role('sickbay:edit', { into: 'edit', rules: [on(PIPELINE, ['remediationrequests'], ['create', 'patch', 'update'])] }),
  role('sickbay:admin', { into: 'admin', rules: ourKinds(WRITE, (plural) => [plural]) }),
  role('sickbay:approve', { into: 'admin', rules: [on(PIPELINE, ['remediationapprovalrequests/status'], ['patch', 'update'])] }),
];

/** Who has which of them from the start. */
export const DEFAULT_BINDINGS: readonly DefaultBinding[] = [
  binding('cluster-admin', [GROUPS.masters]),
  binding('system:discovery', [GROUPS.authenticated]),
  binding('system:public-info-viewer', [GROUPS.authenticated, GROUPS.unauthenticated]),
  binding('system:basic-user', [GROUPS.authenticated]),
];
