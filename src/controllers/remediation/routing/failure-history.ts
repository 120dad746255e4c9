import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { longestSuppression, type Suppression } from '../../../api/remediation-request/suppression.ts';
import { after, instant, parseTime, type Instant } from '../../../base/index.ts';
import type { RoutingSettings } from '../../settings.ts';
import { failureBackoff } from './failure-backoff.ts';

/**
 * Reason of the condition EffectivenessAssessed of a request that is called Remediated although nobody could be asked about its alert. Such
 * an end takes no failure back.
 */
export const ALERT_NOT_READ = 'AlertNotRead';

/** What an end means for the count of failures in a row. */
export type Mark = 'failure' | 'reset' | 'neither';

/** Failed for these reasons alone, nothing was tried: it waited until its block was over, or for another. */
const NOT_TRIED: readonly (string | undefined)[] = ['Blocked', 'Deduplicated'];

/** How one request of a fingerprint counts; one that is not over does not. */
export function markOf(request: RemediationRequest): Mark {
  const { status } = request;
  // Its original stands in the history by itself.
  if (!isEnded(request) || status?.duplicateOf !== undefined) return 'neither';
  switch (status?.overallPhase) {
    case 'Failed':
    // Failed before it was blocked: the failure that reached the threshold.
    case 'Blocked':
      return NOT_TRIED.includes(status.failurePhase) ? 'neither' : 'failure';
    case 'TimedOut':
      return 'failure';
    case 'Completed':
      return markOfOutcome(status);
    default:
      return 'neither';
  }
}

function markOfOutcome({ outcome, conditions }: NonNullable<RemediationRequest['status']>): Mark {
  if (outcome === 'Inconclusive') return 'failure';
  if (outcome !== 'Remediated') return 'neither';
  const wasRead = !conditions?.some(({ type, reason }) => type === 'EffectivenessAssessed' && reason === ALERT_NOT_READ);
  return wasRead ? 'reset' : 'neither';
}

/**
 * How many failures in a row a fingerprint has behind it. What came before the end of its last cooldown is forgiven: it may try again
 * with a clean sheet.
 */
export function consecutiveFailures(requests: readonly RemediationRequest[], now: Instant): number {
  const forgiven = lastCooldown(requests, now);
  const counted = newestFirst(requests).filter((request) => !isForgiven(request, forgiven) && markOf(request) !== 'neither');
  const reset = counted.findIndex((request) => markOf(request) === 'reset');
  return reset === -1 ? counted.length : reset;
}

/**
 * What suppresses the fingerprint: of the requests that ended since its last success, and the request itself, the one that suppresses the
 * longest. A success makes the suppressions of earlier failures void.
 */
export function suppressionSinceSuccess(requests: readonly RemediationRequest[], own?: RemediationRequest): Suppression | undefined {
  const ended = newestFirst(requests);
  const reset = ended.findIndex((request) => markOf(request) === 'reset');
  return longestSuppression([...(reset === -1 ? ended : ended.slice(0, reset)), ...(own ? [own] : [])]);
}

/** What a failure that happens now means for its fingerprint; `earlier` are the other requests of it. */
export interface FailureBooking {
  readonly consecutiveFailureCount: number;
  readonly nextAllowedExecution: Instant;
  /** It is the one that reaches the threshold: the fingerprint is held back from now on, see `blockedUntil`. */
  readonly blockedUntil?: Instant;
}

export function bookFailure(earlier: readonly RemediationRequest[], now: Instant, routing: RoutingSettings): FailureBooking {
  const consecutiveFailureCount = consecutiveFailures(earlier, now) + 1;
  return {
    consecutiveFailureCount,
    nextAllowedExecution: after(now, failureBackoff(consecutiveFailureCount, routing)),
    ...(consecutiveFailureCount >= routing.consecutiveFailureThreshold && {
      blockedUntil: after(now, routing.consecutiveFailureCooldownMs),
    }),
  };
}

/** Whether it has come to its end; one that failed and is now blocked for it has. */
const isEnded = ({ status }: RemediationRequest): boolean =>
  isTerminal(remediationPhases, status?.overallPhase) || status?.completedAt !== undefined;

const endOf = ({ status, metadata }: RemediationRequest): Instant =>
  parseTime(status?.completedAt) ?? parseTime(status?.timeoutTime) ?? parseTime(metadata.creationTimestamp) ?? instant(0);

/** When the last cooldown of the fingerprint was over; those that still last are none yet. */
function lastCooldown(requests: readonly RemediationRequest[], now: Instant): Instant {
  const over = requests
    .map(cooldownOf)
    .filter((until) => until !== undefined)
    .filter((until) => until <= now);
  return instant(Math.max(0, ...over));
}

const cooldownOf = ({ status }: RemediationRequest): Instant | undefined =>
  status?.blockReason === 'ConsecutiveFailures' ? parseTime(status.blockedUntil) : undefined;

/** One that waited for a cooldown, or began it, goes with it, whenever it was put on record as over. */
function isForgiven(request: RemediationRequest, forgiven: Instant): boolean {
  const cooldown = cooldownOf(request);
  return cooldown === undefined ? endOf(request) < forgiven : cooldown <= forgiven;
}

/** The ended ones. Of two that ended in the same second the younger comes first, so that all readers see one order. */
const newestFirst = (requests: readonly RemediationRequest[]): readonly RemediationRequest[] =>
  requests
    .filter(isEnded)
    .toSorted((a, b) => endOf(b) - endOf(a) || createdAt(b) - createdAt(a) || (a.metadata.name < b.metadata.name ? 1 : -1));

const createdAt = ({ metadata }: RemediationRequest): Instant => parseTime(metadata.creationTimestamp) ?? instant(0);
