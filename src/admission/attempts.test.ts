import { beforeAll, describe, expect, test } from 'vitest';
import { crdOf } from '../api/crd-of.ts';
import { kinds } from '../api/kinds.ts';
import { aGuardedApi, aUser, type GuardedApi } from '../apiserver/testing/guarded-api.ts';
import { ourRights } from './index.ts';

/** What a namespace editor and a namespace admin try outside their namespace shop, and inside it to get out. All of it is refused. */

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ROLES = ['edit', 'admin'] as const;
const core = (namespace: string, plural: string): string => `/api/v1/namespaces/${namespace}/${plural}`;
const batch = (namespace: string): string => `/apis/batch/v1/namespaces/${namespace}/jobs`;
const ours = (plural: string, namespace: string): string => `/apis/remediation.sickbay.dev/v1alpha1/namespaces/${namespace}/${plural}`;
const POD = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const JOB = { metadata: { name: 'j' }, spec: { template: { spec: { ...POD.spec, restartPolicy: 'Never' } } } };
const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
const binding = (kind: string, name: string) => ({
  metadata: { name: 'b' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'eve' }],
});

type Attempt = readonly [what: string, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown];

const attempts: readonly Attempt[] = [
  ['read Secrets of Sickbay', 'GET', core('sickbay-system', 'secrets')],
  ['read Secrets of kube-system', 'GET', core('kube-system', 'secrets')],
  ['read Secrets of all namespaces', 'GET', '/api/v1/secrets'],
  ['write a ConfigMap of Sickbay', 'POST', core('sickbay-system', 'configmaps'), { metadata: { name: 'a' } }],
  ['run a Pod in another namespace', 'POST', core('bank', 'pods'), POD],
  ['run a Job where workflows run', 'POST', batch('kubernaut-workflows'), JOB],
  ['delete Pods of another namespace', 'DELETE', core('bank', 'pods')],
  ['evict a Pod of another namespace', 'POST', `${core('bank', 'pods')}/p/eviction`, { metadata: { name: 'p' } }],
  ['read logs of another namespace', 'GET', `${core('bank', 'pods')}/p/log`],
  ['cordon a Node', 'PATCH', '/api/v1/nodes/local', { spec: { unschedulable: true } }],
  ['delete a Node', 'DELETE', '/api/v1/nodes/local'],
  ['set the status of a Node', 'PATCH', '/api/v1/nodes/local/status', { status: {} }],
  ['label the own namespace as managed', 'PATCH', '/api/v1/namespaces/shop', { metadata: { labels: { 'kubernaut.ai/managed': 'true' } } }],
  ['create a namespace', 'POST', '/api/v1/namespaces', { metadata: { name: 'mine' } }],
  ['delete a namespace', 'DELETE', '/api/v1/namespaces/bank'],
  ['take a token of Sickbay', 'POST', `${core('sickbay-system', 'serviceaccounts')}/sickbay/token`, { spec: {} }],
  ['define a kind', 'POST', CRDS, {}],
  ['change the kinds of Sickbay', 'PATCH', `${CRDS}/remediationrequests.kubernaut.ai`, { spec: {} }],
  ['delete the kinds of Sickbay', 'DELETE', CRDS],
  ['make a ClusterRole', 'POST', `${RBAC}/clusterroles`, { metadata: { name: 'all' }, rules: everything }],
  ['widen a ClusterRole', 'PATCH', `${RBAC}/clusterroles/view`, { rules: everything }],
  ['bind cluster-admin', 'POST', `${RBAC}/clusterrolebindings`, binding('ClusterRole', 'cluster-admin')],
  ['bind cluster-admin in the own namespace', 'POST', `${RBAC}/namespaces/shop/rolebindings`, binding('ClusterRole', 'cluster-admin')],
  ['make a Role that may do more', 'POST', `${RBAC}/namespaces/shop/roles`, { metadata: { name: 'all' }, rules: everything }],
  ['bind a role in another namespace', 'POST', `${RBAC}/namespaces/bank/rolebindings`, binding('ClusterRole', 'edit')],
  ['create a Machine', 'POST', '/apis/cluster.x-k8s.io/v1beta1/namespaces/shop/machines', {}],
  ['delete Machines', 'DELETE', '/apis/cluster.x-k8s.io/v1beta1/namespaces/shop/machines'],
  ['create a MachineSet', 'POST', '/apis/cluster.x-k8s.io/v1beta1/namespaces/shop/machinesets', {}],
  ['create a health check', 'POST', '/apis/cluster.x-k8s.io/v1beta1/namespaces/shop/machinehealthchecks', {}],
  ['create a power cycle template', 'POST', ours('powercycleremediationtemplates', 'shop'), {}],
  ['request a power cycle', 'POST', ours('powercycleremediations', 'shop'), {}],
  [
    'open a remediation in the namespace of Sickbay',
    'POST',
    '/apis/kubernaut.ai/v1alpha1/namespaces/sickbay-system/remediationrequests',
    {},
  ],
  [
    'approve in the namespace of Sickbay',
    'PATCH',
    '/apis/kubernaut.ai/v1alpha1/namespaces/sickbay-system/remediationapprovalrequests/a/status',
    {},
  ],
  ['register a workflow of Sickbay', 'POST', '/apis/kubernaut.ai/v1alpha1/namespaces/sickbay-system/remediationworkflows', {}],
  ['take over the Lease of the leader', 'PUT', '/apis/coordination.k8s.io/v1/namespaces/sickbay-system/leases/sickbay', {}],
  ['read what is no resource', 'GET', '/metrics'],
];

