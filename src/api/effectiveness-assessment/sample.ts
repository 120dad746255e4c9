import { at, CLUSTER, NAMESPACE, REQUEST, sampleConditions, sampleDigest, SIGNAL_TARGET, TARGET } from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { effectivenessAssessmentSpec, effectivenessAssessmentStatus } from './effectiveness-assessment.ts';

const spec: Shape<typeof effectivenessAssessmentSpec> = {
  correlationID: REQUEST,
  remediationRequestPhase: 'Verifying',
  signalTarget: SIGNAL_TARGET,
  remediationTarget: TARGET,
  config: { stabilizationWindow: '5m', hashComputeDelay: '3m', alertCheckDelay: '1m30s' },
  remediationCreatedAt: at('10:00:05'),
  signalName: 'KubePodCrashLooping',
  cause: 'OOMKilled: the container is killed at its memory limit of 256Mi',
  faultStartedAt: at('10:00'),
  executionStartedAt: at('10:01:10'),
  preRemediationSpecHash: sampleDigest('4'),
  appliedSpecHash: sampleDigest('5'),
  scalesToZero: false,
  clusterID: CLUSTER,
};

const status: Shape<typeof effectivenessAssessmentStatus> = {
  phase: 'Completed',
  assessmentReason: 'Full',
  validityDeadline: at('10:45:30'),
  prometheusCheckAfter: at('10:14'),
  alertManagerCheckAfter: at('10:15:30'),
  completedAt: at('10:20'),
  message: 'healthy, the alert is gone',
  components: {
    healthAssessed: true,
    healthScore: 1,
    alertAssessed: true,
    alertScore: 1,
    alertDecayRetries: 2,
    metricsAssessed: true,
    metricsScore: 0.4,
    hashComputed: true,
    baselineSpecHash: sampleDigest('5'),
    preRemediationSpecHash: sampleDigest('4'),
    postRemediationSpecHash: sampleDigest('5'),
    currentSpecHash: sampleDigest('5'),
    rootOwner: 'shop/Deployment/checkout',
    rootSpecHash: sampleDigest('5'),
  },
  observedGeneration: 1,
  conditions: sampleConditions('AssessmentCompleted', 'healthy, the alert is gone'),
};

export const effectivenessAssessmentSample = { metadata: { name: `ea-${REQUEST}`, namespace: NAMESPACE }, spec, status };
