/**
 * RemediationApprovalRequest: where a person says yes or no to one exact plan.
 *
 *   approvalFor ─▶ RemediationApprovalRequest ─(a person writes its status)─▶ judgeApproval ─▶ the plan to carry out, or why not
 *
 * - `draft-approval.ts` asks, with all that a person needs to know. `approval-verdict.ts` says what an answer is worth; only a yes for exactly the plan that
 *   would run, in time, from somebody whose name was checked, counts. Both are for the orchestrator, which alone acts on the answer.
 * - `override-plan.ts` makes the plan that a person wants instead.
 * - `decide.ts` is the controller of the kind: it shows where a request stands, and ends one that nobody decided.
 * Who a decider is, admission checks: see docs/approvals.md. Start with approval-verdict.ts.
 */
import { keyOf } from '../../api/meta.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import type { SettingsSource } from '../settings.ts';
import { decide } from './decide.ts';
import { observe, type AskedSeen } from './observe.ts';

export { approvalFor } from './draft-approval.ts';
export { judgeApproval, workflowToRead, type ApprovalVerdict } from './approval-verdict.ts';
export { applyOverride, overridingWorkflow, type Override } from './override-plan.ts';
export type { AskedSeen } from './observe.ts';

/** Shows where approval requests stand, and ends those that nobody decided. `account` is who we are to the API server. */
export const createApprovalController = (settings: SettingsSource, account: string): Controller<AskedSeen> => ({
  name: 'approval',
  primary: RemediationApprovalRequest,
  watches: [{ resource: RemediationApprovalRequest, namespace: settings().namespace, keys: (object) => [keyOf(object)] }],
  observe,
  decide: (seen, now) => decide(seen, now, account),
});