describe.each(ROLES)('a user with the role %s in one namespace', (role) => {
  let server: GuardedApi;
  const eve = aUser('eve');
  beforeAll(async () => {
    server = aGuardedApi({ ...ourRights(), tokens: [{ token: 'eve-token', user: eve }] });
    const { system } = server;
    for (const name of ['shop', 'bank', 'sickbay-system', 'kubernaut-workflows'])
      await system.create('/api/v1/namespaces', { metadata: { name } });
    await system.create('/api/v1/nodes', { metadata: { name: 'local' } });
    for (const kind of kinds) await system.create(CRDS, crdOf(kind));
    await system.create(`${RBAC}/namespaces/shop/rolebindings`, { ...binding('ClusterRole', role), metadata: { name: 'eve' } });
  });

  test('may do in it what the role is for', async () => {
    expect((await server.as(eve).call('POST', core('shop', 'configmaps'), { metadata: { name: 'own' } })).code).toBe(201);
    expect((await server.as(eve).call('POST', core('shop', 'pods'), POD)).code).toBe(201);
  });

  test.each(attempts.map(([what, method, path, body]) => ({ what, method, path, body })))(
    'is refused to $what',
    async ({ method, path, body }) => {
      const before = server.api.resourceVersion;
      const answer = method === 'PATCH' ? await server.as(eve).merge(path, body) : await server.as(eve).call(method, path, body);
      expect(answer).toMatchObject({ code: 403, body: { kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 } });
      expect(server.api.resourceVersion).toBe(before);
    },
  );

  test.each([
    { 'impersonate-user': 'admin' },
    { 'impersonate-user': 'system:serviceaccount:sickbay-system:sickbay' },
    { 'impersonate-user': 'eve', 'impersonate-group': 'system:masters' },
  ])('is refused to act as %j', async (headers) => {
    const ask = { method: 'GET', path: core('shop', 'configmaps') } as const;
    expect((await server.with({ authorization: 'Bearer eve-token' }, ask)).code).toBe(200);
    const answer = await server.with({ authorization: 'Bearer eve-token', ...headers }, ask);
    expect(answer).toMatchObject({ code: 403, body: { reason: 'Forbidden' } });
  });
});
