import { targetTextOf } from '../request-target.ts';
import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { given } from '../../../base/index.ts';

type Context = NonNullable<NotificationRequest['spec']['context']>;

/** What a notification is about, in fields that routes and templates can use. */
export function notificationContext(request: RemediationRequest, analysis: AIAnalysis | undefined): Context {
  const { status = {}, metadata } = request;
  const { outcome, timeoutPhase, aiAnalysisRef, duplicateCount } = status;
  return given({
    lineage: given({ remediationRequest: metadata.name, aiAnalysis: aiAnalysisRef?.name }),
    target: { targetResource: targetTextOf(request) },
    analysis: given({ outcome, rootCause: causeOf(analysis) }),
    workflow: workflowContext(request, analysis),
    review: status.requiresManualReview === true ? reviewContext(analysis) : undefined,
    execution: timeoutPhase && { timeoutPhase },
    dedup: duplicateCount === undefined ? undefined : { duplicateCount: String(duplicateCount) },
  }) as Context;
}

/** The cause, as far as the analysis found one. */
export const causeOf = (analysis: AIAnalysis | undefined): string | undefined =>
  analysis?.status?.rootCauseAnalysis?.summary ?? analysis?.status?.rootCause;

/** The workflow that was chosen, also where it was proposed and not run. */
function workflowContext({ status = {} }: RemediationRequest, analysis: AIAnalysis | undefined): Context['workflow'] | undefined {
  const { workflowId, workflowName, actionType } = analysis?.status?.selectedWorkflow ?? {};
  const id = status.selectedWorkflowRef?.workflowId ?? workflowId;
  if (id === undefined) return undefined;
  return given({
    workflowId: id,
    selectedWorkflow: status.workflowDisplayName,
    confidence: status.confidence,
    workflowName,
    actionType,
  }) as NonNullable<Context['workflow']>;
}

function reviewContext(analysis: AIAnalysis | undefined): NonNullable<Context['review']> {
  const { reason, subReason, humanReviewReason } = analysis?.status ?? {};
  return given({ reason, subReason, humanReviewReason, rootCauseAnalysis: causeOf(analysis) }) as NonNullable<Context['review']>;
}
