import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { SkipReason } from '../../../api/remediation-request/status.ts';
import { after, instant, parseTime, toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import type { RoutingSettings } from '../../settings.ts';
import type { RemediationSeen } from '../observe.ts';
import type { SeenBlock } from './read-target-block.ts';
import { failureBackoff } from '../routing/failure-backoff.ts';
import type { RemediationStatus } from '../status.ts';

/** The target is blocked until a person clears it, and not merely busy. */
export const BLOCKED: readonly (SkipReason | undefined)[] = ['ExhaustedRetries', 'PreviousExecutionFailed'];

/**
 * Whether the request ended so that its signal waits for a person: it was skipped for a block of its target, or its own run may be one.
 * How long that lasts, and whether it does still, is another question.
 */
export function mayBeHeld({ status }: RemediationRequest): boolean {
  if (status?.completedAt === undefined || status.nextAllowedExecution === undefined || status.requiresManualReview !== true) return false;
  return wasSkipped(status) || ranItself(status);
}

const wasSkipped = ({ overallPhase, skipReason }: RemediationStatus): boolean => overallPhase === 'Skipped' && BLOCKED.includes(skipReason);

/** Of a run of its own nobody knows how it left the target. */
const ranItself = ({ overallPhase, failurePhase, timeoutPhase }: RemediationStatus): boolean =>
  (overallPhase === 'Failed' && failurePhase === 'WorkflowExecution') || (overallPhase === 'TimedOut' && timeoutPhase === 'Executing');

/** Whether its signal is held back longer than its failures alone demand. */
export function isHeld(request: RemediationRequest, now: Instant, routing: RoutingSettings): boolean {
  const until = parseTime(request.status?.nextAllowedExecution);
  return until !== undefined && mayBeHeld(request) && until > now && until > (backoffOf(request, routing) ?? 0);
}

/** Until when its failures in a row hold its signal back, whoever clears what; nothing where it was only skipped. */
function backoffOf({ status }: RemediationRequest, routing: RoutingSettings): Instant | undefined {
  const ended = parseTime(status?.completedAt);
  if (ended === undefined || status?.overallPhase === 'Skipped') return undefined;
  return after(ended, failureBackoff(status?.consecutiveFailureCount ?? 1, routing));
}

/** Whether the block is cleared. That its own run left nothing behind must stand there signed: an execution that is gone says nothing. */
export const isCleared = ({ status }: RemediationRequest, { block, isOwnCleared }: SeenBlock): boolean =>
  block === undefined && (wasSkipped(status ?? {}) || isOwnCleared);

/**
 * Lifts the hold of a request that is over as soon as the block of its target is cleared, whatever else is to be done about it. What cannot be
 * read may be a block, and its hold ends by itself.
 */
export function withoutHold({ object, block, settings }: RemediationSeen, decision: Decision, now: Instant): Decision {
  if (decision.status === undefined || !isHeld(object, now, settings.routing)) return decision;
  if (block?.kind === 'value' && isCleared(object, block.value))
    return { ...decision, status: lifted(decision.status as RemediationStatus, backoffOf(object, settings.routing)) };
  return { ...decision, wakeAt: instant(Math.min(decision.wakeAt ?? Infinity, after(now, RECHECK_INTERVAL_MS))) };
}

/** That a person was needed stays on record. */
function lifted(held: RemediationStatus, until: Instant | undefined): RemediationStatus {
  const { nextAllowedExecution: _, ...status } = held;
  return {
    ...status,
    message: `${status.message ?? ''}; since then the block of its target was cleared, and its signal may be tried again`,
    ...(until !== undefined && { nextAllowedExecution: toTime(until) }),
  };
}
