import {
  at,
  BUSINESS,
  CLUSTER,
  CONTEXT,
  FINGERPRINT,
  NAMESPACE,
  PARAMETERS,
  PINNED_TARGET,
  POLICY_EVALUATION,
  REQUEST,
  REQUEST_REF,
  sampleConditions,
  sampleUid,
  SIGNAL_TARGET,
  WORKFLOW,
  WORKFLOW_SNAPSHOT,
} from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { aiAnalysisSpec } from './spec.ts';
import type { aiAnalysisStatus } from './status.ts';

const spec: Shape<typeof aiAnalysisSpec> = {
  remediationRequestRef: REQUEST_REF,
  remediationId: REQUEST,
  analysisRequest: {
    signalContext: {
      fingerprint: FINGERPRINT,
      severity: 'critical',
      signalName: 'KubePodCrashLooping',
      signalMode: 'reactive',
      environment: 'Production',
      businessPriority: 'P0',
      targetResource: SIGNAL_TARGET,
      signalAnnotations: { summary: 'checkout restarts again and again' },
      cluster: CLUSTER,
      enrichmentResults: { kubernetesContext: CONTEXT, businessClassification: BUSINESS },
    },
    analysisTypes: ['Investigation', 'RootCause', 'WorkflowSelection'],
  },
  undoOf: { name: 'rr-checkout-11c0', uid: sampleUid('a') },
  attempt: 1,
  timeoutConfig: { investigatingTimeout: '10m', analyzingTimeout: '5s' },
  timesOutAt: at('10:10:07'),
  clusterID: CLUSTER,
};

const approvalContext = {
  reason: 'production and confidence below 0.9',
  confidenceScore: 0.86,
  confidenceLevel: 'high' as const,
  investigationSummary: 'the container is killed at its memory limit of 256Mi',
  whyApprovalRequired: 'production',
  recommendedActions: [{ workflowId: WORKFLOW.workflowId, rationale: 'usage grows slowly and ends above the limit' }],
  alternativesConsidered: [{ approach: 'restart the pod', prosCons: 'quick, but it comes back' }],
  evidenceCollected: ['last state: OOMKilled, exit code 137'],
  policyEvaluation: POLICY_EVALUATION,
};

const alignmentVerdict = {
  result: 'clean',
  circuitBreakerActivated: false,
  flagged: 1,
  total: 12,
  summary: 'one log line tried to give orders and was ignored',
  findings: [{ stepIndex: 4, stepKind: 'tool', tool: 'logs', explanation: 'text in a log addressed the analyst' }],
};

const detectedLabels = {
  gitOpsManaged: true,
  gitOpsTool: 'argocd' as const,
  pdbProtected: true,
  hpaEnabled: false,
  stateful: false,
  helmManaged: true,
  networkIsolated: false,
  serviceMesh: '' as const,
  resourceQuotaConstrained: false,
  virtualMachine: false,
  liveMigratable: false,
  cdiManaged: false,
  storageBackend: '' as const,
  failedDetections: ['serviceMesh' as const],
};

const status: Shape<typeof aiAnalysisStatus> = {
  phase: 'Completed',
  message: 'the memory limit is too low',
  reason: 'AnalysisCompleted',
  subReason: 'LowConfidence',
  startedAt: at('10:00:07'),
  completedAt: at('10:00:50'),
  observedGeneration: 1,
  rootCause: 'the memory limit of 256Mi is below what checkout needs',
  rootCauseAnalysis: {
    summary: 'the container is killed at its memory limit of 256Mi',
    signalType: 'OOMKilled',
    severity: 'high',
    contributingFactors: ['release 1.9 caches more'],
    remediationTarget: PINNED_TARGET,
  },
  actionability: 'Actionable',
  selectedWorkflow: {
    ...WORKFLOW_SNAPSHOT,
    confidence: 0.86,
    rationale: 'usage grows slowly and ends above the limit',
    parameters: PARAMETERS,
    selectedAt: at('10:00:49'),
  },
  alternativeWorkflows: [
    {
      workflowId: 'restart-pod',
      confidence: 0.4,
      rationale: 'helps for a while',
      executionBundle: 'registry.example.com/workflows/restart-pod:1.0.0',
    },
  ],
  needsHumanReview: false,
  humanReviewReason: 'low_confidence',
  approvalRequired: true,
  approvalReason: 'production and confidence below 0.9',
  approvalContext,
  alignmentVerdict,
  postRCAContext: { setAt: at('10:00:40'), detectedLabels },
  investigationSession: {
    id: 'session-1',
    generation: 1,
    createdAt: at('10:00:08'),
    lastPolled: at('10:00:38'),
    pollCount: 2,
    consecutiveGetResultErrors: 0,
    backoffUntil: at('10:00:53'),
    interactive: false,
  },
  investigationId: 'inv-1',
  investigationTime: 32,
  totalAnalysisTime: 43,
  warnings: ['metrics of the last hour were incomplete'],
  degradedMode: false,
  consecutiveFailures: 0,
  validationAttemptsHistory: [
    { attempt: 1, workflowId: WORKFLOW.workflowId, isValid: false, errors: ['MEMORY_LIMIT is missing'], timestamp: at('10:00:45') },
  ],
  conditions: sampleConditions('AnalysisCompleted', 'a workflow was selected'),
};

export const aiAnalysisSample = { metadata: { name: `ai-${REQUEST}`, namespace: NAMESPACE }, spec, status };
