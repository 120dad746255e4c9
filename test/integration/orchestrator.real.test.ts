import { realServer } from '../../src/apiserver/testing/guarded-servers.ts';
import { describeOnOwnControlPlane } from '../../src/testkit/lanes.ts';
import { orchestratorSuite } from './orchestrator.suite.ts';

describeOnOwnControlPlane('the orchestrator on a real kube-apiserver', (plane) => {
  orchestratorSuite(() => Promise.resolve({ server: realServer(plane()), needsPolicies: true }));
});
