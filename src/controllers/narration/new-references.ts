import type { ObjectReference } from '../../api/meta.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';

/** The children that are recorded in status now and were not before. By UID: a new plan has a new analysis. */
export function newReferences(before: RemediationRequest | undefined, after: RemediationRequest): readonly ObjectReference[] {
  const known = new Set(referencesOf(before?.status).map(({ uid }) => uid));
  return referencesOf(after.status).filter(({ uid }) => !known.has(uid));
}

const referencesOf = (status: RemediationRequest['status'] = {}): readonly ObjectReference[] =>
  [
    status.signalProcessingRef,
    status.aiAnalysisRef,
    status.approvalRequestRef,
    status.workflowExecutionRef,
    status.effectivenessAssessmentRef,
    ...(status.notificationRequestRefs ?? []),
  ].filter((reference) => reference?.uid !== undefined) as ObjectReference[];
