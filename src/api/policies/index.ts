/**
 * What the API server of a cluster has to check of writes to our kinds, as ValidatingAdmissionPolicies: that names which say who decided,
 * cleared, cancelled or asked are those of who writes them, and that what Sickbay acts on was written by Sickbay. The embedded server's admission does the same (`src/admission`), and
 * fills in what is left out, which a policy cannot. One file per policy; docs/approvals.md tells people about them.
 */
import { approvalPolicy } from './approvals.ts';
import { blockClearancePolicy } from './block-clearances.ts';
import { keptBlockPolicy } from './kept-blocks.ts';
import type { Policy } from './policy.ts';
import { requestPolicy } from './requests.ts';
import { statusPolicy } from './statuses.ts';

export type { Policy } from './policy.ts';

/** The name that our own account has to the API server of a cluster. */
export const accountIn = (namespace: string): string => `system:serviceaccount:${namespace}:sickbay`;

/** Every policy, for a system namespace: our account there may pass on decisions that come through a chat. */
export const admissionPolicies = (namespace: string): readonly Policy[] => [
  approvalPolicy([accountIn(namespace)]),
  blockClearancePolicy(),
  keptBlockPolicy(),
  requestPolicy(),
  statusPolicy(),
];
