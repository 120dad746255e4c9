import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { after, HOUR, instant, toTime, type Instant } from '../../../base/index.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import type { Decision, Listed } from '../../../runtime/reconcile/controller.ts';
import type { RoutingSettings } from '../../settings.ts';
import { blockedSeconds } from '../routing/block-request.ts';
import type { RemediationSeen } from '../observe.ts';
import { bookFailure, consecutiveFailures, markOf } from '../routing/failure-history.ts';
import { generationOf, ready, type RemediationStatus } from '../status.ts';

/** How a remediation ends, in the phases where nothing more is done. */
export interface Ending {
  readonly phase: 'Completed' | 'Failed' | 'TimedOut' | 'Skipped' | 'Cancelled';
  /** For people: what happened, to what, and what to do. */
  readonly message: string;
  /** How long the signal is left alone at least, whatever its failures in a row demand. */
  readonly holdOffMs?: number;
  readonly status: Partial<RemediationStatus>;
}

/** Where a request failed, as `failurePhase` says it. */
export type Stage = 'Configuration' | 'SignalProcessing' | 'AIAnalysis' | 'Approval' | 'WorkflowExecution' | 'Blocked' | 'Deduplicated';

/** A failure at a stage. */
export const failed = (stage: Stage, reason: string, status: Partial<RemediationStatus> = {}): Ending => ({
  phase: 'Failed',
  message: reason,
  status: { failurePhase: stage, failureReason: reason, ...status },
});

/** A person has to look, and nothing was done: the same signal would only lead here again. */
export const handedOver = (message: string, { noActionRequiredDelayMs }: RoutingSettings): Ending => ({
  phase: 'Completed',
  message,
  holdOffMs: noActionRequiredDelayMs,
  status: { outcome: 'ManualReviewRequired', requiresManualReview: true },
});

/** How long nothing is tried again where something was done to the target and nobody knows how it is now. */
const UNTIL_REVIEWED_MS = 24 * HOUR;

/** Nothing is tried again before a person has looked. */
export const untilReviewed = (ending: Ending): Ending => ({
  ...ending,
  holdOffMs: UNTIL_REVIEWED_MS,
  status: { ...ending.status, requiresManualReview: true },
});

/** Ends it. People are told on the next pass, which finds it ended. */
export function end(seen: RemediationSeen, ending: Ending, now: Instant): Decision {
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
    ...trackRecord(seen, ending, now),
    ...(settings.retentionMs > 0 && { retentionExpiryTime: toTime(after(now, settings.retentionMs)) }),
    conditions: ready(request, { status: phase === 'Completed' ? 'True' : 'False', reason, message }, now),
  };
  return { status, effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
}

/** How many failures in a row this makes for the fingerprint, and until when they hold back the next request. */
function trackRecord({ object, siblings, settings }: RemediationSeen, ending: Ending, now: Instant): Partial<RemediationStatus> {
  const others = othersOf(object, siblings);
  const mark = markOf({ ...object, status: { ...object.status, ...ending.status, overallPhase: ending.phase, completedAt: toTime(now) } });
  const heldUntil = [ending.holdOffMs ? after(now, ending.holdOffMs) : undefined];
  let count = mark === 'reset' ? 0 : consecutiveFailures(others, now);
  if (mark === 'failure') {
    const booking = bookFailure(others, now, settings.routing);
    count = booking.consecutiveFailureCount;
    heldUntil.push(booking.nextAllowedExecution);
  }
  const latest = Math.max(...heldUntil.map((until) => until ?? 0));
  return {
    consecutiveFailureCount: count,
    ...(latest > 0 && { nextAllowedExecution: toTime(instant(latest)) }),
  };
}

const othersOf = ({ metadata }: RemediationRequest, siblings: Listed<RemediationRequest>): readonly RemediationRequest[] =>
  siblings.kind === 'value' ? siblings.value.filter((other) => other.metadata.uid !== metadata.uid) : [];
