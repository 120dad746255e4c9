import type { PolicyRule } from '../../kube/builtin/index.ts';
import { isObject } from '../../base/index.ts';
import type { ApiRequest } from '../../kube/client/transport.ts';
import { asAdmin, type GuardedServer } from './guarded-servers.ts';

/** Two namespaces with roles of every form, created the same way on every server. */
export const SCENE = { first: 'rights-a', second: 'rights-b' } as const;

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';

export const rule = (
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
  resourceNames?: readonly string[],
): PolicyRule => ({
  verbs,
  apiGroups: [group],
  resources,
  ...(resourceNames && { resourceNames }),
});

/** The requests that create the scene, in order. */
const SCENE_REQUESTS: readonly ApiRequest[] = [
  ...[SCENE.first, SCENE.second].map((name) => post('/api/v1/namespaces', { metadata: { name } })),
  ...[SCENE.first, SCENE.second].flatMap((namespace) =>
    ['reader', 'robot'].map((name) => post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name } })),
  ),
  clusterRole('rights:pods', [rule('', ['pods'], ['get', 'list', 'watch']), rule('', ['pods/log'], ['get'])]),
  clusterRole('rights:any-scale', [rule('apps', ['*/scale'], ['get', 'update'])]),
  clusterRole('rights:all-apps', [rule('apps', ['*'], ['*'])]),
  clusterRole('rights:any-group', [rule('*', ['deployments', 'jobs'], ['list'])]),
  clusterRole('rights:one-secret', [rule('', ['secrets'], ['get', 'update', 'list', 'watch', 'delete'], ['wanted', 'other'])]),
  clusterRole('rights:paths', [
    { verbs: ['get'], nonResourceURLs: ['/metrics', '/logs/*', '/odd*'] },
    { verbs: ['*'], nonResourceURLs: ['/all'] },
  ]),
  clusterRole('rights:everything-here', [rule('*', ['*'], ['*'])]),
  clusterRole('rights:part-one', [rule('', ['services'], ['get'])], { 'rights.test/gather': 'yes' }),
  clusterRole('rights:part-two', [rule('', ['nodes'], ['list']), rule('', ['services'], ['get'])], { 'rights.test/gather': 'also' }),
  post(`${RBAC}/clusterroles`, {
    metadata: { name: 'rights:gathering' },
    aggregationRule: {
      clusterRoleSelectors: [
        { matchLabels: { 'rights.test/gather': 'yes' } },
        { matchExpressions: [{ key: 'rights.test/gather', operator: 'In', values: ['also'] }] },
      ],
    },
  }),
  role(SCENE.first, 'config', [rule('', ['configmaps'], ['get', 'create', 'list', 'patch'])]),
  role(SCENE.second, 'config', [rule('', ['configmaps'], ['delete', 'deletecollection'])]),
  clusterBinding('rights:watchers', 'rights:pods', [user('anna'), group('watchers'), account(SCENE.first, 'reader')]),
  clusterBinding('rights:paths', 'rights:paths', [group('watchers')]),
  clusterBinding('rights:groups', 'rights:any-group', [user('bert')]),
  clusterBinding('rights:gathered', 'rights:gathering', [user('carl')]),
  clusterBinding('rights:dangling', 'rights:no-such-role', [user('dora')]),
  clusterBinding('rights:nobody', 'rights:everything-here', []),
  binding(SCENE.first, 'config', { kind: 'Role', name: 'config' }, [user('anna'), { kind: 'ServiceAccount', name: 'robot' }]),
  binding(SCENE.second, 'config', { kind: 'Role', name: 'config' }, [account(SCENE.first, 'robot'), user('bert')]),
  binding(SCENE.first, 'scale', { kind: 'ClusterRole', name: 'rights:any-scale' }, [user('bert'), group('watchers')]),
  binding(SCENE.first, 'apps', { kind: 'ClusterRole', name: 'rights:all-apps' }, [user('emma')]),
  binding(SCENE.second, 'secret', { kind: 'ClusterRole', name: 'rights:one-secret' }, [user('anna'), account(SCENE.second, 'reader')]),
  binding(SCENE.second, 'everything', { kind: 'ClusterRole', name: 'rights:everything-here' }, [user('fred')]),
  binding(SCENE.first, 'dangling', { kind: 'Role', name: 'no-such-role' }, [user('dora')]),
  binding(SCENE.first, 'accounts', { kind: 'ClusterRole', name: 'rights:pods' }, [group(`system:serviceaccounts:${SCENE.second}`)]),
];

/** Creates the scene on a server; existing objects stay. */
export async function setScene(server: GuardedServer): Promise<void> {
  for (const request of SCENE_REQUESTS) {
    const { code, body } = await asAdmin(server).request(request);
    if (code >= 300 && code !== 409) throw new Error(`${request.path}: ${isObject(body) ? String(body['message']) : code}`);
  }
}

function post(path: string, body: unknown): ApiRequest {
  return { method: 'POST', path, body };
}

function clusterRole(name: string, rules: readonly PolicyRule[], labels?: Readonly<Record<string, string>>): ApiRequest {
  return post(`${RBAC}/clusterroles`, { metadata: { name, ...(labels && { labels }) }, rules });
}

function role(namespace: string, name: string, rules: readonly PolicyRule[]): ApiRequest {
  return post(`${RBAC}/namespaces/${namespace}/roles`, { metadata: { name }, rules });
}

function clusterBinding(name: string, of: string, subjects: readonly object[]): ApiRequest {
  return post(`${RBAC}/clusterrolebindings`, { metadata: { name }, roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: of }, subjects });
}

function binding(namespace: string, name: string, roleRef: object, subjects: readonly object[]): ApiRequest {
  return post(`${RBAC}/namespaces/${namespace}/rolebindings`, { metadata: { name }, roleRef: { apiGroup: GROUP, ...roleRef }, subjects });
}

function user(name: string): object {
  return { kind: 'User', apiGroup: GROUP, name };
}

function group(name: string): object {
  return { kind: 'Group', apiGroup: GROUP, name };
}

function account(namespace: string, name: string): object {
  return { kind: 'ServiceAccount', namespace, name };
}
