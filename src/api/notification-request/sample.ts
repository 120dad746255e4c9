import { at, CLUSTER, NAMESPACE, REQUEST, REQUEST_REF, sampleConditions, WORKFLOW } from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { notificationRequestSpec, notificationRequestStatus } from './notification-request.ts';

const context: NonNullable<Shape<typeof notificationRequestSpec>['context']> = {
  lineage: { remediationRequest: REQUEST, aiAnalysis: `ai-${REQUEST}` },
  workflow: {
    selectedWorkflow: 'raise-memory-limit:1.2.0',
    workflowId: WORKFLOW.workflowId,
    workflowName: 'raise-memory-limit',
    actionType: 'IncreaseMemoryLimits',
    confidence: '0.86',
    executionEngine: 'job',
  },
  analysis: { rootCause: 'the memory limit is too low', outcome: 'Remediated', approvalReason: 'production' },
  review: {
    reason: 'LowConfidence',
    subReason: 'LowConfidence',
    humanReviewReason: 'low_confidence',
    rootCauseAnalysis: 'the container is killed at its memory limit',
    alignmentVerdict: 'clean',
    circuitBreakerActivated: 'false',
  },
  execution: {
    retryCount: '0',
    maxRetries: '5',
    lastExitCode: '0',
    previousExecution: 'we-rr-checkout-11c0',
    timeoutPhase: 'Executing',
    phaseTimeout: '30m',
  },
  dedup: { duplicateCount: '1' },
  target: { targetResource: 'shop/Deployment/checkout' },
  verification: {
    assessed: true,
    outcome: 'Remediated',
    reason: 'Full',
    summary: 'healthy, the alert is gone',
    degraded: false,
    degradedReason: 'none',
  },
};

const spec: Shape<typeof notificationRequestSpec> = {
  type: 'Completion',
  priority: 'Low',
  subject: 'checkout is well again',
  body: 'The memory limit of shop/checkout was raised to 512Mi, and the alert KubePodCrashLooping is gone.',
  severity: 'critical',
  phase: 'Completed',
  reviewSource: 'AIAnalysis',
  remediationRequestRef: REQUEST_REF,
  actionLinks: [{ service: 'console', url: 'https://sickbay.example.com/remediations/rr-checkout-7f3a', label: 'Open' }],
  extensions: { team: 'payments' },
  retentionDays: 14,
  retryPolicy: { maxAttempts: 3, initialBackoffSeconds: 10, backoffMultiplier: 2, maxBackoffSeconds: 60 },
  context,
  clusterID: CLUSTER,
};

const status: Shape<typeof notificationRequestStatus> = {
  phase: 'Sent',
  deliveryAttempts: [
    {
      channel: 'slack:oncall',
      attempt: 1,
      timestamp: at('10:20:02'),
      status: 'failed',
      error: 'slack.com answered 429',
      durationSeconds: 0.4,
      retryAt: at('10:20:32'),
    },
    {
      channel: 'slack:oncall',
      attempt: 2,
      timestamp: at('10:20:32'),
      status: 'success',
      durationSeconds: 0.3,
      reference: 'C0123456789/1792000832.000100',
    },
  ],
  totalAttempts: 2,
  successfulDeliveries: 1,
  failedDeliveries: 1,
  queuedAt: at('10:20:01'),
  processingStartedAt: at('10:20:01'),
  completionTime: at('10:20:02'),
  reason: 'Delivered',
  message: 'delivered to one channel',
  observedGeneration: 1,
  conditions: sampleConditions('Delivered', 'delivered to one channel'),
};

export const notificationRequestSample = { metadata: { name: `nr-completion-${REQUEST}`, namespace: NAMESPACE }, spec, status };
