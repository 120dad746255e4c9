import { hasEnded } from '../end/has-ended.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { longestSuppression, type Arrival, type Suppression } from '../../../api/remediation-request/suppression.ts';
import { after, instant, parseTime, type Instant } from '../../../base/index.ts';
import type { RoutingSettings } from '../../settings.ts';
import { NOTHING_MEASURED, VERIFIED } from '../verification/verified-condition.ts';
import { failureBackoff } from './failure-backoff.ts';

/**
 * Reason of the condition EffectivenessAssessed of a request that is Remediated although its alert could not be read. Such
 * an end does not reset the count of failures in a row, and neither does one of which nothing was measured.
 */
export const ALERT_NOT_READ = 'AlertNotRead';

/** What the end of a request means for the count of failures in a row. */
export type FailureMark = 'failure' | 'reset' | 'neither';

/** Failed with these phases, nothing was tried: the request waited for its block to end, or for its original. */
const NOT_TRIED: readonly (string | undefined)[] = ['Blocked', 'Deduplicated'];

/** How one request of a fingerprint counts; one that has not ended does not. */
export function failureMarkOf(request: RemediationRequest): FailureMark {
  const { status } = request;
  // Its original counts by itself.
  if (!hasEnded(request) || status?.duplicateOf !== undefined) return 'neither';
  switch (status?.overallPhase) {
    case 'Failed':
    // It failed before it was blocked: the failure that reached the threshold.
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

/** The conditions, with their reasons, of a request that is Remediated although it was not seen to have helped. */
const UNPROVEN: Readonly<Record<string, string>> = { EffectivenessAssessed: ALERT_NOT_READ, [VERIFIED]: NOTHING_MEASURED };

function markOfOutcome({ outcome, conditions }: NonNullable<RemediationRequest['status']>): FailureMark {
  if (outcome === 'Inconclusive') return 'failure';
  if (outcome !== 'Remediated') return 'neither';
  const isUnproven = conditions?.some(({ type, reason }) => UNPROVEN[type] === reason) ?? false;
  return isUnproven ? 'neither' : 'reset';
}

/**
 * How many failures in a row a fingerprint has. Failures before the end of its last cooldown do not count: the count starts again
 * from zero.
 */
export function consecutiveFailures(requests: readonly RemediationRequest[], now: Instant): number {
  const forgiven = lastCooldown(requests, now);
  const counted = newestFirst(requests).filter((request) => !isForgiven(request, forgiven) && failureMarkOf(request) !== 'neither');
  const reset = counted.findIndex((request) => failureMarkOf(request) === 'reset');
  return reset === -1 ? counted.length : reset;
}

/**
 * What suppresses the fingerprint: of the requests that ended since its last success, and the request itself, the one that suppresses the
 * longest. A success makes the suppressions of earlier failures void.
 */
export function suppressionSinceSuccess(
  requests: readonly RemediationRequest[],
  own?: RemediationRequest,
  arrival?: Arrival,
): Suppression | undefined {
  const ended = newestFirst(requests);
  const reset = ended.findIndex((request) => failureMarkOf(request) === 'reset');
  return longestSuppression([...(reset === -1 ? ended : ended.slice(0, reset)), ...(own ? [own] : [])], arrival);
}

/** Whether so many failures in a row block the fingerprint for a cooldown. */
export const reachesThreshold = (failures: number, { consecutiveFailureThreshold }: RoutingSettings): boolean =>
  failures >= consecutiveFailureThreshold;

/** When the cooldown ends that starts at `start`. */
export const cooldownFrom = (start: Instant, { consecutiveFailureCooldownMs }: RoutingSettings): Instant =>
  after(start, consecutiveFailureCooldownMs);

/** What a failure that happens now means for its fingerprint. */
export interface RecordedFailure {
  readonly consecutiveFailureCount: number;
  readonly nextAllowedExecution: Instant;
  /** Set for the failure that reaches the threshold: until when the fingerprint is blocked. */
  readonly blockedUntil?: Instant;
}

export function recordFailure(earlier: readonly RemediationRequest[], now: Instant, routing: RoutingSettings): RecordedFailure {
  const consecutiveFailureCount = consecutiveFailures(earlier, now) + 1;
  return {
    consecutiveFailureCount,
    nextAllowedExecution: after(now, failureBackoff(consecutiveFailureCount, routing)),
    ...(reachesThreshold(consecutiveFailureCount, routing) && { blockedUntil: cooldownFrom(now, routing) }),
  };
}

const endOf = ({ status, metadata }: RemediationRequest): Instant =>
  parseTime(status?.completedAt) ?? parseTime(status?.timeoutTime) ?? parseTime(metadata.creationTimestamp) ?? instant(0);

/** When the fingerprint's last cooldown ended; cooldowns that still last do not count. */
function lastCooldown(requests: readonly RemediationRequest[], now: Instant): Instant {
  const over = requests
    .map(cooldownOf)
    .filter((until) => until !== undefined)
    .filter((until) => until <= now);
  return instant(Math.max(0, ...over));
}

const cooldownOf = ({ status }: RemediationRequest): Instant | undefined =>
  status?.blockReason === 'ConsecutiveFailures' ? parseTime(status.blockedUntil) : undefined;

/** Whether a request no longer counts. One that waited for a cooldown, or caused it, follows that cooldown, whenever it ended itself. */
function isForgiven(request: RemediationRequest, forgiven: Instant): boolean {
  const cooldown = cooldownOf(request);
  return cooldown === undefined ? endOf(request) < forgiven : cooldown <= forgiven;
}

/** The ended requests. Of two that ended in the same second the younger comes first, so that the order is stable. */
const newestFirst = (requests: readonly RemediationRequest[]): readonly RemediationRequest[] =>
  requests
    .filter(hasEnded)
    .toSorted((a, b) => endOf(b) - endOf(a) || createdAt(b) - createdAt(a) || (a.metadata.name < b.metadata.name ? 1 : -1));

const createdAt = ({ metadata }: RemediationRequest): Instant => parseTime(metadata.creationTimestamp) ?? instant(0);
