import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { given } from '../../base/index.ts';
import type { Approval } from '../contract/index.ts';
import { refOf } from './remediation-summary.ts';

/** An approval with what its request says about it. */
export function approvalView(approval: RemediationApprovalRequest, request?: RemediationRequest): Approval {
  const { metadata, spec, status = {} } = approval;
  const { name: remediation = '' } = spec.remediationRequestRef;
  return {
    name: metadata.name,
    uid: metadata.uid,
    version: metadata.resourceVersion,
    remediation,
    state: stateOf(status),
    createdAt: metadata.creationTimestamp,
    requiredBy: spec.requiredBy,
    ...planIn(approval, request),
    ...reasonsIn(spec),
    ...given({
      message: status.message || status.decisionMessage,
      signal: request?.spec.signalName,
      severity: request && (request.status?.severity ?? request.spec.severity),
      decision: decisionOf(status),
    }),
  };
}

/** What would run. */
function planIn({ spec }: RemediationApprovalRequest, request: RemediationRequest | undefined) {
  const { recommendedWorkflow, parameters = {}, remediationTarget, planDigest } = spec;
  return {
    workflow: request?.status?.workflowDisplayName?.split(':')[0] ?? recommendedWorkflow.workflowId,
    workflowVersion: recommendedWorkflow.version,
    parameters,
    rationale: recommendedWorkflow.rationale,
    ...given({ target: remediationTarget && refOf(remediationTarget), planDigest }),
  };
}

/** Why it would run, and why not without a decision. */
function reasonsIn(spec: RemediationApprovalRequest['spec']) {
  const { evidenceCollected = [], recommendedActions, alternativesConsidered = [], policyEvaluation: policy } = spec;
  return {
    confidence: spec.confidence,
    confidenceLevel: spec.confidenceLevel,
    finding: spec.investigationSummary,
    why: spec.whyApprovalRequired,
    evidence: evidenceCollected,
    actions: recommendedActions.map(({ action, rationale }) => ({ what: action, why: rationale })),
    alternatives: alternativesConsidered.map(({ approach, prosCons }) => ({ what: approach, why: prosCons })),
    ...(policy && { policy: { name: policy.policyName, rules: policy.matchedRules ?? [], decision: policy.decision } }),
  };
}

type Status = NonNullable<RemediationApprovalRequest['status']>;

/** A request whose remediation ended is expired before its deadline, with the reason. */
function stateOf({ decision, decisionMessage = '', expired }: Status): Approval['state'] {
  if (decision === 'Expired') return decisionMessage === '' ? 'Expired' : 'Closed';
  if (decision) return decision;
  return expired === true ? 'Expired' : 'Pending';
}

function decisionOf({ decision, decidedBy, decidedAt, decidedVia, decisionMessage, workflowOverride }: Status): Approval['decision'] {
  if (!decision || decision === 'Expired') return undefined;
  return {
    by: decidedBy ?? 'an unnamed approver',
    ...given({
      at: decidedAt,
      via: decidedVia,
      comment: decisionMessage,
      override: workflowOverride && {
        ...given({
          workflow: workflowOverride.workflowName,
          parameters: workflowOverride.parameters,
          rationale: workflowOverride.rationale,
        }),
      },
    }),
  };
}
