import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { analysisPhases } from '../../api/ai-analysis/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { failed } from './follow.ts';
import { describeTarget, describeWorkflow, planOf, type RemediationPlan } from './plan.ts';
import { HOLD_OFF, type Ending } from './status.ts';

/** What an analysis leads to: still nothing, the end, or a plan to carry out. */
export type Conclusion =
  | { readonly kind: 'AtWork' }
  | { readonly kind: 'End'; readonly ending: Ending }
  | { readonly kind: 'Plan'; readonly plan: RemediationPlan };

/**
 * Reads the result of an analysis. The order is what keeps it safe: whatever asks for a person comes before whatever would act.
 *
 *   review asked for │ workflow │ result
 *   yes              │ no       │ Completed, ManualReviewRequired, also when the analysis itself failed
 *   yes              │ yes      │ Failed: what was found is shown, and not run
 *   no               │          │ failed → Failed; not needed → NoActionRequired; approval, dry run → the end; otherwise the plan
 */
export function conclusionOf(analysis: AIAnalysis, request: RemediationRequest): Conclusion {
  const { status } = analysis;
  if (!status || !isTerminal(analysisPhases, status.phase)) return { kind: 'AtWork' };
  if (status.needsHumanReview) return ended(status.selectedWorkflow ? reviewOf(analysis, request) : handOver(found(analysis, request)));
  if (status.phase === 'Failed') return ended(brokenOff(analysis));
  if (status.reason === 'WorkflowNotNeeded') return ended(notNeeded(analysis, request));
  const plan = planOf(analysis);
  return plan ? planned(plan, analysis, request) : ended(incomplete(analysis));
}

function planned(plan: RemediationPlan, analysis: AIAnalysis, { spec }: RemediationRequest): Conclusion {
  if (analysis.status?.approvalRequired !== false) return ended(needsApproval(analysis, plan));
  return spec.dryRun === true ? ended(dryRun(plan)) : { kind: 'Plan', plan };
}

const ended = (ending: Ending): Conclusion => ({ kind: 'End', ending });

/** What was found out, for whoever takes over. */
function found({ status, metadata }: AIAnalysis, { spec }: RemediationRequest): string {
  const { message = '', rootCause, rootCauseAnalysis } = status ?? {};
  const cause = rootCauseAnalysis?.summary ?? rootCause ?? '';
  const said = message.includes(cause) ? [message] : [cause, message].filter((text) => text !== '');
  return said.join('; ') || `${metadata.name} found nothing to do about ${describeTarget(spec.targetResource)}`;
}

const handOver = (message: string): Ending => ({
  phase: 'Completed',
  message,
  holdOffMs: HOLD_OFF.untilReviewedMs,
  status: { outcome: 'ManualReviewRequired', requiresManualReview: true },
});

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

function notNeeded({ status }: AIAnalysis, { spec }: RemediationRequest): Ending {
  return {
    phase: 'Completed',
    message: status?.message ?? `${describeTarget(spec.targetResource)} needs no help any more`,
    holdOffMs: HOLD_OFF.untilReviewedMs,
    status: { outcome: 'NoActionRequired' },
  };
}

/** An analysis that asks for nobody and yet says not what to do to what. */
const incomplete = ({ metadata, status }: AIAnalysis): Ending =>
  failed('AIAnalysis', `${metadata.name} is done, but names no ${status?.selectedWorkflow ? 'target' : 'workflow'}: nothing was run`, {
    requiresManualReview: true,
  });

function needsApproval({ status }: AIAnalysis, { workflow, target }: RemediationPlan): Ending {
  const plan = `${describeWorkflow(workflow)} on ${describeTarget(target)}`;
  return handOver(
    `approval is needed for ${plan}: ${status?.approvalReason ?? 'the policy asks for it'}. Nothing was run. ` +
      `If you agree with the plan (${workflow.rationale}), carry it out by hand`,
  );
}

const dryRun = ({ workflow, target }: RemediationPlan): Ending => ({
  phase: 'Completed',
  message: `dry run: ${describeWorkflow(workflow)} would have been run on ${describeTarget(target)}: ${workflow.rationale}`,
  holdOffMs: HOLD_OFF.afterDryRunMs,
  status: { outcome: 'DryRun' },
});
