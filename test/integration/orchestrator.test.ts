import { describe } from 'vitest';
import { ourRights } from '../../src/admission/index.ts';
import { ourServer } from '../../src/apiserver/testing/guarded-servers.ts';
import { orchestratorSuite } from './orchestrator.suite.ts';

describe('the orchestrator on the embedded API', () => {
  orchestratorSuite(async () => ({ server: await ourServer(ourRights()), needsPolicies: false }));
});
