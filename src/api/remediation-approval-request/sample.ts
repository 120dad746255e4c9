import {
  at,
  CLUSTER,
  NAMESPACE,
  PARAMETERS,
  PINNED_TARGET,
  POLICY_EVALUATION,
  REQUEST,
  REQUEST_REF,
  sampleConditions,
  sampleDigest,
  sampleUid,
  WORKFLOW,
} from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { remediationApprovalRequestSpec, remediationApprovalRequestStatus } from './remediation-approval-request.ts';

const spec: Shape<typeof remediationApprovalRequestSpec> = {
  remediationRequestRef: REQUEST_REF,
  aiAnalysisRef: { name: `ai-${REQUEST}`, uid: sampleUid('3') },
  confidence: 0.86,
  confidenceLevel: 'high',
  reason: 'production and confidence below 0.9',
  recommendedWorkflow: {
    workflowId: WORKFLOW.workflowId,
    version: WORKFLOW.version,
    executionBundle: WORKFLOW.executionBundle,
    rationale: 'usage grows slowly and ends above the limit',
  },
  parameters: PARAMETERS,
  remediationTarget: PINNED_TARGET,
  planDigest: sampleDigest('e'),
  investigationSummary: 'the container is killed at its memory limit of 256Mi',
  evidenceCollected: ['last state: OOMKilled, exit code 137'],
  recommendedActions: [{ action: 'raise the memory limit to 512Mi', rationale: 'usage grows slowly and ends above the limit' }],
  alternativesConsidered: [{ approach: 'restart the pod', prosCons: 'quick, but it comes back' }],
  whyApprovalRequired: 'production',
  policyEvaluation: POLICY_EVALUATION,
  requiredBy: at('10:16'),
  clusterID: CLUSTER,
};

const status: Shape<typeof remediationApprovalRequestStatus> = {
  decision: 'Approved',
  decidedBy: 'alex@example.com',
  decidedAt: at('10:04'),
  decidedVia: 'system:serviceaccount:sickbay-system:sickbay',
  decisionMessage: 'go ahead',
  workflowOverride: { workflowName: 'raise-memory-limit', parameters: { MEMORY_LIMIT: '768Mi' }, rationale: 'leave some room' },
  createdAt: at('10:01'),
  timeRemaining: '12m0s',
  expired: false,
  reason: 'Approved',
  message: 'approved by alex@example.com',
  observedGeneration: 1,
  conditions: sampleConditions('Approved', 'approved by alex@example.com'),
};

export const remediationApprovalRequestSample = { metadata: { name: `rar-${REQUEST}`, namespace: NAMESPACE }, spec, status };
