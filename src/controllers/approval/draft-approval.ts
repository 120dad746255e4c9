import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { Draft } from '../../api/meta.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { toTime, type Instant } from '../../base/index.ts';
import { ownerReference } from '../../kube/objects/owner-references.ts';
import { childNames } from '../child-names.ts';
import { describeTarget, describeWorkflow, type RemediationPlan } from '../plan/remediation-plan.ts';

type Spec = RemediationApprovalRequest['spec'];
type ApprovalContext = NonNullable<NonNullable<AIAnalysis['status']>['approvalContext']>;

/** Drafts the approval request for exactly this plan, with all that an approver needs to decide. The same input gives the same draft. */
export function approvalFor(
  request: RemediationRequest,
  analysis: AIAnalysis,
  plan: RemediationPlan,
  { attempt, requiredBy }: { readonly attempt: number; readonly requiredBy: Instant },
): Draft<RemediationApprovalRequest> {
  const { metadata } = request;
  return {
    apiVersion: apiVersionOf(RemediationApprovalRequest),
    kind: RemediationApprovalRequest.kind,
    metadata: {
      name: childNames(metadata.name).approval(attempt),
      namespace: metadata.namespace ?? '',
      ownerReferences: [ownerReference(request, { controller: true, blockOwnerDeletion: true })],
    },
    spec: {
      ...subject(request, analysis, plan),
      ...grounds(analysis, plan),
      requiredBy: toTime(requiredBy),
      ...(request.spec.clusterID !== undefined && { clusterID: request.spec.clusterID }),
    },
  };
}

type Subject = 'remediationRequestRef' | 'aiAnalysisRef' | 'recommendedWorkflow' | 'parameters' | 'remediationTarget' | 'planDigest';

/** The workflow, its parameters and the target. */
function subject(request: RemediationRequest, analysis: AIAnalysis, { workflow, target, digest }: RemediationPlan): Pick<Spec, Subject> {
  const { metadata } = request;
  const { workflowId, version, executionBundle, rationale } = workflow;
  return {
    remediationRequestRef: {
      apiVersion: request.apiVersion,
      kind: request.kind,
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      uid: metadata.uid,
    },
    aiAnalysisRef: { name: analysis.metadata.name, uid: analysis.metadata.uid },
    recommendedWorkflow: { workflowId, version, executionBundle, rationale },
    ...(workflow.parameters && { parameters: workflow.parameters }),
    remediationTarget: target,
    planDigest: digest,
  };
}

/** Why the plan is proposed, and why it requires an approval. */
function grounds(analysis: AIAnalysis, { workflow, target }: RemediationPlan): Omit<Spec, Subject | 'requiredBy' | 'clusterID'> {
  const context: Partial<ApprovalContext> = analysis.status?.approvalContext ?? {};
  const { evidenceCollected, alternativesConsidered, policyEvaluation } = context;
  const reason = firstSaid(analysis.status?.approvalReason, context.reason, 'the approval policy requires it');
  return {
    confidence: workflow.confidence,
    confidenceLevel: confidenceLevel(workflow.confidence),
    reason,
    whyApprovalRequired: firstSaid(context.whyApprovalRequired, reason),
    investigationSummary: summary(analysis, context),
    recommendedActions: [{ action: `run ${describeWorkflow(workflow)} on ${describeTarget(target)}`, rationale: workflow.rationale }],
    ...(evidenceCollected && { evidenceCollected }),
    ...(alternativesConsidered && { alternativesConsidered }),
    ...(policyEvaluation && { policyEvaluation }),
  };
}

const summary = ({ metadata, status }: AIAnalysis, { investigationSummary }: Partial<ApprovalContext>): string =>
  firstSaid(status?.rootCause, status?.rootCauseAnalysis?.summary, investigationSummary, `${metadata.name} names no cause`);

/** The confidence as a level. */
export function confidenceLevel(confidence: number): Spec['confidenceLevel'] {
  if (confidence >= 0.8) return 'high';
  return confidence >= 0.6 ? 'medium' : 'low';
}

/** The first text that is not empty: the kind refuses empty texts. */
const firstSaid = (...texts: readonly (string | undefined)[]): string => texts.find((text) => text !== undefined && text !== '') ?? '';
