import { failedAfterStart } from '../../../api/workflow-execution/failed-after-start.ts';
import { describeTargetOf } from '../request-target.ts';
import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { assertNever, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { enterVerifying } from '../verification/enter-verifying.ts';
import { assessmentDraft } from '../verification/draft-assessment.ts';
import { childOf } from '../children/read-child.ts';
import { endRequest, failedAt, untilReviewed, type RequestEnding } from '../end/end-request.ts';
import { awaitChild, enterNextPhase, type Waiting } from './await-child.ts';
import { reportWaitingRun } from './report-waiting-run.ts';
import { TARGET_BLOCKED_REASONS } from '../suppression/suppress-until-cleared.ts';
import type { RemediationSeen } from '../observe.ts';
import { assessedBy, deadlineIn } from '../timeouts.ts';

/**
 * Waits for the WorkflowExecution. Its UID was recorded when the phase was entered, and no other is ever created: if it is gone, that is a
 * failure.
 *
 *   WorkflowExecution Completed → Verifying │ Failed → Failed │ Skipped → Skipped
 */
export function decideExecuting(seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const waiting: Waiting = { seen, phase: 'Executing', deadline: deadlineIn('Executing', object, settings), now };
  return awaitChild(waiting, {
    stage: 'WorkflowExecution',
    child: childOf(seen.execution, { owner: object, recordedUid: object.status?.workflowExecutionRef?.uid ?? NOT_ON_RECORD }),
    create: () => undefined,
    follow: (execution) => followExecution(execution, waiting),
    describe: ({ metadata, status }) =>
      `${metadata.name} was still ${status?.phase ?? 'new'}: check ${describeTargetOf(object)} before anything else is tried`,
    mayHaveActed: ({ status }) => status?.phase === 'Running',
  });
}

/** The phase was set by hand: an execution with the name was never recorded, so that no UID matches. */
const NOT_ON_RECORD = '';

function followExecution(execution: WorkflowExecution, waiting: Waiting): Decision | undefined {
  const { seen, now } = waiting;
  const phase = execution.status?.phase;
  switch (phase) {
    case 'Completed':
      return verify(execution, waiting);
    case 'Failed':
      return endRequest(seen, executionFailed(execution, seen.object), now);
    case 'Skipped':
      return endRequest(seen, skipped(execution, seen.object), now);
    case 'Pending':
    case 'Running':
    case undefined:
      return reportWaitingRun(execution, waiting);
    default:
      return assertNever(phase);
  }
}

/**
 * Moves on to Verifying, which starts with its assessment. Where no assessment can be created, Verifying reports that; no
 * time limit but its own ends it.
 */
function verify(execution: WorkflowExecution, waiting: Waiting): Decision {
  const { seen, now } = waiting;
  const child = childOf(seen.assessment, { owner: seen.object });
  const until = assessedBy(execution, seen.object, seen.settings);
  const isHopeless = child.kind === 'foreign' || (now >= until && (child.kind === 'none' || child.kind === 'leftOver'));
  if (isHopeless) return enterVerifying(execution, seen, now);
  return enterNextPhase(waiting, {
    stage: 'WorkflowExecution',
    resource: EffectivenessAssessment,
    child,
    draft: () => assessmentDraft(seen, 'Verifying', now),
    enter: (assessment) => enterVerifying(execution, seen, now, assessment),
    until: { ...waiting.deadline, at: until },
  });
}

/** A failure without details is taken for one that changed the target. */
function executionFailed(execution: WorkflowExecution, request: RemediationRequest): RequestEnding {
  const { metadata, status } = execution;
  const reason =
    status?.failureDetails?.naturalLanguageSummary ?? `${metadata.name} failed without a reason: check ${describeTargetOf(request)}`;
  const ending = failedAt('WorkflowExecution', reason, { requiresManualReview: false });
  return failedAfterStart(execution) ? untilReviewed(ending) : ending;
}

function skipped({ metadata, status }: WorkflowExecution, request: RemediationRequest): RequestEnding {
  const details = status?.skipDetails;
  const message = details?.message ?? `${metadata.name} was skipped without a reason; ${describeTargetOf(request)} was not changed`;
  const ending: RequestEnding = {
    phase: 'Skipped',
    message,
    status: { skipMessage: message, ...(details && { skipReason: details.reason }) },
  };
  return TARGET_BLOCKED_REASONS.includes(details?.reason) ? untilReviewed(ending) : ending;
}
