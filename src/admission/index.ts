/**
 * What an embedded API server is given about our kinds: the rules that writes of users must keep to, and default roles. A real API server
 * gets the same rules as ValidatingAdmissionPolicies (`src/api/policies`), which cannot fill in fields that a write leaves out.
 */
import type { Rights } from '../apiserver/index.ts';
import { approvals } from './approvals.ts';
import { blockClearances } from './block-clearances.ts';
import { keptBlocks } from './kept-blocks.ts';
import { cancellations, requesters } from './requests.ts';
import { ROLES } from './roles.ts';
import { statuses } from './statuses.ts';

/** The rules and roles of our kinds. The accounts in `delegates` may pass on decisions of others. */
export const ourRights = (delegates: readonly string[] = []): Required<Pick<Rights, 'admissionRules' | 'roles'>> => ({
  admissionRules: [approvals(delegates), requesters, cancellations, blockClearances, keptBlocks, statuses],
  roles: ROLES,
});
