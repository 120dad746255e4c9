import type { PolicyRule } from '../../kube/builtin/index.ts';
import type { User } from '../authentication/user.ts';
import type { Stored } from '../object.ts';
import { keyIn } from '../server.ts';
import type { VersionedStore } from '../store/store.ts';
import type { Attributes } from './attributes.ts';
import { authorize, type AuthorizationVerdict } from './authorize.ts';
import { cachedRules } from './cached-rules.ts';
import { rulesOfRole, type RoleBook, type RoleRef } from './rules-for.ts';

/** Decides what users may do, by the roles and bindings that readers see now. */
export interface Authorizer {
  authorize(user: User, attributes: Attributes): AuthorizationVerdict;
  /** Every rule that applies to a user in a namespace, and what is wrong with the bindings. */
  rules(user: User, namespace: string): { readonly rules: readonly PolicyRule[]; readonly problems: readonly string[] };
  /** The rules of a role; undefined when there is none. */
  rulesOfRole(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
}

/** The authorizer of a server's own roles and bindings. */
export function createAuthorizer(store: VersionedStore): Authorizer {
  const book = storedRoles(store);
  const rulesFor = cachedRules(store, book);
  return {
    authorize: (user, attributes) => authorize(user, attributes, rulesFor(user, attributes.kind === 'path' ? '' : attributes.namespace)),
    rules: (user, namespace) => {
      const found = rulesFor(user, namespace);
      return {
        rules: found.flatMap((finding) => ('problem' in finding ? [] : [finding.rule])),
        problems: found.flatMap((finding) => ('problem' in finding ? [finding.problem] : [])),
      };
    },
    rulesOfRole: (role, namespace) => rulesOfRole(book, role, namespace),
  };
}

/** The table of one kind of role or binding. */
export const rbacTable = (plural: string): string => `rbac.authorization.k8s.io/${plural}`;

/** Stored objects were decoded as their kind, so they have its shape. */
function storedRoles(store: VersionedStore): RoleBook {
  const all = function* <T>(plural: string, namespace?: string): Iterable<T> {
    const table = store.table(rbacTable(plural));
    for (const key of table.keys(namespace)) yield table.get(key) as unknown as T;
  };
  const one = <T>(plural: string, key: string): T | undefined => store.table(rbacTable(plural)).get(key) as (Stored & T) | undefined;
  return {
    clusterRoleBindings: () => all('clusterrolebindings'),
    roleBindings: (namespace) => all('rolebindings', namespace),
    clusterRole: (name) => one('clusterroles', name),
    role: (namespace, name) => one('roles', keyIn(namespace, name)),
  };
}
