import { hasEnded } from '../end/has-ended.ts';
import { isActive } from '../../../api/remediation-request/is-active.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason } from '../../../api/remediation-request/status.ts';
import { after, formatDuration, instant, MINUTE, parseTime, type Instant } from '../../../base/index.ts';
import { suppressesOnlyJudged } from '../../../api/remediation-request/suppression.ts';
import { exponentialBackoffCheck } from './checks/exponential-backoff.ts';
import { RECHECK_ORIGINAL_MS } from './checks/duplicate-in-progress.ts';
import { whenWindowLets } from './when-window-lets.ts';
import { unmanagedResourceCheck } from './checks/unmanaged-resource.ts';
import type { RoutingEvidence } from './evidence.ts';
import { isExecutionActive } from './execution-state.ts';

type RemediationStatus = NonNullable<RemediationRequest['status']>;

/** Whether a block ends, and what follows. */
export type Reevaluation = Stay | Leave;

/** The block stays; `why` names what could not be read, if that is the reason. */
interface Stay {
  readonly kind: 'stay';
  readonly lookAgainAt: Instant;
  readonly why?: string;
  /** Its end is planned, so that the longest time in Blocked does not apply. */
  readonly hasEnd?: true;
  /** What has changed about the block. */
  readonly status?: Partial<RemediationStatus>;
}

/** The block ends. `status` is what its end adds; the caller sets what the new phase starts with. */
interface Leave {
  readonly kind: 'leave';
  readonly to: 'Pending' | 'Analyzing' | 'Failed' | 'Completed';
  readonly why: string;
  readonly status: Partial<RemediationStatus>;
}

type Judge = (evidence: RoutingEvidence, now: Instant) => Reevaluation;

/** What ends a block: time ends three of them, an event three, a calendar or a person one, and the first signal after its interval ends an ineffective chain. */
const ENDS: Readonly<Record<BlockReason, Judge>> = {
  ConsecutiveFailures: atBlockedUntil,
  RecentlyRemediated: atBlockedUntil,
  ExponentialBackoff: atEndOfSuppression,
  UnmanagedResource: whenInScope,
  DuplicateInProgress: whenOriginalEnds,
  ResourceBusy: whenExecutionEnds,
  IneffectiveChain: onLateSignal,
  ChangeFreeze: whenWindowLets,
};

/** Evaluates the block of a request again. Every block ends after `maxBlockedMs` at the latest, but for one whose end is planned. */
export function reevaluateBlock(evidence: RoutingEvidence, now: Instant): Reevaluation {
  const { request, routing } = evidence;
  const { blockReason } = request.status ?? {};
  const last = after(since(request), routing.maxBlockedMs);
  const found: Reevaluation = blockReason ? ENDS[blockReason](evidence, now) : { kind: 'stay', lookAgainAt: last };
  if (found.kind === 'leave' || found.hasEnd) return found;
  if (now >= last) return failedByBlock(request, `nothing lifted its block within ${formatDuration(routing.maxBlockedMs)}`);
  return { ...found, lookAgainAt: instant(Math.min(found.lookAgainAt, last)) };
}

/** Before `blockedUntil` the block stays, even if its cause is gone. Without `blockedUntil` it lasts for `maxBlockedMs`. */
function atBlockedUntil({ request, routing }: RoutingEvidence, now: Instant): Reevaluation {
  const until = parseTime(request.status?.blockedUntil) ?? after(since(request), routing.maxBlockedMs);
  if (now < until) return { kind: 'stay', lookAgainAt: until };
  return hasEnded(request)
    ? { kind: 'leave', to: 'Failed', why: 'the cooldown after its failure has ended: its signal may open a new request', status: {} }
    : failedByBlock(request, 'its block has ended: the next signal opens a new request');
}

/**
 * A backoff after failures ends at `blockedUntil`. Where an earlier request suppresses only the signals that it judged, the block ends as soon
 * as that no longer applies: another alert joined, the target was changed, or a person lifted the suppression.
 */
function atEndOfSuppression(evidence: RoutingEvidence, now: Instant): Reevaluation {
  const found = atBlockedUntil(evidence, now);
  const { others } = evidence;
  if (found.kind === 'leave' || others.kind === 'unreadable' || !others.value.some(hasJudged)) return found;
  if (exponentialBackoffCheck(evidence, now).kind === 'pass')
    return { kind: 'leave', to: 'Pending', why: 'its signals are not suppressed any more', status: {} };
  return { ...found, lookAgainAt: instant(Math.min(found.lookAgainAt, after(now, RECHECK_JUDGED_MS))) };
}

/** How soon a request checks again whether what suppresses it still applies. */
const RECHECK_JUDGED_MS = 2 * MINUTE;

