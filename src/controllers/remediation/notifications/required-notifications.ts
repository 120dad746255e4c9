import { hasEnded } from '../end/has-ended.ts';
import { TARGET_BLOCKED_REASONS } from '../suppression/suppress-until-cleared.ts';
import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason, Outcome } from '../../../api/remediation-request/status.ts';
import { childNames } from '../../child-names.ts';
import type { Settings } from '../../settings.ts';
import { isTargetGone } from '../verification/target-gone.ts';
import { deadlineIn } from '../timeouts.ts';
import { isWorthANotification, reportedWait } from '../run-waits.ts';
import { priorityOfRequest } from '../urgency.ts';

type Spec = NotificationRequest['spec'];

/** A notification that a request requires: its type and priority. Its name is stable, so that it is created once. */
export interface RequiredNotification {
  readonly name: string;
  readonly about: 'approval' | 'block' | 'wait' | 'end' | 'duplicates';
  readonly type: Spec['type'];
  readonly priority: Spec['priority'];
  readonly reviewSource?: NonNullable<Spec['reviewSource']>;
  /** The name of the notification that this one repeats, because its matter has become more urgent since that was sent. */
  readonly raises?: string;
}

type Names = ReturnType<typeof childNames>;
type Kind = Omit<RequiredNotification, 'name' | 'about'>;

const COMPLETION: Kind = { type: 'Completion', priority: 'Low' };
const STATUS: Kind = { type: 'StatusUpdate', priority: 'Low' };
const ESCALATION: Kind = { type: 'Escalation', priority: 'High' };
const review = (reviewSource: NonNullable<Spec['reviewSource']>, priority: Spec['priority']): Kind => ({
  type: 'ManualReview',
  priority,
  reviewSource,
});

/** Every notification that the request requires in its current state. */
export function requiredNotifications(
  request: RemediationRequest,
  analysis: AIAnalysis | undefined,
  settings: Settings,
): readonly RequiredNotification[] {
  const { status, metadata } = request;
  const names = childNames(metadata.name);
  switch (status?.overallPhase) {
    case 'AwaitingApproval':
      return approvalNotices(names, request, analysis);
    case 'Executing':
      return waitNotice(request, names);
    case 'Blocked':
      // The failure that reached the threshold has ended.
      return [...(hasEnded(request) ? endNotices(request, names, { analysis, settings }) : []), ...blockNotice(request, names)];
    default:
      return isTerminal(remediationPhases, status?.overallPhase) ? endNotices(request, names, { analysis, settings }) : [];
  }
}

/** The priority of an approval notification follows the priority of the signal. */
const BY_PRIORITY: Readonly<Record<string, Spec['priority']>> = { P0: 'Critical', P1: 'High', P2: 'Medium' };

function approvalNotices(names: Names, request: RemediationRequest, analysis: AIAnalysis | undefined): readonly RequiredNotification[] {
  const attempt = request.status?.analysisAttempt;
  const priority = BY_PRIORITY[priorityOfRequest(request, analysis)] ?? 'Low';
  const name = names.approvalNotice(attempt);
  const notice = { about: 'approval', type: 'Approval', priority } as const;
  const asAnalysed = BY_PRIORITY[analysis?.spec.analysisRequest.signalContext.businessPriority ?? ''] ?? 'Low';
  if (priority === asAnalysed) return [{ ...notice, name }];
  return [
    { ...notice, name },
    { ...notice, name: names.raisedNotice(attempt, priority), raises: name },
  ];
}

/** The notification of each block; a block by an ineffective chain requires a manual review. */
const BY_BLOCK: Readonly<Record<BlockReason, Kind>> = {
  ConsecutiveFailures: ESCALATION,
  UnmanagedResource: ESCALATION,
  IneffectiveChain: review('RoutingEngine', 'High'),
  DuplicateInProgress: STATUS,
  ResourceBusy: STATUS,
  RecentlyRemediated: STATUS,
  ExponentialBackoff: STATUS,
  ChangeFreeze: STATUS,
};

/** A run that has not started for a while. */
function waitNotice({ status }: RemediationRequest, names: Names): readonly RequiredNotification[] {
  const wait = reportedWait(status?.conditions);
  return wait && isWorthANotification(wait) ? [{ ...STATUS, about: 'wait', name: names.waitNotice }] : [];
}

function blockNotice({ status }: RemediationRequest, names: Names): readonly RequiredNotification[] {
  const reason = status?.blockReason;
  if (!reason) return [];
  const kind = BY_BLOCK[reason];
  return [{ ...kind, about: 'block', name: kind.type === 'ManualReview' ? names.manualReview : names.blockNotice(reason) }];
}

