import { describe } from 'vitest';
import { createMemoryApi } from '../../src/apiserver/index.ts';
import { systemClock, systemRandom } from '../../src/base/index.ts';
import { createClient } from '../../src/kube/index.ts';
import { originalWorkflowsSuite } from './original-workflows.suite.ts';

describe('workflows of the original system on the embedded API', () => {
  originalWorkflowsSuite(() => createClient(createMemoryApi({ clock: systemClock, random: systemRandom })));
});
