import { getCondition } from '../../../kube/objects/conditions.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason, Outcome } from '../../../api/remediation-request/status.ts';
import { clip } from '../../../base/index.ts';
import type { EventNote } from '../../../kube/objects/events.ts';
import { targetText } from '../../target/target-text.ts';
import { newReferences } from '../new-references.ts';

type Status = NonNullable<RemediationRequest['status']>;

/** A request before and after a change. */
interface Step {
  readonly request: RemediationRequest;
  readonly before: Status;
  readonly after: Status;
}

/** An Event holds no more; what is cut off stands in the status. */
const LONGEST_MESSAGE = 1_000;

/** What people are told when one state of a request follows another. */
export function kubernetesEventsOf(before: RemediationRequest | undefined, after: RemediationRequest): readonly EventNote[] {
  const step: Step = { request: after, before: before?.status ?? {}, after: after.status ?? {} };
  const notes = [phaseNote(step), ...childNotes(before, after), hashNote(step), reviewNote(step)];
  return notes.filter((note) => note !== undefined).map((note) => ({ ...note, message: clip(note.message, LONGEST_MESSAGE) }));
}

/** The move to another phase, in the words of the phase that was reached; another block counts as one. */
function phaseNote(step: Step): EventNote | undefined {
  const { before, after, request } = step;
  if (after.overallPhase === 'Blocked') return isSameBlock(before, after) ? undefined : blockNote(request);
  if (after.overallPhase === undefined || before.overallPhase === after.overallPhase) return undefined;
  return before.overallPhase === undefined ? createdNote(request) : arrivalNote(step);
}

const isSameBlock = (before: Status, after: Status): boolean =>
  before.overallPhase === 'Blocked' && before.blockReason === after.blockReason && before.blockedStartTime === after.blockedStartTime;

/** What a block is called, and whether a person should look: what ends by itself is no warning. */
const NAMES: Readonly<Record<BlockReason, Pick<EventNote, 'type' | 'reason'>>> = {
  ConsecutiveFailures: { type: 'Warning', reason: 'ConsecutiveFailureBlocked' },
  DuplicateInProgress: { type: 'Normal', reason: 'DuplicateBlocked' },
  ResourceBusy: { type: 'Normal', reason: 'ResourceBusyBlocked' },
  RecentlyRemediated: { type: 'Normal', reason: 'CooldownActive' },
  ExponentialBackoff: { type: 'Normal', reason: 'CooldownActive' },
  UnmanagedResource: { type: 'Warning', reason: 'UnmanagedResourceBlocked' },
  IneffectiveChain: { type: 'Warning', reason: 'IneffectiveChainDetected' },
};

/** Why a request is held back, and until when. */
function blockNote({ status = {} }: RemediationRequest): EventNote {
  const { blockReason, blockMessage, message, blockedUntil } = status;
  const name = blockReason === undefined ? { type: 'Normal' as const, reason: 'PhaseTransition' } : NAMES[blockReason];
  const until = blockedUntil === undefined ? '' : ` (until ${blockedUntil})`;
  return { ...name, message: `held back: ${blockMessage ?? message ?? 'nothing more is known'}${until}` };
}

const createdNote = ({ spec }: RemediationRequest): EventNote =>
  normal('RemediationCreated', `${spec.signalName} (${spec.severity}) on ${targetText(spec.targetResource)}: remediation begins`);

function arrivalNote(step: Step): EventNote {
  switch (step.after.overallPhase) {
    case 'Completed':
      return completedNote(step);
    case 'Failed':
      return failedNote(step);
    case 'TimedOut':
      return warning('RemediationTimeout', `out of time in ${step.after.timeoutPhase ?? step.before.overallPhase}: ${said(step)}`);
    case 'AwaitingApproval':
      return approvalNote(step);
    default:
      return normal('PhaseTransition', `${step.before.overallPhase} → ${step.after.overallPhase}: ${said(step)}`);
  }
}

/** Where something is left to do, it is a warning. */
const UNSETTLED: readonly (Outcome | undefined)[] = ['ManualReviewRequired', 'VerificationTimedOut', 'Inconclusive'];

function completedNote(step: Step): EventNote {
  const { before, after } = step;
  if (after.outcome === 'DryRun') return normal('DryRunCompleted', said(step));
  const message = `${after.outcome ?? 'Completed'}: ${said(step)}`;
  if (isDuplicate(before) && after.outcome !== 'NoActionRequired')
    return normal('InheritedCompleted', `as ${before.duplicateOf ?? 'its original'} came out: ${message}`);
  return (UNSETTLED.includes(after.outcome) ? warning : normal)('RemediationCompleted', message);
}

function failedNote(step: Step): EventNote {
  const { failurePhase } = step.after;
  if (failurePhase === 'Deduplicated')
    return warning('InheritedFailed', `as ${step.before.duplicateOf ?? 'its original'} came out: ${said(step)}`);
  return warning('RemediationFailed', `${failurePhase === undefined ? '' : `${failurePhase}: `}${said(step)}`);
}

const isDuplicate = ({ overallPhase, blockReason }: Status): boolean => overallPhase === 'Blocked' && blockReason === 'DuplicateInProgress';

function approvalNote(step: Step): EventNote {
  const { approvalRequestRef } = step.after;
  const what = approvalRequestRef?.name === undefined ? '' : `; decide on RemediationApprovalRequest ${approvalRequestRef.name}`;
  return normal('ApprovalRequired', `${said(step)}${what}`);
}

function childNotes(before: RemediationRequest | undefined, after: RemediationRequest): readonly EventNote[] {
  return newReferences(before, after).flatMap(({ kind, name }) => {
    if (kind === 'NotificationRequest') return [normal('NotificationCreated', `people are told by NotificationRequest ${name}`)];
    if (kind === 'EffectivenessAssessment')
      return [normal('EffectivenessAssessmentCreated', `EffectivenessAssessment ${name} judges whether it helped`)];
    return [];
  });
}

function hashNote({ before, after }: Step): EventNote | undefined {
  const [was, is] = [before, after].map(({ conditions }) => getCondition(conditions, 'PreRemediationHashCaptured'));
  if (is?.status !== 'False' || was?.status === 'False') return undefined;
  return warning('HashCaptureDegraded', `the state of the target before the run is not on record, so drift cannot be told: ${is.message}`);
}

function reviewNote(step: Step): EventNote | undefined {
  if (step.after.requiresManualReview !== true || step.before.requiresManualReview === true) return undefined;
  return warning('EscalatedToManualReview', `a person has to look at it: ${said(step)}`);
}

const said = ({ after }: Step): string => after.message ?? 'nothing more is known';

const normal = (reason: string, message: string): EventNote => ({ type: 'Normal', reason, message });
const warning = (reason: string, message: string): EventNote => ({ type: 'Warning', reason, message });
