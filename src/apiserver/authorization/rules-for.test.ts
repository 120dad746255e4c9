import { describe, expect, test } from 'vitest';
import type { BindingSubject, ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding } from '../../kube/builtin/index.ts';
import type { ObjectMeta } from '../../kube/meta.ts';
import type { User } from '../authentication/user.ts';
import { aUser } from '../testing/guarded-api.ts';
import { rulesFor, type RoleBook } from './rules-for.ts';

const rule = (resource: string): PolicyRule => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
const metadata = (name: string, namespace?: string): ObjectMeta => ({
  name,
  uid: name,
  resourceVersion: '1',
  creationTimestamp: '',
  ...(namespace && { namespace }),
});
const API = { apiVersion: 'rbac.authorization.k8s.io/v1' };

/** One binding in the cluster and one in namespace `a`, both to the same subject. */
function book(subject: BindingSubject): RoleBook {
  const roleRef = (kind: 'Role' | 'ClusterRole', name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name }) as const;
  const everywhere: ClusterRoleBinding = {
    ...API,
    kind: 'ClusterRoleBinding',
    metadata: metadata('all'),
    roleRef: { ...roleRef('ClusterRole', 'wide'), kind: 'ClusterRole' },
    subjects: [subject],
  };
  const here: RoleBinding = {
    ...API,
    kind: 'RoleBinding',
    metadata: metadata('some', 'a'),
    roleRef: roleRef('Role', 'narrow'),
    subjects: [subject],
  };
  const lost: RoleBinding = { ...here, metadata: metadata('lost', 'a'), roleRef: roleRef('ClusterRole', 'gone') };
  const clusterRole: ClusterRole = { ...API, kind: 'ClusterRole', metadata: metadata('wide'), rules: [rule('nodes')] };
  const role: Role = { ...API, kind: 'Role', metadata: metadata('narrow', 'a'), rules: [rule('pods')] };
  return {
    clusterRoleBindings: () => [everywhere],
    // No object is in the empty namespace: rules that come from there are a mistake.
    roleBindings: (namespace) => (namespace === '' ? [here] : namespace === 'a' ? [here, lost] : []),
    clusterRole: (name) => (name === 'wide' ? clusterRole : undefined),
    role: (namespace, name) => (namespace === 'a' && name === 'narrow' ? role : undefined),
  };
}

const found = (subject: BindingSubject, user: User, namespace: string): readonly string[] =>
  [...rulesFor(book(subject), user, namespace)].map((finding) => ('problem' in finding ? finding.problem : String(finding.rule.resources)));

describe('the rules that apply', () => {
  const anna: BindingSubject = { kind: 'User', name: 'anna' };

  test('of the cluster, then of the namespace', () => {
    expect(found(anna, aUser('anna'), 'a')).toEqual(['nodes', 'pods', 'clusterrole.rbac.authorization.k8s.io "gone" not found']);
  });

  test('outside of a namespace, none of a namespace', () => {
    expect(found(anna, aUser('anna'), '')).toEqual(['nodes']);
    expect(found(anna, aUser('anna'), 'b')).toEqual(['nodes']);
  });

  test('say through which binding', () => {
    const by = [...rulesFor(book({ kind: 'ServiceAccount', namespace: 'x', name: 'y' }), aUser('system:serviceaccount:x:y'), 'a')];
    expect(by.slice(0, 2)).toEqual([
      { rule: rule('nodes'), by: 'ClusterRoleBinding "all" of ClusterRole "wide" to ServiceAccount "y/x"' },
      { rule: rule('pods'), by: 'RoleBinding "some/a" of Role "narrow" to ServiceAccount "y/x"' },
    ]);
  });

  test.each<[string, BindingSubject, User, readonly string[]]>([
    ['another user', anna, aUser('bert'), []],
    ['a user called like the group', { kind: 'Group', name: 'anna' }, aUser('anna'), []],
    ['a group called like the user', anna, aUser('x', ['anna']), []],
    ['a group', { kind: 'Group', name: 'ops' }, aUser('x', ['dev', 'ops']), ['nodes', 'pods']],
    [
      'an account of the binding’s own namespace, which the cluster has none of',
      { kind: 'ServiceAccount', name: 'robot' },
      aUser('system:serviceaccount:a:robot'),
      ['pods'],
    ],
    ['an account of nowhere', { kind: 'ServiceAccount', name: 'robot' }, aUser('system:serviceaccount::robot'), []],
    ['an account of that name elsewhere', { kind: 'ServiceAccount', name: 'robot' }, aUser('system:serviceaccount:b:robot'), []],
    [
      'an account, written as a user',
      { kind: 'User', name: 'system:serviceaccount:a:robot' },
      aUser('system:serviceaccount:a:robot'),
      ['nodes', 'pods'],
    ],
    ['a subject of no kind', { kind: 'Anything' as 'User', name: 'anna' }, aUser('anna'), []],
    [
      'a name with a colon that would make another account',
      { kind: 'ServiceAccount', namespace: 'a', name: 'b:c' },
      aUser('system:serviceaccount:a:b'),
      [],
    ],
  ])('%s', (_title, subject, user, resources) => {
    expect(found(subject, user, 'a').filter((text) => !text.includes('not found'))).toEqual(resources);
  });
});
