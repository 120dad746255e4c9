import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';

/** What is known of the audit trail. A request is deleted only when its story is on record. */
export interface AuditState {
  /** Whether the store has acknowledged every event that this state of the request implies. False where nobody knows. */
  isRecorded(request: RemediationRequest): boolean;
}

/** For where no trail is kept: nothing waits for it. */
export const nothingToRecord: AuditState = { isRecorded: () => true };
