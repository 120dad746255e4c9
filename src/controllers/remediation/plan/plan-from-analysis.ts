import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { analysisPhases } from '../../../api/ai-analysis/phases.ts';
import { isTerminal } from '../../../api/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { RoutingSettings } from '../../settings.ts';
import { failedAt, manualReviewRequired, type RequestEnding } from '../end/end-request.ts';
import { describeTarget, describeWorkflow, planOf, type RemediationPlan } from '../../plan/remediation-plan.ts';

/** What an analysis leads to: it is still running, it ends the request, or it has a plan to execute. */
export type AnalysisResult =
  | { readonly kind: 'AtWork' }
  | { readonly kind: 'End'; readonly ending: RequestEnding }
  /** A plan needs approval unless the analysis says explicitly that it does not. */
  | { readonly kind: 'Plan'; readonly plan: RemediationPlan; readonly needsApproval: boolean };

/**
 * Reads the result of an analysis. The order matters for safety: results that require a manual review come before those that act.
 *
 *   review asked for │ workflow │ result
 *   yes              │ no       │ ManualReviewRequired: Completed, also when the analysis itself failed
 *   yes              │ yes      │ HumanReviewWithWorkflow: Failed; what was found is shown, and not run
 *   no               │          │ Failed; WorkflowNotNeeded → NoActionRequired; otherwise ApprovalRequired or Normal
 */
export function analysisResultOf(analysis: AIAnalysis, request: RemediationRequest, settings: RoutingSettings): AnalysisResult {
  const { status } = analysis;
  // That a change cannot be undone says nothing about the signal, which is not suppressed for it.
  const routing = request.spec.undoOf ? { ...settings, noActionRequiredDelayMs: 0 } : settings;
  if (!status || !isTerminal(analysisPhases, status.phase)) return { kind: 'AtWork' };
  if (status.needsHumanReview)
    return endResult(status.selectedWorkflow ? reviewOf(analysis, request) : manualReviewRequired(findingText(analysis, request), routing));
  if (status.phase === 'Failed') return endResult(analysisFailed(analysis));
  if (status.reason === 'WorkflowNotNeeded') return endResult(notNeeded(analysis, request, routing));
  const plan = planOf(analysis);
  return plan ? { kind: 'Plan', plan, needsApproval: status.approvalRequired !== false } : endResult(incomplete(analysis));
}

const endResult = (ending: RequestEnding): AnalysisResult => ({ kind: 'End', ending });

/** What the analysis found, for the person who continues by hand. */
function findingText({ status, metadata }: AIAnalysis, { spec }: RemediationRequest): string {
  const { message = '', rootCause, rootCauseAnalysis } = status ?? {};
  const cause = rootCauseAnalysis?.summary ?? rootCause ?? '';
  const said = message.includes(cause) ? [message] : [cause, message].filter((text) => text !== '');
  return said.join('; ') || `${metadata.name} found nothing to do about ${describeTarget(spec.targetResource)}`;
}

function reviewOf(analysis: AIAnalysis, request: RemediationRequest): RequestEnding {
  const workflow = analysis.status?.selectedWorkflow;
  const proposal = workflow ? `${describeWorkflow(workflow)} (confidence ${workflow.confidence.toFixed(2)})` : 'a workflow';
  const reason = `${proposal} was proposed and not run, because it requires a manual review: ${findingText(analysis, request)}`;
  return failedAt('AIAnalysis', reason, {
    requiresManualReview: true,
    ...(workflow && { workflowDisplayName: describeWorkflow(workflow), confidence: workflow.confidence.toFixed(2) }),
  });
}

function analysisFailed({ status, metadata }: AIAnalysis): RequestEnding {
  const reason = status?.message ?? `${metadata.name} failed without a reason`;
  const withoutWorkflow = status?.selectedWorkflow ? {} : ({ outcome: 'ManualReviewRequired' } as const);
  return failedAt('AIAnalysis', reason, { requiresManualReview: true, ...withoutWorkflow });
}

function notNeeded({ status }: AIAnalysis, { spec }: RemediationRequest, { noActionRequiredDelayMs }: RoutingSettings): RequestEnding {
  return {
    phase: 'Completed',
    message: status?.message ?? `${describeTarget(spec.targetResource)} no longer needs remediation`,
    holdOffMs: noActionRequiredDelayMs,
    status: { outcome: 'NoActionRequired' },
  };
}

/** An analysis that requires no review and yet names no workflow or no target. */
const incomplete = ({ metadata, status }: AIAnalysis): RequestEnding =>
  failedAt(
    'AIAnalysis',
    `${metadata.name} is Completed, but names no ${status?.selectedWorkflow ? 'target' : 'workflow'}: nothing was run`,
    {
      requiresManualReview: true,
    },
  );
