import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { assertNever, toTime, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/controller.ts';
import { childNames } from '../child-names.ts';
import type { Settings } from '../settings.ts';
import { freshness } from '../target/index.ts';
import { childOf } from './child.ts';
import { analysisFor, referenceToBe } from './children.ts';
import { conclusionOf } from './conclusion.ts';
import { failed, followChild, gaveUpAt } from './follow.ts';
import { healed } from './healed.ts';
import type { RemediationSeen } from './observe.ts';
import { describeTarget, describeWorkflow, offLimits, type RemediationPlan } from './plan.ts';
import { end, enter, HOLD_OFF, stay, type Ending } from './status.ts';
import { deadlineIn, type Deadline } from './timeouts.ts';

interface At {
  readonly now: Instant;
  readonly settings: Settings;
}

/** Waits for the analysis, and goes on with its plan when the plan still holds. */
export function decideAnalyzing(seen: RemediationSeen, now: Instant, settings: Settings): Decision {
  const { object, analysis } = seen;
  const gone = healed(object);
  if (gone) return end(object, gone, now);
  const deadline = deadlineIn('Analyzing', object, settings);
  return followChild(
    object,
    {
      phase: 'Analyzing',
      stage: 'AIAnalysis',
      reference: 'aiAnalysisRef',
      child: childOf(analysis, { owner: object }),
      deadline,
      create: () => createAnalysis(seen, now, deadline),
      follow: (child, request) =>
        child.status?.phase === 'Failed' && gaveUpAt(deadline, child.status.completedAt)
          ? undefined
          : followAnalysis(child, { ...seen, object: request }, { now, settings }),
      describe: describeWait,
    },
    now,
  );
}

function describeWait({ metadata, status }: AIAnalysis): string {
  if (status?.phase === 'Completed') return `${metadata.name} is done, but its target cannot be read: see whether Sickbay may read it`;
  if (status?.phase === 'Failed') return status.message ?? `${metadata.name} gave up`;
  return `${metadata.name} was still ${status?.phase ?? 'new'}; look at the target by hand`;
}

/** The question rests on what enrichment found, which must still be there. */
function createAnalysis({ object, processing }: RemediationSeen, now: Instant, deadline: Deadline): Decision {
  const enriched = childOf(processing, { owner: object, recordedUid: object.status?.signalProcessingRef?.uid });
  const wait = { now, deadline: deadline.at };
  switch (enriched.kind) {
    case 'leftOver':
    case 'unknown':
      return stay(object, wait);
    case 'ours': {
      const create = { kind: 'Create', resource: AIAnalysis, object: analysisFor(object, enriched.object, deadline.at) } as const;
      return stay(object, wait, { effects: [create] });
    }
    case 'none':
    case 'lost':
    case 'foreign':
      return end(object, failed('SignalProcessing', 'its SignalProcessing was deleted before the analysis began: nothing was run'), now);
    default:
      return assertNever(enriched);
  }
}

function followAnalysis(analysis: AIAnalysis, seen: RemediationSeen, at: At): Decision | undefined {
  const conclusion = conclusionOf(analysis, seen.object);
  switch (conclusion.kind) {
    case 'AtWork':
      return undefined;
    case 'End':
      return end(seen.object, conclusion.ending, at.now);
    case 'Plan':
      return followPlan(conclusion.plan, seen, at);
    default:
      return assertNever(conclusion);
  }
}

/** A plan is carried out on exactly what was analysed, or not at all. */
function followPlan(plan: RemediationPlan, { object, target }: RemediationSeen, { now, settings }: At): Decision | undefined {
  const objection = offLimits(plan, object, settings);
  if (objection !== undefined) return end(object, notRun(plan, objection), now);
  const state = freshness(plan.target, target);
  switch (state.kind) {
    case 'unknown':
      return undefined;
    case 'stale':
      return end(object, notRun(plan, state.why), now);
    case 'same':
      return execute(plan, object, now);
    default:
      return assertNever(state);
  }
}

const notRun = ({ workflow, target }: RemediationPlan, why: string): Ending => ({
  phase: 'Completed',
  message: `${describeTarget(target)} ${why}, so ${describeWorkflow(workflow)} was not run: see whether it still needs help`,
  holdOffMs: HOLD_OFF.untilReviewedMs,
  status: { outcome: 'ManualReviewRequired', requiresManualReview: true },
});

function execute({ workflow, target, digest }: RemediationPlan, request: RemediationRequest, now: Instant): Decision {
  const { workflowId, version, executionBundle, executionBundleDigest } = workflow;
  return enter(request, 'Executing', now, {
    executingStartTime: toTime(now),
    workflowExecutionRef: referenceToBe(WorkflowExecution, request, childNames(request.metadata.name).execution),
    selectedWorkflowRef: {
      workflowId,
      version,
      executionBundle,
      ...(executionBundleDigest !== undefined && { executionBundleDigest }),
    },
    planDigest: digest,
    analysisAttempt: 1,
    remediationTarget: target,
    targetDisplay: `${target.kind}/${target.name}`,
    workflowDisplayName: describeWorkflow(workflow),
    confidence: workflow.confidence.toFixed(2),
    // Never changed once it is there, which it is only where somebody set the phase back.
    ...(target.specHash !== undefined && { preRemediationSpecHash: request.status?.preRemediationSpecHash ?? target.specHash }),
    message: `running ${describeWorkflow(workflow)} on ${describeTarget(target)}: ${workflow.rationale}`,
  });
}
