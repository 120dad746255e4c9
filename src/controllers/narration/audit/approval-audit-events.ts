import type { ApprovalDecision } from '../../../api/remediation-approval-request/phases.ts';
import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { JsonObject } from '../../../base/index.ts';
import type { AuditEvent, AuditType } from '../../../store/audit-log.ts';
import { compact, short } from './audit-event-data.ts';

const TYPES: Readonly<Record<Exclude<ApprovalDecision, ''>, AuditType>> = {
  Approved: 'orchestrator.approval.approved',
  Rejected: 'orchestrator.approval.rejected',
  Expired: 'orchestrator.approval.expired',
};

/** What was decided, by whom, for exactly which plan. Values of parameters stay in the object: they are not for every reader of the trail. */
export function decisionEventOf(request: RemediationRequest, approval: RemediationApprovalRequest): readonly AuditEvent[] {
  const { metadata, spec, status } = approval;
  const decision = status?.decision;
  if (!status?.decidedAt || !decision) return [];
  const type = TYPES[decision];
  const event: AuditEvent = {
    id: `${metadata.uid}/${type}`,
    type,
    correlationId: request.metadata.name,
    subject: { kind: approval.kind, namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid },
    at: status.decidedAt,
    data: compact({
      decision,
      by: status.decidedBy,
      via: status.decidedVia,
      message: short(status.decisionMessage),
      planDigest: spec.planDigest,
      override: status.workflowOverride && overrideOf(status.workflowOverride),
    }),
  };
  return [event];
}

type Override = NonNullable<NonNullable<RemediationApprovalRequest['status']>['workflowOverride']>;

const overrideOf = ({ workflowName, parameters, rationale }: Override): JsonObject =>
  compact({ workflow: workflowName, parameters: parameters && Object.keys(parameters).toSorted(), rationale: short(rationale) });
