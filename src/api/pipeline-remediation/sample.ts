import { at, NAMESPACE, sampleConditions, sampleReference } from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { pipelineRemediationRequestSpec, pipelineRemediationStatus } from './pipeline-remediation.ts';

const spec: Shape<typeof pipelineRemediationRequestSpec> = {
  signalName: 'MachineUnhealthy',
  severity: 'high',
  signalLabels: { rack: '4' },
  signalAnnotations: { summary: 'the Node has been unready for five minutes' },
  dryRun: false,
};

const status: Shape<typeof pipelineRemediationStatus> = {
  phase: 'Requested',
  nodeName: 'worker-0',
  retryCount: 1,
  remediationRequestRef: sampleReference('RemediationRequest', 'rr-worker-0-2', 'f'),
  cordonedBy: 'rr-worker-0-1',
  reopeningRef: sampleReference('RemediationRequest', 'rr-worker-0-3', 'e'),
  outcome: 'Inconclusive',
  nextAttemptTime: at('10:30'),
  message: 'rr-worker-0-2 is at work',
  observedGeneration: 1,
  conditions: sampleConditions('Requested', 'rr-worker-0-2 is at work'),
};

export const pipelineRemediationSample = { metadata: { name: 'worker-0', namespace: NAMESPACE }, spec, status };
