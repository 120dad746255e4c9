import { describe, expect, test } from 'vitest';
import type { Status } from '../../kube/meta.ts';
import { aServer } from '../testing/harness.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const PATHS = {
  role: `${RBAC}/namespaces/default/roles`,
  clusterRole: `${RBAC}/clusterroles`,
  binding: `${RBAC}/namespaces/default/rolebindings`,
  clusterBinding: `${RBAC}/clusterrolebindings`,
} as const;
const ref = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

describe('roles and bindings that say nonsense are refused', () => {
  test.each<[string, keyof typeof PATHS, object, readonly string[]]>([
    ['no verbs', 'role', { rules: [{ ...pods, verbs: [] }] }, ['rules[0].verbs']],
    ['no groups and no resources', 'role', { rules: [pods, { verbs: ['get'] }] }, ['rules[1].apiGroups', 'rules[1].resources']],
    ['nothing', 'role', { rules: [null] }, ['rules[0].verbs', 'rules[0].apiGroups', 'rules[0].resources']],
    ['paths in a namespace', 'role', { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }, ['rules[0].nonResourceURLs']],
    ['paths and resources', 'clusterRole', { rules: [{ ...pods, nonResourceURLs: ['/x'] }] }, ['rules[0].nonResourceURLs']],
    ['gathering by nothing', 'clusterRole', { aggregationRule: {} }, ['aggregationRule.clusterRoleSelectors']],
    ['no role', 'binding', {}, ['roleRef.kind', 'roleRef.name']],
    ['a role of the cluster that is none', 'clusterBinding', { roleRef: ref }, ['roleRef.kind']],
    ['a role of another group', 'binding', { roleRef: { ...ref, apiGroup: 'apps' } }, ['roleRef.apiGroup']],
    ['a role whose name is a path', 'binding', { roleRef: { ...ref, name: '../x' } }, ['roleRef.name']],
    ['a subject of no kind', 'binding', { roleRef: ref, subjects: [null] }, ['subjects[0].name', 'subjects[0].kind']],
    ['a nameless user', 'binding', { roleRef: ref, subjects: [{ kind: 'User' }] }, ['subjects[0].name']],
    [
      'a group of another group',
      'binding',
      { roleRef: ref, subjects: [{ kind: 'Group', name: 'x', apiGroup: 'apps' }] },
      ['subjects[0].apiGroup'],
    ],
    [
      'an account with a group',
      'binding',
      { roleRef: ref, subjects: [{ kind: 'ServiceAccount', name: 'x', apiGroup: ref.apiGroup }] },
      ['subjects[0].apiGroup'],
    ],
    ['an account with a bad name', 'binding', { roleRef: ref, subjects: [{ kind: 'ServiceAccount', name: 'a:b' }] }, ['subjects[0].name']],
    [
      'an account of nowhere',
      'clusterBinding',
      { roleRef: { ...ref, kind: 'ClusterRole' }, subjects: [{ kind: 'ServiceAccount', name: 'x' }] },
      ['subjects[0].namespace'],
    ],
  ])('%s', async (_title, kind, body, fields) => {
    const { call } = await aServer();
    const answer = await call('POST', PATHS[kind], { metadata: { name: 'x' }, ...body });
    const { details } = answer.body as Status;
    expect([answer.code, [...new Set(details?.causes?.map(({ field }) => field))]]).toEqual([422, fields]);
  });

  test.each([
    ['rules that are a text', { rules: 'all' }],
    ['a rule that is a text', { rules: ['all'] }],
    ['verbs that are a text', { rules: [{ ...pods, verbs: '*' }] }],
    ['a verb that is a list', { rules: [{ ...pods, verbs: [['get']] }] }],
  ])('before anything is made of them: %s', async (_title, body) => {
    const { call } = await aServer();
    expect((await call('POST', PATHS.role, { metadata: { name: 'x' }, ...body })).code).toBe(400);
  });
});

test('groups that can only be one may be left out', async () => {
  const { create } = await aServer();
  const subjects = [
    { kind: 'User', name: 'a' },
    { kind: 'Group', name: 'b' },
    { kind: 'ServiceAccount', name: 'c' },
  ];
  const made = await create(PATHS.binding, { metadata: { name: 'x' }, roleRef: { kind: 'Role', name: 'r' }, subjects });
  expect(made.roleRef).toEqual(ref);
  expect(made.subjects).toEqual([
    { kind: 'User', name: 'a', apiGroup: ref.apiGroup },
    { kind: 'Group', name: 'b', apiGroup: ref.apiGroup },
    { kind: 'ServiceAccount', name: 'c' },
  ]);
});

test('a binding keeps its role, but may get other subjects', async () => {
  const { create, merge } = await aServer();
  await create(PATHS.binding, { metadata: { name: 'x' }, roleRef: ref });
  expect((await merge(`${PATHS.binding}/x`, { roleRef: { name: 'other' } })).code).toBe(422);
  expect((await merge(`${PATHS.binding}/x`, { subjects: [{ kind: 'User', name: 'a' }] })).code).toBe(200);
});
