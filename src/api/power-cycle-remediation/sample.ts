import { at, NAMESPACE, sampleConditions } from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { powerCycleRemediationSpec, powerCycleRemediationStatus } from './power-cycle-remediation.ts';

const spec: Shape<typeof powerCycleRemediationSpec> = {
  strategy: 'escalate',
  deleteAfterRetries: 10,
  powerOnTimeoutSeconds: 600,
  powerOffTimeoutSeconds: 120,
  nodeTimeoutSeconds: 600,
  bmcSecretName: '{machine}-bmc',
};

const status: Shape<typeof powerCycleRemediationStatus> = {
  phase: 'power-off',
  retryCount: 1,
  attemptsNeverOff: 1,
  phaseStartTime: at('10:00'),
  powerOffRequestedAt: at('10:00'),
  powerOnRequestedAt: at('09:55'),
  switchOnOwed: true,
  host: { address: 'https://10.0.0.7', system: '/redfish/v1/Systems/1' },
  anotherHost: false,
  taintedNode: 'worker-0',
  nextAttemptTime: at('10:10'),
  escalatedFailure: at('08:00'),
  message: 'waiting for the host to switch off',
  observedGeneration: 1,
  conditions: sampleConditions('PoweringOff', 'waiting for the host to switch off'),
};

export const powerCycleRemediationSample = { metadata: { name: 'worker-0', namespace: NAMESPACE }, spec, status };
