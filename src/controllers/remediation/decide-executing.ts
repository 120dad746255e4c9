import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { SkipReason } from '../../api/remediation-request/status.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { assertNever, toTime, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/controller.ts';
import { childNames } from '../child-names.ts';
import type { Settings } from '../settings.ts';
import { freshness } from '../target/index.ts';
import { childOf } from './child.ts';
import { executionFor, referenceToBe } from './children.ts';
import { failed, followChild, untilReviewed } from './follow.ts';
import type { RemediationSeen } from './observe.ts';
import { describeTarget, planOf } from './plan.ts';
import { end, enter, stay, type Ending } from './status.ts';
import { deadlineIn, verificationDeadline, type Deadline } from './timeouts.ts';

/**
 * Runs the plan, at most once. The WorkflowExecution starts nothing before its UID stands in our status, and once it stands there no other
 * is ever created:
 *
 *   create we-<rr> ─▶ seen: its UID goes on record ─▶ it runs ─▶ Completed → Verifying │ Failed │ Skipped
 */
export function decideExecuting(seen: RemediationSeen, now: Instant, settings: Settings): Decision {
  const { object, execution } = seen;
  const deadline = deadlineIn('Executing', object, settings);
  return followChild(
    object,
    {
      phase: 'Executing',
      stage: 'WorkflowExecution',
      reference: 'workflowExecutionRef',
      child: childOf(execution, { owner: object, recordedUid: object.status?.workflowExecutionRef?.uid }),
      deadline,
      create: () => createExecution(seen, now, deadline),
      follow: (child, request) => followExecution(child, request, { now, settings }),
      describe: ({ metadata, status }) =>
        `${metadata.name} was still ${status?.phase ?? 'new'}: look at ${targetOf(object)} before anything else is tried`,
      mayHaveActed: ({ status }) => status?.phase === 'Running',
    },
    now,
  );
}

/** Between the decision to run and the run, a crash may lie: that the plan still holds is seen again. */
function createExecution(seen: RemediationSeen, now: Instant, deadline: Deadline): Decision {
  const { object, analysis, target } = seen;
  const wait = { now, deadline: deadline.at };
  const source = childOf(analysis, { owner: object, recordedUid: object.status?.aiAnalysisRef?.uid });
  if (source.kind === 'unknown') return stay(object, wait);
  const plan = source.kind === 'ours' ? planOf(source.object) : undefined;
  if (!plan || plan.digest !== object.status?.planDigest)
    return end(object, failed('WorkflowExecution', 'the analysis no longer holds the plan that was decided on: nothing was run'), now);
  const state = freshness(plan.target, target);
  if (state.kind === 'unknown') return stay(object, wait);
  if (state.kind === 'stale') return end(object, failed('WorkflowExecution', `${targetOf(object)} ${state.why}: nothing was run`), now);
  const draft = executionFor(object, plan, { timesOutAt: deadline.at, limitMs: deadline.limitMs });
  return stay(object, wait, { effects: [{ kind: 'Create', resource: WorkflowExecution, object: draft }] });
}

function followExecution(
  execution: WorkflowExecution,
  request: RemediationRequest,
  { now, settings }: { readonly now: Instant; readonly settings: Settings },
): Decision | undefined {
  const phase = execution.status?.phase;
  switch (phase) {
    case 'Completed':
      return verify(execution, request, { now, settings });
    case 'Failed':
      return end(request, executionFailed(execution, request), now);
    case 'Skipped':
      return end(request, skipped(execution, request), now);
    case 'Pending':
    case 'Running':
    case undefined:
      return undefined;
    default:
      return assertNever(phase);
  }
}

function verify(
  execution: WorkflowExecution,
  request: RemediationRequest,
  { now, settings }: { readonly now: Instant; readonly settings: Settings },
): Decision {
  const begun = { ...request, status: { ...request.status, verifyingStartTime: toTime(now) } };
  return enter(begun, 'Verifying', now, {
    verificationDeadline: toTime(verificationDeadline(begun, settings)),
    effectivenessAssessmentRef: referenceToBe(EffectivenessAssessment, request, childNames(request.metadata.name).assessment),
    message: `${whatWasDone(execution, request)}; now seeing whether it helped`,
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

/** The target is blocked until a person clears it, and not merely busy. */
const BLOCKED: readonly (SkipReason | undefined)[] = ['ExhaustedRetries', 'PreviousExecutionFailed'];

function skipped({ metadata, status }: WorkflowExecution, request: RemediationRequest): Ending {
  const details = status?.skipDetails;
  const message = details?.message ?? `${metadata.name} was skipped without a reason; ${targetOf(request)} was left alone`;
  const ending: Ending = { phase: 'Skipped', message, status: { skipMessage: message, ...(details && { skipReason: details.reason }) } };
  return BLOCKED.includes(details?.reason) ? untilReviewed(ending) : ending;
}

const targetOf = ({ status, spec }: RemediationRequest): string => describeTarget(status?.remediationTarget ?? spec.targetResource);
