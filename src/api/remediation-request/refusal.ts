import { parseTime, type Instant } from '../../base/index.ts';
import type { RemediationRequest } from './remediation-request.ts';

/** A request that a person rejected or cancelled, and until when the same plan is not proposed again. */
export interface Refusal {
  readonly request: RemediationRequest;
  readonly by: string;
  readonly until: Instant;
}

/** The refusal of a request; undefined where no person refused it, and once the refusal has ended. At `until` itself it has. */
export function activeRefusal(request: RemediationRequest, now: Instant): Refusal | undefined {
  const { by = '', until } = request.status?.refusal ?? {};
  const end = parseTime(until);
  return end !== undefined && now < end ? { request, by, until: end } : undefined;
}

/**
 * The refusal that an alert falls under: the one that lasts longest, of the requests of its fingerprint that stand for an alert of its
 * name. Another alert on the same target may lead to another plan, and is not affected.
 */
export function refusalOf(requests: readonly RemediationRequest[], signalName: string, now: Instant): Refusal | undefined {
  const refusals = requests.filter((request) => standsFor(request, signalName)).flatMap((request) => activeRefusal(request, now) ?? []);
  return refusals.toSorted((a, b) => b.until - a.until)[0];
}

const standsFor = ({ spec, status }: RemediationRequest, signalName: string): boolean =>
  spec.signalName === signalName || (status?.deduplication?.alerts?.some(({ name }) => name === signalName) ?? false);
