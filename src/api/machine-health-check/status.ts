import { conditionsAside, looseConditions } from '../parts/loose-conditions.ts';
import { int32, int64, partial, texts } from '../schema/index.ts';

const KNOWN = ['RemediationAllowed', 'Paused', 'Overlapping', 'ConfigurationValid', 'Ready'];

export const machineHealthCheckStatus = partial('How the watched Machines are doing.', {
  expectedMachines: int32('Machines that are watched.', { min: 0 }),
  currentHealthy: int32('Machines among them that are healthy.', { min: 0 }),
  remediationsAllowed: int32('How many more Machines may turn unhealthy before remediation stops.', { min: 0 }),
  observedGeneration: int64('Generation that was last looked at.', { min: 0 }),
  targets: texts('Names of the watched Machines, sorted.', { max: 10_000, atomic: true }),
  conditions: looseConditions(KNOWN),
  ...conditionsAside(KNOWN),
});
