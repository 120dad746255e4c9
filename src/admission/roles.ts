import { kinds } from '../api/kinds.ts';
import { PIPELINE } from '../api/parts/group.ts';
import { defaultRole, policyRule, READ_VERBS, WRITE_VERBS, type DefaultRole } from '../apiserver/authorization/default-roles.ts';
import type { PolicyRule } from '../kube/builtin/index.ts';

/** The verbs on our kinds, one rule per group. */
const onOurKinds = (verbs: readonly string[], parts: (plural: string) => readonly string[]): readonly PolicyRule[] =>
  [...Map.groupBy(kinds, ({ group }) => group)].map(([group, members]) =>
    policyRule(
      group,
      members.flatMap(({ plural }) => parts(plural)),
      verbs,
    ),
  );

/** Aggregated into `view`, `edit` and `admin`. Deciding about approvals is a role of its own, which `edit` does not have. */
export const ROLES: readonly DefaultRole[] = [
  defaultRole('sickbay:view', { into: 'view', rules: onOurKinds(READ_VERBS, (plural) => [plural, `${plural}/status`]) }),
  defaultRole('sickbay:edit', {
    into: 'edit',
    rules: [policyRule(PIPELINE.group, ['remediationrequests'], ['create', 'patch', 'update'])],
  }),
  defaultRole('sickbay:admin', { into: 'admin', rules: onOurKinds(WRITE_VERBS, (plural) => [plural]) }),
  defaultRole('sickbay:approve', {
    into: 'admin',
    rules: [policyRule(PIPELINE.group, ['remediationapprovalrequests/status'], ['patch', 'update'])],
  }),
];
