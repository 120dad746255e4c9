import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason, Outcome, SkipReason } from '../../../api/remediation-request/status.ts';
import { childNames } from '../../child-names.ts';
import type { Settings } from '../../settings.ts';
import { deadlineIn } from '../timeouts.ts';

type Spec = NotificationRequest['spec'];

/** A message to people about a request: what kind, and how urgent. Its name makes it one, however often it is written. */
export interface Notice {
  readonly name: string;
  readonly about: 'approval' | 'block' | 'end' | 'duplicates';
  readonly type: Spec['type'];
  readonly priority: Spec['priority'];
  readonly reviewSource?: NonNullable<Spec['reviewSource']>;
}

type Names = ReturnType<typeof childNames>;
type Kind = Omit<Notice, 'name' | 'about'>;

const COMPLETION: Kind = { type: 'Completion', priority: 'Low' };
const STATUS: Kind = { type: 'StatusUpdate', priority: 'Low' };
const ESCALATION: Kind = { type: 'Escalation', priority: 'High' };
const review = (reviewSource: NonNullable<Spec['reviewSource']>, priority: Spec['priority']): Kind => ({
  type: 'ManualReview',
  priority,
  reviewSource,
});

/** Every message that the request calls for as it stands. */
export function noticesOf(request: RemediationRequest, analysis: AIAnalysis | undefined, settings: Settings): readonly Notice[] {
  const { status, metadata } = request;
  const names = childNames(metadata.name);
  switch (status?.overallPhase) {
    case 'AwaitingApproval':
      return [approvalNotice(names, status.analysisAttempt, analysis)];
    case 'Blocked':
      // A failure that holds its signal back has come to its end.
      return [
        ...(status.completedAt === undefined ? [] : endNotices(request, names, { analysis, settings })),
        ...blockNotice(request, names),
      ];
    case 'Completed':
    case 'Failed':
    case 'TimedOut':
    case 'Skipped':
    case 'Cancelled':
      return endNotices(request, names, { analysis, settings });
    default:
      return [];
  }
}

/** How urgent the question is goes by how urgent the signal is. */
const BY_PRIORITY: Readonly<Record<string, Spec['priority']>> = { P0: 'Critical', P1: 'High', P2: 'Medium' };

const approvalNotice = (names: Names, attempt: number | undefined, analysis: AIAnalysis | undefined): Notice => ({
  name: names.approvalNotice(attempt),
  about: 'approval',
  type: 'Approval',
  priority: BY_PRIORITY[analysis?.spec.analysisRequest.signalContext.businessPriority ?? ''] ?? 'Low',
});

/** How people hear of a block; the one by an ineffective chain asks them to look. */
const BY_BLOCK: Readonly<Record<BlockReason, Kind>> = {
  ConsecutiveFailures: ESCALATION,
  UnmanagedResource: ESCALATION,
  IneffectiveChain: review('RoutingEngine', 'High'),
  DuplicateInProgress: STATUS,
  ResourceBusy: STATUS,
  RecentlyRemediated: STATUS,
  ExponentialBackoff: STATUS,
};

function blockNotice({ status }: RemediationRequest, names: Names): readonly Notice[] {
  const reason = status?.blockReason;
  if (!reason) return [];
  const kind = BY_BLOCK[reason];
  return [{ ...kind, about: 'block', name: kind.type === 'ManualReview' ? names.manualReview : names.blockNotice(reason) }];
}

function endNotices(
  request: RemediationRequest,
  names: Names,
  { analysis, settings }: { readonly analysis: AIAnalysis | undefined; readonly settings: Settings },
): readonly Notice[] {
  const [name, kind] = endNotice(request, names, { analysis, settings });
  const end: Notice = { ...kind, name, about: 'end' };
  const waited = request.status?.duplicateCount ?? 0;
  return waited > 0 ? [end, { type: 'Simple', priority: 'Low', name: names.bulk, about: 'duplicates' }] : [end];
}

/** Every end is told to people, once. */
function endNotice(
  request: RemediationRequest,
  names: Names,
  { analysis, settings }: { readonly analysis: AIAnalysis | undefined; readonly settings: Settings },
): readonly [string, Kind] {
  const { status } = request;
  switch (status?.overallPhase) {
    case 'Completed':
      return completionNotice(status.outcome ?? 'Remediated', names, analysis);
    case 'TimedOut':
      return [timeoutName(request, names, settings), ESCALATION];
    case 'Skipped':
      return isBlockedTarget(status.skipReason) ? [names.manualReview, review('WorkflowExecution', 'High')] : [names.completion, STATUS];
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
    // Something was changed and it may not have helped: more urgent than a plan that was never carried out.
    Inconclusive: [names.manualReview, review('WorkflowExecution', 'High')],
    VerificationTimedOut: [names.escalation, ESCALATION],
  };
  return table[outcome];
}

function failureNotice({ status }: RemediationRequest, names: Names, analysis: AIAnalysis | undefined): readonly [string, Kind] {
  if (status?.failurePhase === 'AIAnalysis') return [names.manualReview, review('AIAnalysis', reviewPriority(analysis))];
  // It may have changed the target, and nobody knows how far it got.
  if (status?.failurePhase === 'WorkflowExecution') return [names.manualReview, review('WorkflowExecution', 'Critical')];
  return [names.escalation, ESCALATION];
}

const isBlockedTarget = (reason: SkipReason | undefined): boolean => reason === 'ExhaustedRetries' || reason === 'PreviousExecutionFailed';

const timeoutName = (request: RemediationRequest, names: Names, settings: Settings): string => {
  const phase = request.status?.timeoutPhase;
  const isTimed = phase === 'Processing' || phase === 'Analyzing' || phase === 'AwaitingApproval' || phase === 'Executing';
  return isTimed && deadlineIn(phase, request, settings).scope === 'phase' ? names.phaseTimeout(phase) : names.timeout;
};

/** What points to a fault in Sickbay or its catalogue is more urgent than a case that was merely unclear. */
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
