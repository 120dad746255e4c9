import { kinds } from '../api/kinds.ts';
import { PIPELINE } from '../api/parts/group.ts';
import { defaultRole, policyRule, READ_VERBS, WRITE_VERBS, type DefaultRole } from '../apiserver/authorization/default-roles.ts';
import type { PolicyRule } from '../kube/builtin/index.ts';

/**
 * The kinds that a namespace's `admin` may write. Those about Machines are not among them: they move Nodes, which have no namespace, and
 * have Sickbay call addresses (ruling 122).
 */
const OF_A_NAMESPACE = kinds.filter(({ group }) => group === PIPELINE.group);

/** The verbs on kinds, one rule per group. */
const onKinds = (of: typeof kinds, verbs: readonly string[], parts: (plural: string) => readonly string[]): readonly PolicyRule[] =>
  [...Map.groupBy(of, ({ group }) => group)].map(([group, members]) =>
    policyRule(
      group,
      members.flatMap(({ plural }) => parts(plural)),
      verbs,
    ),
  );

/** Aggregated into `view`, `edit` and `admin`. Deciding about approvals is a role of its own, which `edit` does not have. */
export const ROLES: readonly DefaultRole[] = [
  defaultRole('sickbay:view', { into: 'view', rules: onKinds(kinds, READ_VERBS, (plural) => [plural, `${plural}/status`]) }),
  defaultRole('sickbay:edit', {
    into: 'edit',
    rules: [policyRule(PIPELINE.group, ['remediationrequests'], ['create', 'patch', 'update'])],
  }),
  defaultRole('sickbay:admin', { into: 'admin', rules: onKinds(OF_A_NAMESPACE, WRITE_VERBS, (plural) => [plural]) }),
  defaultRole('sickbay:approve', {
    into: 'admin',
    rules: [policyRule(PIPELINE.group, ['remediationapprovalrequests/status'], ['patch', 'update'])],
  }),
];
