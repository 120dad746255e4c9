import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { after, HOUR, instant, toTime, type Instant } from '../../../base/index.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import { closeApproval } from '../../approval/index.ts';
import { childOf } from '../children/read-child.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import type { RoutingSettings } from '../../settings.ts';
import { blockedSeconds } from '../routing/block-request.ts';
import type { RemediationSeen } from '../observe.ts';
import { recordFailure, consecutiveFailures, failureMarkOf } from '../routing/failure-history.ts';
import { generationOf, ready, type RemediationStatus } from '../status.ts';
import { recordJudged } from '../suppression/limited-suppression.ts';

/** How a remediation ends: its terminal phase, message and status fields. */
export interface RequestEnding {
  readonly phase: 'Completed' | 'Failed' | 'TimedOut' | 'Skipped' | 'Cancelled';
  /** For people: what happened, to what, and what to do. */
  readonly message: string;
  /** How long new requests of the signal are suppressed at least, independent of its failures in a row. */
  readonly holdOffMs?: number;
  readonly status: Partial<RemediationStatus>;
}

/** Where a request failed: the values of `failurePhase`. */
export type FailurePhase =
  'Configuration' | 'SignalProcessing' | 'AIAnalysis' | 'Approval' | 'WorkflowExecution' | 'Blocked' | 'Deduplicated';

/** A failure in a phase. */
export const failedAt = (stage: FailurePhase, reason: string, status: Partial<RemediationStatus> = {}): RequestEnding => ({
  phase: 'Failed',
  message: reason,
  status: { failurePhase: stage, failureReason: reason, ...status },
});

/**
 * The end of a request that needs a manual review and changed nothing. New requests are suppressed: the same signal would only lead here
 * again.
 */
export const manualReviewRequired = (message: string, { noActionRequiredDelayMs }: RoutingSettings): RequestEnding => ({
  phase: 'Completed',
  message,
  holdOffMs: noActionRequiredDelayMs,
  status: { outcome: 'ManualReviewRequired', requiresManualReview: true },
});

/** How long new requests are suppressed where a run may have left the target in an unknown state. */
const UNTIL_REVIEWED_MS = 24 * HOUR;

/** Suppresses new requests until a person has reviewed the target. */
export const untilReviewed = (ending: RequestEnding): RequestEnding => ({
  ...ending,
  holdOffMs: UNTIL_REVIEWED_MS,
  status: { ...ending.status, requiresManualReview: true },
});

/** Ends the request. The next pass, which finds it ended, sends the notifications. */
export function endRequest(seen: RemediationSeen, ending: RequestEnding, now: Instant): Decision {
  const { settings } = seen;
  const { phase, message } = ending;
  const request = { ...seen.object, status: { ...seen.object.status, ...ending.status } };
  const reason = ending.status.outcome ?? phase;
  const status: RemediationStatus = {
    ...request.status,
    overallPhase: phase,
    message,
    completedAt: toTime(now),
    notificationStatus: 'Pending',
    ...generationOf(request),
    ...blockedSeconds(seen.object, now),
    ...failureCount(seen, ending, now),
    ...(settings.retentionMs > 0 && { retentionExpiryTime: toTime(after(now, settings.retentionMs)) }),
    conditions: ready(request, { status: phase === 'Completed' ? 'True' : 'False', reason, message }, now),
  };
  const object = { ...seen.object, status: { ...status, ...recordJudged({ ...seen.object, status }) } };
  return { status: object.status, effects: closingEffects({ ...seen, object }, now), wakeAt: after(now, RECHECK_INTERVAL_MS) };
}

/** Closes the approval request of a request that has ended: a decision about it would change nothing. */
export function closingEffects({ object, approval, account }: RemediationSeen, now: Instant): readonly Effect[] {
  const child = childOf(approval, { owner: object });
  if (child.kind !== 'ours') return [];
  const { outcome, overallPhase = 'Completed', message = '' } = object.status ?? {};
  return closeApproval(child.object, { why: `${object.metadata.name} is ${outcome ?? overallPhase}: ${message}`, account }, now);
}

/** How many failures in a row this makes for the fingerprint, and until when they suppress the next request. */
function failureCount({ object, siblings, settings }: RemediationSeen, ending: RequestEnding, now: Instant): Partial<RemediationStatus> {
  const others = othersOf(object, siblings);
  const mark = failureMarkOf({
    ...object,
    status: { ...object.status, ...ending.status, overallPhase: ending.phase, completedAt: toTime(now) },
  });
  const heldUntil = [ending.holdOffMs ? after(now, ending.holdOffMs) : undefined];
  let count = mark === 'reset' ? 0 : consecutiveFailures(others, now);
  if (mark === 'failure') {
    const booking = recordFailure(others, now, settings.routing);
    count = booking.consecutiveFailureCount;
    heldUntil.push(booking.nextAllowedExecution);
  }
  const latest = Math.max(...heldUntil.map((until) => until ?? 0));
  return {
    consecutiveFailureCount: count,
    ...(latest > 0 && { nextAllowedExecution: toTime(instant(latest)) }),
  };
}

const othersOf = ({ metadata }: RemediationRequest, siblings: RemediationSeen['siblings']): readonly RemediationRequest[] =>
  siblings.kind === 'value' ? siblings.value.filter((other) => other.metadata.uid !== metadata.uid) : [];
