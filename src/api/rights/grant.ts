import { ClusterRole, ClusterRoleBinding, Role, RoleBinding, type BindingSubject, type PolicyRule } from '../builtin/index.ts';
import type { Draft } from '../meta.ts';
import { apiVersionOf, type Resource } from '../resource.ts';
import type { DRIVING } from './drive-right.ts';
import type { OVERRIDING } from './override-right.ts';

/** Where Sickbay lives, and where its workflows run. */
export interface Places {
  readonly namespace: string;
  readonly executionNamespace: string;
}

/** One object of RBAC, or the account itself. */
export interface Grant {
  readonly resource: Resource;
  readonly draft: Draft;
}

/** Name of our account; the policies know it too. */
export const ACCOUNT = 'sickbay';

type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | (typeof DRIVING | typeof OVERRIDING)['verb'];

export interface Narrowing {
  readonly subresource?: string;
  /** Only those of these names; the server cannot tell names of what is listed or created. */
  readonly names?: readonly string[];
}

/** Rules that allow these verbs, one for each API group: across groups a rule would allow more than is meant. */
export function allow(
  verbs: readonly Verb[],
  resources: readonly Resource[],
  { subresource, names }: Narrowing = {},
): readonly PolicyRule[] {
  const groups = [...new Set(resources.map(({ group }) => group))];
  const plurals = (wanted: string): readonly string[] =>
    resources
      .filter(({ group }) => group === wanted)
      .map(({ plural }) => (subresource === undefined ? plural : `${plural}/${subresource}`));
  return groups.map((group) => ({
    apiGroups: [group],
    resources: plurals(group),
    ...(names && { resourceNames: names }),
    verbs,
  }));
}

const { group: apiGroup } = Role;

const subjectsIn = ({ namespace }: Places): readonly BindingSubject[] => [{ kind: 'ServiceAccount', name: ACCOUNT, namespace }];

/** A role of one namespace that our account has. */
export const roleIn = (namespace: string, name: string, rules: readonly PolicyRule[], places: Places): readonly Grant[] => [
  { resource: Role, draft: roleDraft({ name, namespace }, rules) },
  bindRole({ name, namespace }, name, places),
];

const roleDraft = (metadata: { readonly name: string; readonly namespace: string }, rules: readonly PolicyRule[]): Draft<Role> => ({
  apiVersion: apiVersionOf(Role),
  kind: Role.kind,
  metadata,
  rules,
});

/** Gives our account a role that is there. */
export function bindRole(metadata: { readonly name: string; readonly namespace: string }, role: string, places: Places): Grant {
  const draft: Draft<RoleBinding> = {
    apiVersion: apiVersionOf(RoleBinding),
    kind: RoleBinding.kind,
    metadata,
    roleRef: { apiGroup, kind: 'Role', name: role },
    subjects: subjectsIn(places),
  };
  return { resource: RoleBinding, draft };
}

/** A role of the whole cluster that our account has. */
export function clusterRole(name: string, rules: readonly PolicyRule[], places: Places): readonly Grant[] {
  const draft: Draft<ClusterRole> = { apiVersion: apiVersionOf(ClusterRole), kind: ClusterRole.kind, metadata: { name }, rules };
  return [{ resource: ClusterRole, draft }, bindClusterRole(name, name, places)];
}

/** Gives our account a role of the whole cluster that is there. */
export function bindClusterRole(name: string, role: string, places: Places): Grant {
  const draft: Draft<ClusterRoleBinding> = {
    apiVersion: apiVersionOf(ClusterRoleBinding),
    kind: ClusterRoleBinding.kind,
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: subjectsIn(places),
  };
  return { resource: ClusterRoleBinding, draft };
}
