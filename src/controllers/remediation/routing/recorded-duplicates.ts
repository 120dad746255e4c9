import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { RemediationStatus } from '../status.ts';

/** The requests that wait for this one, or did. Those that continued since stay recorded. */
export function duplicatesOf(
  { metadata, status }: RemediationRequest,
  siblings: readonly RemediationRequest[],
): Partial<RemediationStatus> {
  const waiting = siblings.filter((other) => other.status?.duplicateOf === metadata.name).map((other) => other.metadata.name);
  const names = [...new Set([...(status?.duplicateRefs ?? []), ...waiting])].toSorted();
  return names.length > 0 ? { duplicateCount: names.length, duplicateRefs: names } : {};
}