const hasJudged = (other: RemediationRequest): boolean => suppressesOnlyJudged(other) && other.status?.suppression !== undefined;

function whenInScope(evidence: RoutingEvidence, now: Instant): Reevaluation {
  const verdict = unmanagedResourceCheck(evidence, now);
  if (verdict.kind === 'pass') return { kind: 'leave', to: 'Pending', why: 'its target is managed now', status: {} };
  return verdict.kind === 'block' ? { kind: 'stay', lookAgainAt: verdict.lookAgainAt } : unread(evidence, verdict.reason, now);
}

/** A deleted original has no result to inherit: its duplicate starts again, whatever the setting. */
function whenOriginalEnds(evidence: RoutingEvidence, now: Instant): Reevaluation {
  const { request, others, routing } = evidence;
  if (others.kind === 'unreadable') return unread(evidence, others.reason, now);
  const name = request.status?.duplicateOf ?? '';
  const original = others.value.find(({ metadata }) => metadata.name === name);
  if (original && isActive(original, now, routing.ineffectiveTimeWindowMs))
    return { kind: 'stay', lookAgainAt: after(now, RECHECK_ORIGINAL_MS) };
  if (original && routing.onDuplicateResolved === 'Inherit') return inherit(original);
  return { kind: 'leave', to: 'Pending', why: `RemediationRequest ${name} ${original ? 'has ended' : 'no longer exists'}`, status: {} };
}

/** Inherits the result of the original. The original counts by itself, so that no failure is counted twice. */
function inherit({ metadata, status }: RemediationRequest): Leave {
  if (status?.overallPhase === 'Completed')
    return {
      kind: 'leave',
      to: 'Completed',
      why: `RemediationRequest ${metadata.name}, which it waited for, is Completed`,
      status: {
        ...(status.outcome !== undefined && { outcome: status.outcome }),
        ...(status.requiresManualReview !== undefined && { requiresManualReview: status.requiresManualReview }),
      },
    };
  const why = `RemediationRequest ${metadata.name}, which it waited for, is ${status?.overallPhase ?? 'ended'}`;
  return { kind: 'leave', to: 'Failed', why, status: { failurePhase: 'Deduplicated', failureReason: why } };
}

function whenExecutionEnds(evidence: RoutingEvidence, now: Instant): Reevaluation {
  const { request, blockingExecution, routing } = evidence;
  const name = request.status?.blockingWorkflowExecution ?? '';
  if (blockingExecution?.kind === 'unreadable') return unread(evidence, blockingExecution.reason, now);
  if (blockingExecution?.kind === 'value' && isExecutionActive(blockingExecution.value))
    return { kind: 'stay', lookAgainAt: after(now, routing.requeueResourceBusyMs) };
  return { kind: 'leave', to: 'Analyzing', why: `WorkflowExecution ${name} no longer works on its target`, status: {} };
}

/**
 * Time alone does not end this block. The late signal shows as a new request, or, if the gateway joined it to this one, in `lastSeenAt`.
 */
function onLateSignal(evidence: RoutingEvidence, now: Instant): Reevaluation {
  const { request, others, routing } = evidence;
  const over = after(since(request), routing.ineffectiveTimeWindowMs);
  if (now < over) return { kind: 'stay', lookAgainAt: over };
  const seen = parseTime(request.status?.deduplication?.lastSeenAt);
  if (seen !== undefined && seen >= over) return failedByBlock(request, LATE_SIGNAL);
  if (others.kind === 'unreadable') return unread(evidence, others.reason, now);
  const isLate = others.value.some(({ metadata }) => (parseTime(metadata.creationTimestamp) ?? 0) >= over);
  return isLate ? failedByBlock(request, LATE_SIGNAL) : { kind: 'stay', lookAgainAt: after(since(request), routing.maxBlockedMs) };
}

const LATE_SIGNAL = 'its signal was received again long after remediations had stopped helping: find the cause by hand';

/** Failed for its block alone, which does not count as a failure. */
const failedByBlock = ({ status }: RemediationRequest, why: string): Leave => ({
  kind: 'leave',
  to: 'Failed',
  why,
  status: {
    failurePhase: 'Blocked',
    failureReason: `${status?.blockReason ?? 'Blocked'}: ${why}`,
    ...(status?.blockReason === 'IneffectiveChain' && { requiresManualReview: true }),
  },
});

const unread = ({ routing }: RoutingEvidence, why: string, now: Instant): Stay => ({
  kind: 'stay',
  lookAgainAt: after(now, routing.requeueGenericErrorMs),
  why,
});

const since = ({ status, metadata }: RemediationRequest): Instant =>
  parseTime(status?.blockedStartTime) ?? parseTime(metadata.creationTimestamp) ?? instant(0);
