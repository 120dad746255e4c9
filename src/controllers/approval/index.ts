/**
 * The controller of RemediationApprovalRequest, with which an approver approves or rejects one exact plan.
 *
 *   approvalFor ─▶ RemediationApprovalRequest ─(an approver writes its status)─▶ judgeApproval ─▶ the plan to execute, or why not
 *
 * - `draft-approval.ts` drafts the object, with all that an approver needs to know. `approval-verdict.ts` judges the decision; only an
 *   approval of exactly the plan that would run, in time, by an approver whose name was verified, counts. Both serve the orchestrator,
 *   which alone acts on the decision.
 * - `override-plan.ts` applies the approver's changes to the plan.
 * - `decide.ts` is the controller of the kind: it reports the state of an approval request, and expires one without a decision.
 * Admission verifies who the approver is: see docs/approvals.md. Start with approval-verdict.ts.
 */
import { keyOf } from '../../api/meta.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import type { SettingsSource } from '../settings.ts';
import { decide } from './decide.ts';
import { observe, type ApprovalRequestSeen } from './observe.ts';

export { closeApproval, closedBecause } from './close-approval.ts';
export { approvalFor } from './draft-approval.ts';
export { judgeApproval, workflowToRead, type ApprovalVerdict } from './approval-verdict.ts';
export { applyOverride, overridingWorkflow, type Override } from './override-plan.ts';
export type { ApprovalRequestSeen } from './observe.ts';

/** Reports the state of approval requests, and expires those without a decision. `account` is Sickbay's own user name at the API server. */
export const createApprovalController = (settings: SettingsSource, account: string): Controller<ApprovalRequestSeen> => ({
  name: 'approval',
  primary: RemediationApprovalRequest,
  watches: [{ resource: RemediationApprovalRequest, namespace: settings().namespace, keys: (object) => [keyOf(object)] }],
  observe,
  decide: (seen, now) => decide(seen, now, account),
});
