import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { assertNever, toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { assessmentDraft } from '../verification/draft-assessment.ts';
import { childOf } from '../children/read-child.ts';
import { end, failed, untilReviewed, type Ending } from '../end/end-request.ts';
import { awaitChild, begin, type Waiting } from './await-child.ts';
import { BLOCKED } from '../suppression/hold-until-cleared.ts';
import type { RemediationSeen } from '../observe.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { enter, referenceTo } from '../status.ts';
import { assessedBy, deadlineIn, verificationDeadline } from '../timeouts.ts';

/**
 * Waits for the run. It was put on record by its UID when the phase was entered, and no other is ever created: one that is gone is a failure.
 *
 *   it runs ─▶ Completed → Verifying │ Failed │ Skipped
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
      `${metadata.name} was still ${status?.phase ?? 'new'}: look at ${targetOf(object)} before anything else is tried`,
    mayHaveActed: ({ status }) => status?.phase === 'Running',
  });
}

/** Somebody set the phase by hand: whatever has the name was never put on record. */
const NOT_ON_RECORD = '';

function followExecution(execution: WorkflowExecution, waiting: Waiting): Decision | undefined {
  const { seen, now } = waiting;
  const phase = execution.status?.phase;
  switch (phase) {
    case 'Completed':
      return verify(execution, waiting);
    case 'Failed':
      return end(seen, executionFailed(execution, seen.object), now);
    case 'Skipped':
      return end(seen, skipped(execution, seen.object), now);
    case 'Pending':
    case 'Running':
    case undefined:
      return undefined;
    default:
      return assertNever(phase);
  }
}

/**
 * On to verification, which starts with its assessment. What was done is done: where no assessment can be had, verification says so, and no
 * clock but its own makes it too late.
 */
function verify(execution: WorkflowExecution, waiting: Waiting): Decision {
  const { seen, now } = waiting;
  const child = childOf(seen.assessment, { owner: seen.object });
  const until = assessedBy(execution, seen.object, seen.settings);
  const isHopeless = child.kind === 'foreign' || (now >= until && (child.kind === 'none' || child.kind === 'leftOver'));
  if (isHopeless) return enterVerifying(execution, seen, now);
  return begin(waiting, {
    stage: 'WorkflowExecution',
    resource: EffectivenessAssessment,
    child,
    draft: () => assessmentDraft(seen, 'Verifying', now),
    enter: (assessment) => enterVerifying(execution, seen, now, assessment),
    until: { ...waiting.deadline, at: until },
  });
}

function enterVerifying(
  execution: WorkflowExecution,
  { object, settings }: RemediationSeen,
  now: Instant,
  assessment?: EffectivenessAssessment,
): Decision {
  const begun = { ...object, status: { ...object.status, verifyingStartTime: toTime(now) } };
  return enter(begun, 'Verifying', now, {
    verificationDeadline: toTime(verificationDeadline(begun, settings, assessment)),
    ...(assessment && { effectivenessAssessmentRef: referenceTo(assessment) }),
    message: `${whatWasDone(execution, object)}; now seeing whether it helped`,
  });
}

/** What the workflow did, in its own words where it left any. */
export function whatWasDone(execution: WorkflowExecution | undefined, request: RemediationRequest): string {
  const said = execution?.status?.executionStatus?.message;
  return said ? said : `${request.status?.workflowDisplayName ?? 'the workflow'} ran on ${targetOf(request)}`;
}

/** Without details nobody knows how far it got: it is taken for having acted. */
function executionFailed({ metadata, status }: WorkflowExecution, request: RemediationRequest): Ending {
  const details = status?.failureDetails;
  const reason = details?.naturalLanguageSummary ?? `${metadata.name} failed without a reason: look at ${targetOf(request)}`;
  const ending = failed('WorkflowExecution', reason, { requiresManualReview: false });
  return details?.wasExecutionFailure === false ? ending : untilReviewed(ending);
}

function skipped({ metadata, status }: WorkflowExecution, request: RemediationRequest): Ending {
  const details = status?.skipDetails;
  const message = details?.message ?? `${metadata.name} was skipped without a reason; ${targetOf(request)} was left alone`;
  const ending: Ending = { phase: 'Skipped', message, status: { skipMessage: message, ...(details && { skipReason: details.reason }) } };
  return BLOCKED.includes(details?.reason) ? untilReviewed(ending) : ending;
}

const targetOf = ({ status, spec }: RemediationRequest): string => describeTarget(status?.remediationTarget ?? spec.targetResource);