function endNotices(
  request: RemediationRequest,
  names: Names,
  { analysis, settings }: { readonly analysis: AIAnalysis | undefined; readonly settings: Settings },
): readonly RequiredNotification[] {
  const [name, kind] = endNotice(request, names, { analysis, settings });
  const end: RequiredNotification = { ...kind, name, about: 'end' };
  const waited = request.status?.duplicateCount ?? 0;
  return waited > 0 ? [end, { type: 'Simple', priority: 'Low', name: names.bulk, about: 'duplicates' }] : [end];
}

/** Every end is notified once. */
function endNotice(
  request: RemediationRequest,
  names: Names,
  { analysis, settings }: { readonly analysis: AIAnalysis | undefined; readonly settings: Settings },
): readonly [string, Kind] {
  const { status } = request;
  switch (status?.overallPhase) {
    case 'Completed':
      // There is nothing left that a person could check.
      if (isTargetGone(status.conditions)) return [names.completion, STATUS];
      return completionNotice(status.outcome ?? 'Remediated', names, analysis);
    case 'TimedOut':
      return [timeoutName(request, names, settings), ESCALATION];
    case 'Skipped':
      return TARGET_BLOCKED_REASONS.includes(status.skipReason)
        ? [names.manualReview, review('WorkflowExecution', 'High')]
        : [names.completion, STATUS];
    case 'Cancelled':
      return [names.completion, STATUS];
    default:
      return failureNotice(request, names, analysis);
  }
}

function completionNotice(outcome: Outcome, names: Names, analysis: AIAnalysis | undefined): readonly [string, Kind] {
  const table: Readonly<Record<Outcome, readonly [string, Kind]>> = {
    Remediated: [names.completion, COMPLETION],
    DryRun: [names.completion, COMPLETION],
    NoActionRequired: [names.selfResolved, STATUS],
    ManualReviewRequired: [names.manualReview, review('AIAnalysis', reviewPriority(analysis))],
    // A change that may not have helped is more urgent than a plan that was never executed.
    Inconclusive: [names.manualReview, review('WorkflowExecution', 'High')],
    VerificationTimedOut: [names.escalation, ESCALATION],
  };
  return table[outcome];
}

/** The blocks that time ends. */
const BY_TIME: readonly (BlockReason | undefined)[] = ['ConsecutiveFailures', 'RecentlyRemediated', 'ExponentialBackoff'];

/** Whether it failed only because the time of its block ended: nothing went wrong, and the signal may go on. */
const isWaitOver = ({ failurePhase, blockReason, blockedUntil }: NonNullable<RemediationRequest['status']>): boolean =>
  failurePhase === 'Blocked' && blockedUntil !== undefined && BY_TIME.includes(blockReason);

function failureNotice({ status }: RemediationRequest, names: Names, analysis: AIAnalysis | undefined): readonly [string, Kind] {
  if (status && isWaitOver(status)) return [names.completion, STATUS];
  if (status?.failurePhase === 'AIAnalysis') return [names.manualReview, review('AIAnalysis', reviewPriority(analysis))];
  // Where it is not certain that nothing was changed, it is unknown how far the run got. Otherwise it is tried again after its back-off.
  if (status?.failurePhase === 'WorkflowExecution' && status.requiresManualReview !== false)
    return [names.manualReview, review('WorkflowExecution', 'Critical')];
  return [names.escalation, ESCALATION];
}

const timeoutName = (request: RemediationRequest, names: Names, settings: Settings): string => {
  const phase = request.status?.timeoutPhase;
  const isTimed = phase === 'Processing' || phase === 'Analyzing' || phase === 'AwaitingApproval' || phase === 'Executing';
  return isTimed && deadlineIn(phase, request, settings).scope === 'phase' ? names.phaseTimeout(phase) : names.timeout;
};

/** Reasons that point to a fault in Sickbay or its catalogue: more urgent than a diagnosis that was merely unclear. */
const URGENT: readonly (string | undefined)[] = [
  'WorkflowNotFound',
  'ImageMismatch',
  'ParameterValidationFailed',
  'LLMParsingError',
  'DecisionExpired',
  'MaxRetriesExceeded',
  'TransientError',
  'PermanentError',
];

function reviewPriority(analysis: AIAnalysis | undefined): Spec['priority'] {
  const { humanReviewReason, subReason } = analysis?.status ?? {};
  if (humanReviewReason === 'alignment_check_failed') return 'Critical';
  return URGENT.includes(subReason) ? 'High' : 'Medium';
}
