import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { parseTime, type Instant } from '../../../base/index.ts';
import type { Settings } from '../../settings.ts';
import { longestWaitOfPlan } from '../timeouts.ts';

/** Whether a change freeze held a plan back for longer than a plan may wait for an approval: it is then made again, and approved again. */
export function isPlanTooOld(request: RemediationRequest, settings: Settings, now: Instant): boolean {
  const { status } = request;
  const since = parseTime(status?.blockedStartTime);
  return status?.blockReason === 'ChangeFreeze' && since !== undefined && now - since > longestWaitOfPlan(request, settings);
}

/** The request without its plan: Analyzing creates the next analysis, and an approval of the previous plan no longer counts. */
export function withoutPlan(request: RemediationRequest): RemediationRequest {
  const { approvalRequestRef: _, awaitingApprovalStartTime: __, aiAnalysisRef: ___, ...status } = request.status ?? {};
  const { analysisAttempt = 1, analysesAfterFreeze = 0 } = status;
  return { ...request, status: { ...status, analysisAttempt: analysisAttempt + 1, analysesAfterFreeze: analysesAfterFreeze + 1 } };
}
