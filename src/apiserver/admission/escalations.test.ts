import { describe, expect, test } from 'vitest';
import type { PolicyRule } from '../../kube/builtin/index.ts';
import type { Status } from '../../kube/meta.ts';
import type { ApiResponse } from '../../kube/client/transport.ts';
import { aGuardedApi, aUser, type GuardedApi } from '../testing/guarded-api.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ROLES = `${RBAC}/namespaces/default/roles`;
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;
const on = (group: string, resources: readonly string[], verbs: readonly string[], resourceNames?: readonly string[]): PolicyRule => ({
  verbs,
  apiGroups: [group],
  resources,
  ...(resourceNames && { resourceNames }),
});
const writer = on('rbac.authorization.k8s.io', ['*'], ['create', 'patch', 'update', 'get']);
const podReader = on('', ['pods'], ['get', 'list']);

/** A server where anna may write roles and bindings in `default`, and holds a few rights there. */
async function withWriter(...more: readonly PolicyRule[]): Promise<GuardedApi> {
  const guarded = aGuardedApi();
  const { system } = guarded;
  await system.create(ROLES, { metadata: { name: 'writer' }, rules: [writer, podReader, ...more] });
  await system.create(ROLES, { metadata: { name: 'strong' }, rules: [on('', ['secrets'], ['get'])] });
  await system.create(ROLES, { metadata: { name: 'weak' }, rules: [on('', ['pods'], ['get'])] });
  await system.create(BINDINGS, binding('writer', 'Role', 'writer', 'anna'));
  return guarded;
}

const binding = (name: string, kind: string, role: string, user = 'x'): object => ({
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: role },
  subjects: [{ kind: 'User', name: user }],
});

const refusal = ({ code, body }: ApiResponse): string => (code < 300 ? 'ok' : `${code} ${(body as Status).message}`);

