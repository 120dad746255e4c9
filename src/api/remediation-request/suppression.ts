import { parseTime, type Instant } from '../../base/index.ts';
import type { RemediationRequest } from './remediation-request.ts';

/** A request that suppresses new requests of its fingerprint: it ended and named the moment from which a new one is allowed. */
export interface Suppression {
  readonly request: RemediationRequest;
  readonly until: Instant;
}

/**
 * The suppression rule: of the requests of a fingerprint the latest `nextAllowedExecution` counts. The gateway applies it before it opens a
 * request, and the orchestrator (check ExponentialBackoff) before it works on one. Undefined where no request names a moment; the moment may
 * have passed, see `isSuppressed`.
 */
export function longestSuppression(requests: readonly RemediationRequest[]): Suppression | undefined {
  let longest: Suppression | undefined;
  for (const request of requests) {
    const until = parseTime(request.status?.nextAllowedExecution);
    if (until !== undefined && (longest === undefined || until > longest.until)) longest = { request, until };
  }
  return longest;
}

/** Whether new requests are suppressed now. At `until` itself they are allowed again. */
export const isSuppressed = (suppression: Suppression | undefined, now: Instant): suppression is Suppression =>
  suppression !== undefined && now < suppression.until;
