/**
 * What an embedded API server is given about our kinds: the rules that writes of users must keep to, and default roles. A real API server
 * gets the same rules as ValidatingAdmissionPolicies (`src/api/policies`), which cannot fill in fields that a write leaves out.
 */
import type { Rights } from '../apiserver/index.ts';
import { approvalRule } from './approvals.ts';
import { blockClearanceRule } from './block-clearances.ts';
import { keptBlockRule } from './kept-blocks.ts';
import { overrideRule } from './freeze-overrides.ts';
import { cancellationRule, requesterRule } from './requests.ts';
import { ROLES } from './roles.ts';
import { statusRule } from './statuses.ts';

/** The rules and roles of our kinds. The accounts in `delegates` may pass on decisions of others. */
export const ourRights = (delegates: readonly string[] = []): Required<Pick<Rights, 'admissionRules' | 'roles'>> => ({
  admissionRules: [approvalRule(delegates), requesterRule, cancellationRule, overrideRule, blockClearanceRule, keptBlockRule, statusRule],
  roles: ROLES,
});
