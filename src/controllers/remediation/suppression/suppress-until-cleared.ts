import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { SkipReason } from '../../../api/parts/skip-reasons.ts';
import { after, instant, parseTime, toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import type { RoutingSettings } from '../../settings.ts';
import type { RemediationSeen } from '../observe.ts';
import type { TargetBlock } from './read-target-block.ts';
import { failureBackoff } from '../routing/failure-backoff.ts';
import type { RemediationStatus } from '../status.ts';

/** The skip reasons of a target that is blocked until an operator clears it, and not merely busy. */
export const TARGET_BLOCKED_REASONS: readonly (SkipReason | undefined)[] = ['ExhaustedRetries', 'PreviousExecutionFailed'];

/**
 * Whether the request ended so that its signal is suppressed until an operator clears a block on its target: it was skipped for such a
 * block, or its own run caused one. Whether the suppression still lasts is `isSuppressedByBlock`.
 */
export function mayBeSuppressedByBlock({ status }: RemediationRequest): boolean {
  if (status?.completedAt === undefined || status.nextAllowedExecution === undefined || status.requiresManualReview !== true) return false;
  return wasSkipped(status) || ranItself(status);
}

const wasSkipped = ({ overallPhase, skipReason }: RemediationStatus): boolean =>
  overallPhase === 'Skipped' && TARGET_BLOCKED_REASONS.includes(skipReason);

/** Its own run may have left the target in an unknown state. */
const ranItself = ({ overallPhase, failurePhase, timeoutPhase }: RemediationStatus): boolean =>
  (overallPhase === 'Failed' && failurePhase === 'WorkflowExecution') || (overallPhase === 'TimedOut' && timeoutPhase === 'Executing');

/** Whether its signal is suppressed longer than its failures alone require. */
export function isSuppressedByBlock(request: RemediationRequest, now: Instant, routing: RoutingSettings): boolean {
  const until = parseTime(request.status?.nextAllowedExecution);
  return until !== undefined && mayBeSuppressedByBlock(request) && until > now && until > (backoffOf(request, routing) ?? 0);
}

/** Until when its failures in a row suppress its signal, even if the block is cleared; undefined where it was only skipped. */
function backoffOf({ status }: RemediationRequest, routing: RoutingSettings): Instant | undefined {
  const ended = parseTime(status?.completedAt);
  if (ended === undefined || status?.overallPhase === 'Skipped') return undefined;
  return after(ended, failureBackoff(status?.consecutiveFailureCount ?? 1, routing));
}

/** Whether the block is cleared. For a run of its own a recorded clearance is required: a deleted execution is none. */
export const isBlockCleared = ({ status }: RemediationRequest, { block, isOwnCleared }: TargetBlock): boolean =>
  block === undefined && (wasSkipped(status ?? {}) || isOwnCleared);

/**
 * Lifts the suppression of an ended request as soon as the block on its target is cleared. What cannot be
 * read may be a block; the suppression then ends by time.
 */
export function liftSuppressionOnceCleared({ object, block, settings }: RemediationSeen, decision: Decision, now: Instant): Decision {
  if (decision.status === undefined || !isSuppressedByBlock(object, now, settings.routing)) return decision;
  if (block?.kind === 'value' && isBlockCleared(object, block.value))
    return { ...decision, status: lifted(decision.status as RemediationStatus, backoffOf(object, settings.routing)) };
  return { ...decision, wakeAt: instant(Math.min(decision.wakeAt ?? Infinity, after(now, RECHECK_INTERVAL_MS))) };
}

/** The status with the suppression lifted; `requiresManualReview` stays. */
function lifted(held: RemediationStatus, until: Instant | undefined): RemediationStatus {
  const { nextAllowedExecution: _, ...status } = held;
  return {
    ...status,
    message: `${status.message ?? ''}; since then the block on its target was cleared, and its signal may open a new request`,
    ...(until !== undefined && { nextAllowedExecution: toTime(until) }),
  };
}
