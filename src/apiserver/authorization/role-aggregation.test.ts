import { describe, expect, test } from 'vitest';
import type { ClusterRole, PolicyRule } from '../../kube/builtin/index.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { aGuardedApi, type GuardedApi } from '../testing/guarded-api.ts';
import { aServer } from '../testing/harness.ts';
import { gatheredRules } from './aggregate.ts';
import { DEFAULT_ROLES, defaultRole, policyRule } from './default-roles.ts';

const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const on = (resource: string): PolicyRule => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
const part = (name: string, label: string, ...resources: string[]): object => ({
  metadata: { name, labels: { part: label } },
  rules: resources.map(on),
});
const gathering = (name: string, ...labels: string[]): object => ({
  metadata: { name },
  aggregationRule: { clusterRoleSelectors: labels.map((label) => ({ matchLabels: { part: label } })) },
});

async function resourcesOf({ system }: Pick<GuardedApi, 'system'>, name: string): Promise<readonly string[]> {
  const { rules } = (await system.get(`${ROLES}/${name}`)).body as ClusterRole;
  return (rules ?? []).flatMap(({ resources = [] }) => resources);
}

describe('a role that gathers others', () => {
  test('holds what they hold, selector by selector and name by name, each rule once', async () => {
    const guarded = aGuardedApi();
    const { system } = guarded;
    await system.create(ROLES, part('b', 'x', 'pods', 'nodes'));
    await system.create(ROLES, part('a', 'x', 'events', 'pods'));
    await system.create(ROLES, part('c', 'y', 'secrets', 'pods'));
    await system.create(ROLES, gathering('all', 'y', 'x'));
    expect(await resourcesOf(guarded, 'all')).toEqual(['secrets', 'pods', 'events', 'nodes']);
  });

  test('follows them as they come, change and go', async () => {
    const guarded = aGuardedApi();
    const { system } = guarded;
    await system.create(ROLES, gathering('all', 'x'));
    expect(await resourcesOf(guarded, 'all')).toEqual([]);
    await system.create(ROLES, part('a', 'x', 'pods'));
    expect(await resourcesOf(guarded, 'all')).toEqual(['pods']);
    await system.merge(`${ROLES}/a`, { rules: [on('nodes')] });
    expect(await resourcesOf(guarded, 'all')).toEqual(['nodes']);
    await system.merge(`${ROLES}/a`, { metadata: { labels: { part: 'y' } } });
    expect(await resourcesOf(guarded, 'all')).toEqual([]);
    await system.merge(`${ROLES}/all`, { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'y' } }] } });
    expect(await resourcesOf(guarded, 'all')).toEqual(['nodes']);
    await system.remove(`${ROLES}/a`);
    expect(await resourcesOf(guarded, 'all')).toEqual([]);
  });

  test('holds nothing that was written into it', async () => {
    const guarded = aGuardedApi();
    await guarded.system.create(ROLES, { ...gathering('all', 'x'), rules: [on('secrets')] });
    expect(await resourcesOf(guarded, 'all')).toEqual([]);
  });

  test('may gather one that gathers, and comes to an end if they gather each other', async () => {
    const guarded = aGuardedApi();
    const { system } = guarded;
    const ring = (name: string, own: string, other: string): object => ({
      metadata: { name, labels: { part: own } },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: other } }, { matchLabels: { part: 'leaf' } }] },
    });
    await system.create(ROLES, ring('one', 'one', 'two'));
    await system.create(ROLES, ring('two', 'two', 'one'));
    await system.create(ROLES, part('leaf', 'leaf', 'pods'));
    expect(await resourcesOf(guarded, 'one')).toEqual(['pods']);
    expect(await resourcesOf(guarded, 'two')).toEqual(['pods']);
    await system.remove(`${ROLES}/leaf`);
    await system.create(ROLES, part('late', 'leaf', 'nodes'));
    expect(await resourcesOf(guarded, 'one')).toContain('nodes');
  });

  test('by a selector that cannot be read gathers nothing', () => {
    const role = (name: string, more: object): ClusterRole => ({
      apiVersion: '',
      kind: '',
      metadata: { name, uid: '', resourceVersion: '', creationTimestamp: '' },
      ...more,
    });
    const odd = { clusterRoleSelectors: [{ matchExpressions: [{ key: '/', operator: 'In', values: [] }] }] };
    expect(gatheredRules(role('odd', { aggregationRule: odd }), [role('a', { rules: [on('pods')] })])).toEqual([]);
  });
});

describe('the default roles', () => {
  test('aggregate the roles that the server was given, by their labels', async () => {
    const roles = [defaultRole('widgets:view', { into: 'view', rules: [policyRule('example.com', ['widgets'], ['get'])] })];
    const guarded = aGuardedApi({ roles });
    for (const name of ['view', 'edit', 'admin']) expect(await resourcesOf(guarded, name)).toContain('widgets');
  });

  test('are made once, and stay as people left them', async () => {
    const storage = memoryStorage();
    const first = aGuardedApi({}, storage);
    await first.system.merge(`${ROLES}/system:aggregate-to-edit`, { rules: [] });
    const second = aGuardedApi({}, storage);
    expect(await second.system.names(ROLES)).toHaveLength(DEFAULT_ROLES.length);
    expect(await resourcesOf(second, 'system:aggregate-to-edit')).toEqual([]);
  });

  test('are only made where rights are enforced', async () => {
    const { names } = await aServer();
    expect(await names(ROLES)).toEqual([]);
  });
});
