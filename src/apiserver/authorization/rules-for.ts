import type { BindingSubject, ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding } from '../../kube/builtin/index.ts';
import { accountUsername, type User } from '../authentication/user.ts';
import type { RuleLookup } from './authorize.ts';

/** Where roles and bindings are looked up. */
export interface RoleBook {
  clusterRoleBindings(): Iterable<ClusterRoleBinding>;
  roleBindings(namespace: string): Iterable<RoleBinding>;
  clusterRole(name: string): ClusterRole | undefined;
  role(namespace: string, name: string): Role | undefined;
}

export type RoleRef = RoleBinding['roleRef'];

/** The rules that apply to a user in a namespace (empty: at the cluster scope only), one binding after the other. */
export function* rulesFor(book: RoleBook, user: User, namespace: string): Iterable<RuleLookup> {
  for (const binding of book.clusterRoleBindings()) yield* rulesOf(book, user, { binding, type: 'ClusterRoleBinding', namespace: '' });
  if (namespace === '') return;
  for (const binding of book.roleBindings(namespace)) yield* rulesOf(book, user, { binding, type: 'RoleBinding', namespace });
}

interface Bound {
  readonly binding: RoleBinding | ClusterRoleBinding;
  readonly type: 'RoleBinding' | 'ClusterRoleBinding';
  /** The namespace of the binding; empty for ClusterRoleBindings. */
  readonly namespace: string;
}

function* rulesOf(book: RoleBook, user: User, { binding, type, namespace }: Bound): Iterable<RuleLookup> {
  const subject = binding.subjects?.find((candidate) => appliesTo(candidate, user, namespace));
  if (!subject) return;
  const { roleRef } = binding;
  const rules = rulesOfRole(book, roleRef, namespace);
  if (!rules) yield { problem: roleNotFound(roleRef) };
  const name = namespace === '' ? binding.metadata.name : `${binding.metadata.name}/${namespace}`;
  const by = `${type} "${name}" of ${roleRef.kind} "${roleRef.name}" to ${shown(subject, namespace)}`;
  for (const rule of rules ?? []) yield { rule, by };
}

/** The rules of the role that a binding names; undefined when there is no such role. */
export function rulesOfRole(book: RoleBook, { kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
  const role = kind === 'Role' ? book.role(namespace, name) : book.clusterRole(name);
  return role && (role.rules ?? []);
}

const roleNotFound = ({ kind, name }: RoleRef): string => `${kind.toLowerCase()}.rbac.authorization.k8s.io "${name}" not found`;

function appliesTo(subject: BindingSubject, user: User, bindingNamespace: string): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === user.username;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount': {
      const namespace = accountNamespace(subject, bindingNamespace);
      return namespace !== '' && accountUsername({ namespace, name: subject.name }) === user.username;
    }
    default:
      // Stored bindings may be invalid; a subject of an unknown kind matches no user.
      return false;
  }
}

/** A ServiceAccount without a namespace is in the binding's own. */
const accountNamespace = (subject: BindingSubject, bindingNamespace: string): string =>
  (subject.namespace ?? '') === '' ? bindingNamespace : subject.namespace!;

const shown = (subject: BindingSubject, bindingNamespace: string): string =>
  subject.kind === 'ServiceAccount'
    ? `ServiceAccount "${subject.name}/${accountNamespace(subject, bindingNamespace)}"`
    : `${subject.kind} "${subject.name}"`;
