import { getCondition } from '../../../kube/objects/conditions.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason, Outcome } from '../../../api/remediation-request/status.ts';
import type { EventNote } from '../../../kube/objects/events.ts';
import { normalNote, warningNote, type EventReason } from '../../kubernetes-events.ts';
import { targetText } from '../../target/target-text.ts';

type Status = NonNullable<RemediationRequest['status']>;
type Phase = NonNullable<Status['overallPhase']>;

/** A request before and after a change. */
interface Step {
  readonly request: RemediationRequest;
  readonly before: Status;
  readonly after: Status;
}

/**
 * The Events of a change of a request: few, each worth reading. What the next Event or the status says anyway has none (decision 0113).
 */
export function kubernetesEventsOf(before: RemediationRequest | undefined, after: RemediationRequest): readonly EventNote[] {
  const step: Step = { request: after, before: before?.status ?? {}, after: after.status ?? {} };
  const notes = [phaseNote(step), hashNote(step), reviewNote(step)];
  return notes.filter((note) => note !== undefined);
}

/** The Event of a phase change; a block by another reason counts as one. */
function phaseNote(step: Step): EventNote | undefined {
  const { before, after, request } = step;
  if (after.overallPhase === 'Blocked') return isSameBlock(before, after) ? undefined : blockNote(request);
  if (after.overallPhase === undefined || before.overallPhase === after.overallPhase || isUsualStep(before, after)) return undefined;
  return before.overallPhase === undefined ? createdNote(request) : arrivalNote(step);
}

const isSameBlock = (before: Status, after: Status): boolean =>
  before.overallPhase === 'Blocked' && before.blockReason === after.blockReason && before.blockedStartTime === after.blockedStartTime;

/** The steps of every remediation: the status shows them, and the audit trail keeps them. */
const USUAL_STEPS: Readonly<Partial<Record<Phase, readonly Phase[]>>> = {
  Pending: ['Processing'],
  Processing: ['Analyzing'],
  Analyzing: ['Executing'],
  AwaitingApproval: ['Executing'],
  Executing: ['Verifying'],
};

const isUsualStep = ({ overallPhase: from = 'Pending' }: Status, { overallPhase: to = from }: Status): boolean =>
  USUAL_STEPS[from]?.includes(to) ?? false;

/** The Event of each block; a warning where an operator should look, not where the block ends by itself. */
const BLOCK_EVENTS: Readonly<Record<BlockReason, { readonly note: typeof normalNote; readonly reason: EventReason }>> = {
  ConsecutiveFailures: { note: warningNote, reason: 'ConsecutiveFailureBlocked' },
  DuplicateInProgress: { note: normalNote, reason: 'DuplicateBlocked' },
  ResourceBusy: { note: normalNote, reason: 'ResourceBusyBlocked' },
  RecentlyRemediated: { note: normalNote, reason: 'CooldownActive' },
  ExponentialBackoff: { note: normalNote, reason: 'CooldownActive' },
  UnmanagedResource: { note: warningNote, reason: 'UnmanagedResourceBlocked' },
  IneffectiveChain: { note: warningNote, reason: 'IneffectiveChainDetected' },
  ChangeFreeze: { note: normalNote, reason: 'ChangeFreezeBlocked' },
};

/** Why a request is blocked, and until when. */
function blockNote({ status = {} }: RemediationRequest): EventNote {
  const { blockReason, blockMessage, message, blockedUntil } = status;
  const { note, reason } = blockReason === undefined ? { note: normalNote, reason: 'PhaseTransition' as const } : BLOCK_EVENTS[blockReason];
  const until = blockedUntil === undefined ? '' : ` (until ${blockedUntil})`;
  return note(reason, `blocked: ${blockMessage ?? message ?? 'no details are recorded'}${until}`);
}

const createdNote = ({ spec }: RemediationRequest): EventNote =>
  normalNote('RemediationCreated', `${spec.signalName} (${spec.severity}) on ${targetText(spec.targetResource)}: the remediation starts`);

function arrivalNote(step: Step): EventNote {
  switch (step.after.overallPhase) {
    case 'Completed':
      return completedNote(step);
    case 'Failed':
      return failedNote(step);
    case 'TimedOut':
      return warningNote(
        'RemediationTimeout',
        `timed out in ${step.after.timeoutPhase ?? step.before.overallPhase}: ${statusMessage(step)}`,
      );
    case 'AwaitingApproval':
      return approvalNote(step);
    default:
      return normalNote('PhaseTransition', `${step.before.overallPhase} → ${step.after.overallPhase}: ${statusMessage(step)}`);
  }
}

/** Outcomes that leave something to do are warnings. */
const UNSETTLED: readonly (Outcome | undefined)[] = ['ManualReviewRequired', 'VerificationTimedOut', 'Inconclusive'];

function completedNote(step: Step): EventNote {
  const { before, after } = step;
  if (after.outcome === 'DryRun') return normalNote('DryRunCompleted', statusMessage(step));
  const message = `${after.outcome ?? 'Completed'}: ${statusMessage(step)}`;
  if (isDuplicate(before) && after.outcome !== 'NoActionRequired')
    return normalNote('InheritedCompleted', `inherits the result of ${before.duplicateOf ?? 'the original request'}: ${message}`);
  return (UNSETTLED.includes(after.outcome) ? warningNote : normalNote)('RemediationCompleted', message);
}

function failedNote(step: Step): EventNote {
  const { failurePhase } = step.after;
  if (failurePhase === 'Deduplicated')
    return warningNote(
      'InheritedFailed',
      `inherits the result of ${step.before.duplicateOf ?? 'the original request'}: ${statusMessage(step)}`,
    );
  return warningNote('RemediationFailed', `${failurePhase === undefined ? '' : `${failurePhase}: `}${statusMessage(step)}`);
}

const isDuplicate = ({ overallPhase, blockReason }: Status): boolean => overallPhase === 'Blocked' && blockReason === 'DuplicateInProgress';

function approvalNote(step: Step): EventNote {
  const { approvalRequestRef } = step.after;
  const what = approvalRequestRef?.name === undefined ? '' : `; approve or reject RemediationApprovalRequest ${approvalRequestRef.name}`;
  return normalNote('ApprovalRequired', `${statusMessage(step)}${what}`);
}

function hashNote({ before, after }: Step): EventNote | undefined {
  const [was, is] = [before, after].map(({ conditions }) => getCondition(conditions, 'PreRemediationHashCaptured'));
  if (is?.status !== 'False' || was?.status === 'False') return undefined;
  return warningNote(
    'HashCaptureDegraded',
    `the state of the target before the run is not recorded, so drift cannot be detected: ${is.message}`,
  );
}

function reviewNote(step: Step): EventNote | undefined {
  if (step.after.requiresManualReview !== true || step.before.requiresManualReview === true) return undefined;
  return warningNote('EscalatedToManualReview', `manual review is required: ${statusMessage(step)}`);
}

const statusMessage = ({ after }: Step): string => after.message ?? 'no details are recorded';
