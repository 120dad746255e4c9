import { parseTime, type Instant } from '../../base/index.ts';
import { compareSeverity, severityOf } from '../parts/severity.ts';
import type { Outcome } from './status.ts';
import type { RemediationRequest } from './remediation-request.ts';

/** A request that suppresses new requests of its fingerprint: it ended and named the moment from which a new one is allowed. */
export interface Suppression {
  readonly request: RemediationRequest;
  readonly until: Instant;
}

/** A signal by its name and its severity in the words of its source. */
export interface ArrivingSignal {
  readonly name: string;
  readonly severity: string;
}

/** The target as it is now, as far as it was read. */
export interface TargetState {
  readonly uid?: string | undefined;
  readonly generation?: number | undefined;
  readonly specHash?: string | undefined;
}

/** What asks for a new request: its signals, and the target that they are about. */
export interface Arrival {
  readonly signals: readonly ArrivingSignal[];
  readonly target?: TargetState | undefined;
}

/**
 * The suppression rule: of the requests of a fingerprint the latest `nextAllowedExecution` counts. The gateway applies it before it opens a
 * request, and the orchestrator (check ExponentialBackoff) before it works on one. Undefined where no request names a moment; the moment may
 * have passed, see `isSuppressed`. Without an arrival every request counts; with one, requests that suppress only other signals do not.
 */
export function longestSuppression(requests: readonly RemediationRequest[], arrival?: Arrival): Suppression | undefined {
  let longest: Suppression | undefined;
  for (const request of requests) {
    const until = parseTime(request.status?.nextAllowedExecution);
    if (until === undefined || (arrival && !suppresses(request, arrival))) continue;
    if (longest === undefined || until > longest.until) longest = { request, until };
  }
  return longest;
}

/** Whether new requests are suppressed now. At `until` itself they are allowed again. */
export const isSuppressed = (suppression: Suppression | undefined, now: Instant): suppression is Suppression =>
  suppression !== undefined && now < suppression.until;

/** The outcomes that say something about the alerts that were judged, and nothing about other faults of the target. */
const JUDGED: readonly (Outcome | undefined)[] = ['NoActionRequired', 'ManualReviewRequired'];

/**
 * Whether a request suppresses only the signals that it judged, because nothing had to be done about them or a person was asked. After a
 * failure a request suppresses its whole fingerprint.
 */
export const suppressesOnlyJudged = ({ status }: RemediationRequest): boolean =>
  status?.overallPhase === 'Completed' && JUDGED.includes(status.outcome);

const suppresses = (request: RemediationRequest, { signals, target }: Arrival): boolean =>
  !suppressesOnlyJudged(request) || (signals.every((signal) => wasJudged(request, signal)) && !hasChanged(request, target));

/** Whether the request judged a signal of that name that was at least as severe. */
function wasJudged({ spec, status }: RemediationRequest, { name, severity }: ArrivingSignal): boolean {
  const judged = status?.suppression?.signals ?? [{ name: spec.signalName, severity: spec.severity }];
  return judged.some((one) => one.name === name && compareSeverity(severityOf(severity), severityOf(one.severity)) <= 0);
}

/** Whether the target is another object, or has another spec, than the one that was judged. What is not known is no change. */
function hasChanged({ status }: RemediationRequest, now: TargetState = {}): boolean {
  const judged = status?.suppression?.target;
  return judged !== undefined && MEMBERS.some((member) => differ(judged[member], now[member]));
}

const MEMBERS = ['uid', 'generation', 'specHash'] as const;

const differ = <T>(one: T | undefined, other: T | undefined): boolean => one !== undefined && other !== undefined && one !== other;
