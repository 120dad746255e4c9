import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { analysisPhases } from '../../../api/ai-analysis/phases.ts';
import { isTerminal } from '../../../api/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { RoutingSettings } from '../../settings.ts';
import { failed, handedOver, type Ending } from '../end/end-request.ts';
import { describeTarget, describeWorkflow, planOf, type RemediationPlan } from '../../plan/remediation-plan.ts';

/** What an analysis leads to: still nothing, the end, or a plan to carry out. */
export type Conclusion =
  | { readonly kind: 'AtWork' }
  | { readonly kind: 'End'; readonly ending: Ending }
  /** Whatever does not say that it needs no approval needs one. */
  | { readonly kind: 'Plan'; readonly plan: RemediationPlan; readonly needsApproval: boolean };

/**
 * Reads the result of an analysis. The order is what keeps it safe: whatever asks for a person comes before whatever would act.
 *
 *   review asked for │ workflow │ result
 *   yes              │ no       │ ManualReviewRequired: Completed, also when the analysis itself failed
 *   yes              │ yes      │ HumanReviewWithWorkflow: Failed; what was found is shown, and not run
 *   no               │          │ Failed; WorkflowNotNeeded → NoActionRequired; otherwise ApprovalRequired or Normal
 */
export function conclusionOf(analysis: AIAnalysis, request: RemediationRequest, settings: RoutingSettings): Conclusion {
  const { status } = analysis;
  // That a change cannot be taken back says nothing about the signal, which is not left alone for it.
  const routing = request.spec.undoOf ? { ...settings, noActionRequiredDelayMs: 0 } : settings;
  if (!status || !isTerminal(analysisPhases, status.phase)) return { kind: 'AtWork' };
  if (status.needsHumanReview)
    return ended(status.selectedWorkflow ? reviewOf(analysis, request) : handedOver(found(analysis, request), routing));
  if (status.phase === 'Failed') return ended(brokenOff(analysis));
  if (status.reason === 'WorkflowNotNeeded') return ended(notNeeded(analysis, request, routing));
  const plan = planOf(analysis);
  return plan ? { kind: 'Plan', plan, needsApproval: status.approvalRequired !== false } : ended(incomplete(analysis));
}

const ended = (ending: Ending): Conclusion => ({ kind: 'End', ending });

/** What was found out, for whoever takes over. */
function found({ status, metadata }: AIAnalysis, { spec }: RemediationRequest): string {
  const { message = '', rootCause, rootCauseAnalysis } = status ?? {};
  const cause = rootCauseAnalysis?.summary ?? rootCause ?? '';
  const said = message.includes(cause) ? [message] : [cause, message].filter((text) => text !== '');
  return said.join('; ') || `${metadata.name} found nothing to do about ${describeTarget(spec.targetResource)}`;
}

function reviewOf(analysis: AIAnalysis, request: RemediationRequest): Ending {
  const workflow = analysis.status?.selectedWorkflow;
  const proposal = workflow ? `${describeWorkflow(workflow)} (confidence ${workflow.confidence.toFixed(2)})` : 'a workflow';
  const reason = `${proposal} was proposed and not run, because a person has to look first: ${found(analysis, request)}`;
  return failed('AIAnalysis', reason, {
    requiresManualReview: true,
    ...(workflow && { workflowDisplayName: describeWorkflow(workflow), confidence: workflow.confidence.toFixed(2) }),
  });
}

function brokenOff({ status, metadata }: AIAnalysis): Ending {
  const reason = status?.message ?? `${metadata.name} failed without a reason`;
  const withoutWorkflow = status?.selectedWorkflow ? {} : ({ outcome: 'ManualReviewRequired' } as const);
  return failed('AIAnalysis', reason, { requiresManualReview: true, ...withoutWorkflow });
}

function notNeeded({ status }: AIAnalysis, { spec }: RemediationRequest, { noActionRequiredDelayMs }: RoutingSettings): Ending {
  return {
    phase: 'Completed',
    message: status?.message ?? `${describeTarget(spec.targetResource)} needs no help any more`,
    holdOffMs: noActionRequiredDelayMs,
    status: { outcome: 'NoActionRequired' },
  };
}

/** An analysis that asks for nobody and yet says not what to do to what. */
const incomplete = ({ metadata, status }: AIAnalysis): Ending =>
  failed('AIAnalysis', `${metadata.name} is done, but names no ${status?.selectedWorkflow ? 'target' : 'workflow'}: nothing was run`, {
    requiresManualReview: true,
  });
