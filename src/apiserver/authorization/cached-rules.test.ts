import { describe, expect, test } from 'vitest';
import type { Harness } from '../testing/harness.ts';
import { aGuardedApi, aUser } from '../testing/guarded-api.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;
const ROLES = `${RBAC}/namespaces/default/roles`;

const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' };
const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'carl' }];

async function grant(system: Harness): Promise<void> {
  await system.create(ROLES, { metadata: { name: 'reader' }, rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }] });
  await system.create(BINDINGS, { metadata: { name: 'carl' }, roleRef, subjects });
}

describe('rules that were looked up once', () => {
  test('are looked up again as soon as a role or a binding changes', async () => {
    const { system, as } = aGuardedApi();
    const carl = as(aUser('carl'));
    const codes = async (): Promise<readonly number[]> => [
      (await carl.call('GET', CONFIGMAPS)).code,
      (await carl.call('GET', CONFIGMAPS)).code,
    ];
    expect(await codes()).toEqual([403, 403]);
    await grant(system);
    expect(await codes()).toEqual([200, 200]);
    await system.remove(`${BINDINGS}/carl`);
    expect(await codes()).toEqual([403, 403]);
    await system.create(BINDINGS, { metadata: { name: 'carl' }, roleRef, subjects });
    expect(await codes()).toEqual([200, 200]);
    await system.remove(`${ROLES}/reader`);
    expect(await codes()).toEqual([403, 403]);
  });

  test('of one namespace are not those of another, in however many one asks', async () => {
    const { system, as } = aGuardedApi();
    await grant(system);
    const carl = as(aUser('carl'));
    for (let i = 0; i < 300; i++) expect((await carl.call('GET', `/api/v1/namespaces/n${i}/configmaps`)).code).toBe(403);
    expect((await carl.call('GET', CONFIGMAPS)).code).toBe(200);
    expect((await as(aUser('dora')).call('GET', CONFIGMAPS)).code).toBe(403);
  });
});
