import { describe } from 'vitest';
import { createMemoryApi } from '../../src/apiserver/index.ts';
import { systemClock, systemRandom } from '../../src/base/index.ts';
import { machineHealthExamplesSuite } from './machine-health-examples.suite.ts';

describe('machine health as the proposal shows it, on the memory API', () => {
  machineHealthExamplesSuite(() => {
    const api = createMemoryApi({ clock: systemClock, random: systemRandom });
    return () => ({ request: (...call) => api.request(...call), watch: (...call) => api.watch(...call) });
  });
});