describe('roles', () => {
  test('hold no more than their author', async () => {
    const { as } = await withWriter();
    const anna = as('anna');
    expect(refusal(await anna.call('POST', ROLES, { metadata: { name: 'a' }, rules: [on('', ['pods'], ['get'])] }))).toBe('ok');
    expect(
      refusal(await anna.call('POST', ROLES, { metadata: { name: 'b' }, rules: [on('', ['pods', 'secrets'], ['get', 'delete'])] })),
    ).toBe(
      [
        '403 roles.rbac.authorization.k8s.io "b" is forbidden: user "anna" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}',
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete"]}',
      ].join('\n'),
    );
  });

  test('are not filled up by a patch either, nor by replacing what is not there', async () => {
    const { as } = await withWriter();
    const patched = await as('anna').merge(`${ROLES}/weak`, { rules: [on('*', ['*'], ['*'])] });
    expect(patched.code).toBe(403);
    const body = { metadata: { name: 'new' }, rules: [on('*', ['*'], ['*'])] };
    expect((await as('anna').call('PUT', `${ROLES}/new`, body)).code).toBe(403);
  });

  test('that hold more can have nothing changed but what garbage collection needs', async () => {
    const { as } = await withWriter();
    expect((await as('anna').merge(`${ROLES}/strong`, { metadata: { labels: { a: 'b' } } })).code).toBe(403);
    expect((await as('anna').merge(`${ROLES}/strong`, { metadata: { finalizers: ['example.com/x'] } })).code).toBe(200);
    expect((await as('anna').merge(`${ROLES}/strong`, {})).code).toBe(200);
  });

  test('hold anything for who may escalate, by name where the right is', async () => {
    const { as } = await withWriter(on('rbac.authorization.k8s.io', ['roles'], ['escalate'], ['weak']));
    const rules = [on('', ['secrets'], ['get'])];
    expect((await as('anna').merge(`${ROLES}/weak`, { rules })).code).toBe(200);
    expect((await as('anna').merge(`${ROLES}/writer`, { rules: [...rules, writer] })).code).toBe(403);
    expect((await as('anna').call('POST', ROLES, { metadata: { name: 'weak2' }, rules })).code).toBe(403);
  });

  test('that gather others are for those who hold everything', async () => {
    const { system, as } = await withWriter();
    const everything = [on('*', ['*'], ['*']), { verbs: ['*'], nonResourceURLs: ['*'] }];
    await system.create(`${RBAC}/clusterroles`, { metadata: { name: 'clerk' }, rules: [writer] });
    await system.create(`${RBAC}/clusterroles`, { metadata: { name: 'boss' }, rules: everything });
    await system.create(`${RBAC}/clusterrolebindings`, binding('clerk', 'ClusterRole', 'clerk', 'carl'));
    await system.create(`${RBAC}/clusterrolebindings`, binding('boss', 'ClusterRole', 'boss', 'bea'));
    const gathering = (name: string): object => ({
      metadata: { name },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    });
    const refused = await as('carl').call('POST', `${RBAC}/clusterroles`, gathering('g1'));
    expect(refusal(refused)).toBe(
      '403 clusterroles.rbac.authorization.k8s.io "g1" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    );
    expect((await as('bea').call('POST', `${RBAC}/clusterroles`, gathering('g2'))).code).toBe(201);
    expect((await as('carl').merge(`${RBAC}/clusterroles/g2`, { aggregationRule: null })).code).toBe(403);
  });
});

describe('bindings', () => {
  test.each([
    ['to a role that one holds', 'Role', 'weak', 'ok'],
    ['to a role that one does not hold', 'Role', 'strong', '403'],
    ['to a ClusterRole that one does not hold', 'ClusterRole', 'cluster-admin', '403'],
    ['to a role that is not there', 'Role', 'none', '404'],
    ['to something that is no role', 'Secret', 'none', '500'],
  ])('%s', async (_title, kind, role, want) => {
    const { as } = await withWriter();
    expect(refusal(await as('anna').call('POST', BINDINGS, binding('b', kind, role))).slice(0, 3)).toBe(want.slice(0, 3));
  });

  test('to what one may bind, and only there', async () => {
    const { as } = await withWriter(on('rbac.authorization.k8s.io', ['clusterroles'], ['bind'], ['view']));
    expect((await as('anna').call('POST', BINDINGS, binding('v', 'ClusterRole', 'view'))).code).toBe(201);
    expect((await as('anna').call('POST', BINDINGS, binding('e', 'ClusterRole', 'edit'))).code).toBe(403);
    expect((await as('anna').call('POST', `${RBAC}/clusterrolebindings`, binding('v', 'ClusterRole', 'view'))).code).toBe(403);
  });

  test('get no new subject from who does not hold their role', async () => {
    const { system, as } = await withWriter();
    await system.create(BINDINGS, binding('strong', 'Role', 'strong', 'x'));
    expect((await as('anna').merge(`${BINDINGS}/strong`, { subjects: [{ kind: 'User', name: 'anna' }] })).code).toBe(403);
  });

  test('never change their role, for any client', async () => {
    const { system, as } = await withWriter();
    expect((await as(aUser('root', ['system:masters'])).merge(`${BINDINGS}/writer`, { roleRef: { name: 'weak' } })).code).toBe(422);
    expect((await system.merge(`${BINDINGS}/writer`, { roleRef: { name: 'weak' } })).code).toBe(422);
  });
});

test('system:masters and this process itself are not asked', async () => {
  const { system, as } = await withWriter();
  const rules = [on('*', ['*'], ['*'])];
  expect((await as(aUser('root', ['system:masters'])).call('POST', ROLES, { metadata: { name: 'all' }, rules })).code).toBe(201);
  expect((await system.call('POST', ROLES, { metadata: { name: 'all2' }, rules })).code).toBe(201);
});

test('who may replace but not create does not create by replacing', async () => {
  const { system, as } = aGuardedApi();
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  await system.create(ROLES, { metadata: { name: 'replacer' }, rules: [on('coordination.k8s.io', ['leases'], ['update'])] });
  await system.create(BINDINGS, binding('replacer', 'Role', 'replacer', 'anna'));
  const answer = await as('anna').call('PUT', `${leases}/x`, { metadata: { name: 'x' } });
  expect(refusal(answer)).toBe(
    '403 leases.coordination.k8s.io "x" is forbidden: User "anna" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "default"',
  );
});
