import type { ObjectReference } from '../../../api/meta.ts';
import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { remediationApprovalRequestSample } from '../../../api/remediation-approval-request/sample.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { remediationRequestSample } from '../../../api/remediation-request/sample.ts';

export const NAMESPACE = 'sickbay-system';

/** `10:05` on the day of all these tests. */
export const at = (clock: string): string => `2026-03-02T${clock}:00Z`;

/** A request with exactly this status; without one it has just been created. */
export function aRequest(status?: RemediationRequest['status'], name = 'rr-checkout', version = '1'): RemediationRequest {
  return {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationRequest',
    metadata: { namespace: NAMESPACE, name, uid: `uid-of-${name}`, resourceVersion: version, creationTimestamp: at('10:00') },
    spec: remediationRequestSample.spec,
    ...(status && { status }),
  };
}

/** The approval of a request, with exactly this status. */
export function anApproval(status: RemediationApprovalRequest['status'], request = aRequest(), attempt = 1): RemediationApprovalRequest {
  const { apiVersion, kind, metadata } = request;
  const name = `rar-${metadata.name}${attempt > 1 ? `-${attempt}` : ''}`;
  return {
    apiVersion,
    kind: 'RemediationApprovalRequest',
    metadata: {
      namespace: NAMESPACE,
      name,
      uid: `uid-of-${name}`,
      resourceVersion: '1',
      creationTimestamp: at('10:03'),
      ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }],
    },
    spec: remediationApprovalRequestSample.spec,
    ...(status && { status }),
  };
}

/** A reference as the orchestrator records it. */
export const aReference = (kind: string, name: string): ObjectReference => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  kind,
  namespace: NAMESPACE,
  name,
  uid: `uid-of-${name}`,
});
