import { at, NAMESPACE } from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { machineHealthCheckSpec } from './spec.ts';
import type { machineHealthCheckStatus } from './status.ts';

const spec: Shape<ReturnType<typeof machineHealthCheckSpec>> = {
  clusterName: 'prod-eu-1',
  selector: { matchLabels: { role: 'worker' }, matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] },
  writtenAs: 'v1beta2',
  checks: {
    nodeStartupTimeoutSeconds: 600,
    unhealthyNodeConditions: [
      { type: 'Ready', status: 'False', timeoutSeconds: 300 },
      { type: 'Ready', status: 'Unknown', timeoutSeconds: 300 },
    ],
    unhealthyMachineConditions: [{ type: 'NodeHealthy', status: 'False', timeoutSeconds: 600 }],
  },
  remediation: {
    triggerIf: { unhealthyLessThanOrEqualTo: '40%', unhealthyInRange: '[1-3]' },
    templateRef: { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediationTemplate', name: 'workers' },
  },
  safeguards: {
    maxInFlight: 2,
    minUnhealthyAllowed: 1,
    stormCooldown: '15m',
    healthyDelay: '5m',
    pauseRequests: ['anna: switch firmware is being updated until noon'],
    observeOnly: false,
    maxAttempts: 3,
    attemptsForgottenAfter: '1h',
  },
};

const allowed = {
  type: 'RemediationAllowed',
  status: 'True' as const,
  severity: '' as const,
  reason: 'RemediationAllowed',
  message: '',
  lastTransitionTime: at('10:00'),
  observedGeneration: 1,
};

const status: Shape<typeof machineHealthCheckStatus> = {
  expectedMachines: 5,
  currentHealthy: 4,
  remediationsAllowed: 1,
  observedGeneration: 1,
  targets: ['worker-0', 'worker-1', 'worker-2', 'worker-3', 'worker-4'],
  remediations: [
    {
      machine: 'worker-3',
      uid: '5b1c7c1e-6d0f-4d57-9a0b-3f1de2a6a003',
      since: at('10:00'),
      request: { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediation' },
      healthySince: at('10:10'),
    },
  ],
  attempts: [{ machine: 'worker-3', uid: '5b1c7c1e-6d0f-4d57-9a0b-3f1de2a6a003', count: 1, last: at('10:00') }],
  storm: { since: at('09:00'), calmSince: at('09:30') },
  conditions: [allowed],
  v1beta2: { conditions: [allowed] },
  deprecated: { v1beta1: { conditions: [allowed] } },
};

export const machineHealthCheckSample = { metadata: { name: 'workers', namespace: NAMESPACE }, spec, status };
