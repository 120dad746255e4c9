import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { approvalGate, isGuess } from './approval-gate.ts';

type Status = NonNullable<AIAnalysis['status']>;
type Plan = NonNullable<Status['selectedWorkflow']>;

/** Whether a plan may run, needs approval, or is too unsure for either. */
export function judgePlan(environment: string, plan: Plan, status: Status): Partial<Status> {
  const name = plan.workflowName ?? plan.workflowId;
  if (isGuess(plan.confidence))
    return {
      subReason: 'LowConfidence',
      needsHumanReview: true,
      humanReviewReason: 'low_confidence',
      message: `${name} is not run: its confidence of ${plan.confidence} is too low. Next: examine the cause, then remediate by hand`,
    };
  const { required, reason } = approvalGate({
    environment,
    target: status.rootCauseAnalysis?.remediationTarget,
    confidence: plan.confidence,
  });
  return {
    approvalRequired: required,
    ...(required && { approvalReason: reason, approvalContext: approvalContext(plan, status, reason) }),
    message: `${status.rootCause ?? 'the cause is known'}; ${name} ${required ? 'waits for approval' : 'may run'}: ${reason}`,
  };
}

/** What the approver sees. */
const approvalContext = (
  plan: Plan,
  { rootCauseAnalysis, warnings = [] }: Status,
  reason: string,
): NonNullable<Status['approvalContext']> => ({
  reason,
  confidenceScore: plan.confidence,
  confidenceLevel: plan.confidence >= 0.8 ? 'high' : 'medium',
  investigationSummary: rootCauseAnalysis?.summary ?? '',
  whyApprovalRequired: reason,
  recommendedActions: [{ workflowId: plan.workflowId, rationale: plan.rationale }],
  evidenceCollected: [...(rootCauseAnalysis?.contributingFactors ?? []), ...warnings],
  policyEvaluation: { policyName: 'built-in', decision: 'ManualReviewRequired' },
});
