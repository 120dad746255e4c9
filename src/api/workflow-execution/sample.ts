import {
  at,
  CLUSTER,
  NAMESPACE,
  PARAMETERS,
  PINNED_TARGET,
  REQUEST,
  REQUEST_REF,
  sampleConditions,
  sampleDigest,
  sampleUid,
  WORKFLOW,
  WORKFLOW_SNAPSHOT,
} from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { workflowExecutionSpec } from './spec.ts';
import type { workflowExecutionStatus } from './status.ts';

const spec: Shape<typeof workflowExecutionSpec> = {
  remediationRequestRef: REQUEST_REF,
  targetResource: 'shop/Deployment/checkout',
  targetUID: PINNED_TARGET.uid,
  workflowRef: { ...WORKFLOW_SNAPSHOT, scalesToZero: false },
  parameters: PARAMETERS,
  confidence: 0.86,
  rationale: 'usage grows slowly and ends above the limit',
  planDigest: sampleDigest('e'),
  executionConfig: { timeout: '30m' },
  timesOutAt: at('10:34'),
  clusterID: CLUSTER,
};

const status: Shape<typeof workflowExecutionStatus> = {
  phase: 'Failed',
  startTime: at('10:04'),
  completionTime: at('10:05'),
  duration: '1m0s',
  queuePosition: 1,
  executionEngine: 'job',
  serviceAccountName: 'raise-memory-limit',
  workflowName: 'raise-memory-limit',
  executionRef: {
    name: 'wfe-0f3c9a51b2d4e687',
    namespace: 'kubernaut-workflows',
    kind: 'Job',
    uid: sampleUid('c'),
    requestedAt: at('10:03:59'),
    releasedAt: at('10:04'),
  },
  executionStatus: {
    status: 'Failed',
    reason: 'BackoffLimitExceeded',
    message: 'the pod failed',
    completedTasks: 0,
    totalTasks: 1,
    retryCount: 0,
  },
  ephemeralCredentialIDs: [41],
  failureReason: 'TaskFailed',
  failureDetails: {
    reason: 'TaskFailed',
    message: 'container workflow exited with 1',
    naturalLanguageSummary:
      'raise-memory-limit failed on shop/Deployment/checkout after 1m0s; look at its log before anything else is tried',
    failedAt: at('10:05'),
    failedTaskName: 'workflow',
    failedTaskIndex: 0,
    failedStepName: 'workflow',
    exitCode: 1,
    executionTimeBeforeFailure: '1m0s',
    wasExecutionFailure: true,
    requiresManualReview: true,
  },
  deduplicatedBy: 'we-rr-checkout-11c0',
  consecutiveFailures: 1,
  nextAllowedExecution: at('10:06'),
  skipDetails: {
    reason: 'PreviousExecutionFailed',
    message: 'the previous execution failed while it ran; a person has to look at the target first',
    skippedAt: at('10:04'),
    recentRemediation: {
      name: 'we-rr-checkout-11c0',
      workflowId: WORKFLOW.workflowId,
      completedAt: at('09:50'),
      outcome: 'Failed',
      targetResource: 'shop/Deployment/checkout',
      cooldownRemaining: '30s',
    },
  },
  blockClearance: {
    clearedBy: 'alex@example.com',
    clearReason: 'the limit was set by hand and holds',
    clearMethod: 'APIEndpoint',
    clearedAt: at('11:00'),
  },
  observedGeneration: 1,
  conditions: sampleConditions('Failed', 'the run failed'),
};

export const workflowExecutionSample = { metadata: { name: `we-${REQUEST}`, namespace: NAMESPACE }, spec, status };
