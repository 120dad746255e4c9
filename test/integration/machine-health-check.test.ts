import { describe } from 'vitest';
import { createMemoryApi } from '../../src/apiserver/index.ts';
import { systemClock, systemRandom } from '../../src/base/index.ts';
import { createClient } from '../../src/kube/index.ts';
import { machineHealthCheckSuite } from './machine-health-check.suite.ts';

describe('MachineHealthCheck in all versions on the memory API', () => {
  machineHealthCheckSuite(() => createClient(createMemoryApi({ clock: systemClock, random: systemRandom })));
});
