import { at, NAMESPACE, sampleConditions, WORKFLOW, WORKFLOW_SNAPSHOT } from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { remediationWorkflowSpec, remediationWorkflowStatus } from './remediation-workflow.ts';

const memoryLimit = {
  name: 'MEMORY_LIMIT',
  type: 'string' as const,
  required: true,
  description: 'the new memory limit',
  enum: ['512Mi', '768Mi', '1Gi'],
  pattern: '^[0-9]+(Mi|Gi)$',
  minimum: 1,
  maximum: 64,
  default: '512Mi',
  dependsOn: ['CONTAINER'],
};

const spec: Shape<typeof remediationWorkflowSpec> = {
  version: WORKFLOW.version,
  actionType: 'IncreaseMemoryLimits',
  description: {
    what: 'raises the memory limit of a workload',
    whenToUse: 'containers are killed at their memory limit although the demand is real',
    whenNotToUse: 'memory leaks',
    preconditions: 'the nodes have room',
  },
  labels: { severity: ['critical', 'high'], component: ['Deployment', 'StatefulSet'], environment: ['*'], priority: '*', cluster: ['*'] },
  customLabels: { team: 'payments' },
  detectedLabels: { gitOpsManaged: 'false' },
  execution: {
    engine: 'job',
    bundle: WORKFLOW.executionBundle,
    bundleDigest: WORKFLOW.executionBundleDigest,
    engineConfig: WORKFLOW_SNAPSHOT.engineConfig,
    serviceAccountName: 'raise-memory-limit',
  },
  parameters: [memoryLimit, { name: 'CONTAINER', type: 'string', required: false, description: 'the container; all of them when absent' }],
  rollbackParameters: [{ ...memoryLimit, description: 'the memory limit to go back to' }],
  dependencies: WORKFLOW_SNAPSHOT.dependencies,
  maintainers: [{ name: 'Platform team', email: 'platform@example.com' }],
  scalesToZero: false,
  dryRun: false,
  undo: { onScoreBelow: 0.5 },
};

const status: Shape<typeof remediationWorkflowStatus> = {
  workflowId: WORKFLOW.workflowId,
  catalogStatus: 'Active',
  registeredAt: at('08:00'),
  registeredBy: 'alex@example.com',
  previouslyExisted: false,
  contentHash: WORKFLOW.executionBundleDigest,
  conditions: sampleConditions('Active', 'can be selected'),
};

export const remediationWorkflowSample = { metadata: { name: 'raise-memory-limit', namespace: NAMESPACE }, spec, status };
