import {
  at,
  BUSINESS,
  CLUSTER,
  CONTEXT,
  FINGERPRINT,
  NAMESPACE,
  REQUEST,
  REQUEST_REF,
  sampleConditions,
  sampleDigest,
  SIGNAL_TARGET,
} from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { signalProcessingSpec, signalProcessingStatus } from './signal-processing.ts';

const spec: Shape<typeof signalProcessingSpec> = {
  remediationRequestRef: REQUEST_REF,
  signal: {
    fingerprint: FINGERPRINT,
    name: 'KubePodCrashLooping',
    severity: 'critical',
    type: 'alert',
    source: 'prometheus',
    targetType: 'kubernetes',
    targetResource: SIGNAL_TARGET,
    receivedTime: at('10:00:04'),
    firingTime: at('10:00'),
    labels: { alertname: 'KubePodCrashLooping' },
    annotations: { summary: 'checkout restarts again and again' },
    providerData: '{"namespace":"shop"}',
    clusterID: CLUSTER,
  },
  enrichmentConfig: { enableClusterState: true, enableMetrics: false, enableHistorical: true, timeout: '10s' },
  timesOutAt: at('10:05:05'),
};

const status: Shape<typeof signalProcessingStatus> = {
  phase: 'Completed',
  startTime: at('10:00:05'),
  completionTime: at('10:00:07'),
  observedGeneration: 1,
  kubernetesContext: CONTEXT,
  environmentClassification: { environment: 'Production', source: 'namespace-labels', classifiedAt: at('10:00:06') },
  priorityAssignment: { priority: 'P0', source: 'policy', policyName: 'production_critical', assignedAt: at('10:00:06') },
  businessClassification: BUSINESS,
  severity: 'critical',
  signalMode: 'reactive',
  signalName: 'KubePodCrashLooping',
  sourceSignalName: 'KubePodCrashLooping',
  policyHash: sampleDigest('8'),
  error: 'none',
  consecutiveFailures: 0,
  lastFailureTime: at('10:00:05'),
  conditions: sampleConditions('Completed', 'enriched and classified'),
};

export const signalProcessingSample = { metadata: { name: `sp-${REQUEST}`, namespace: NAMESPACE }, spec, status };
