import { bearer, createClient, httpTransport } from '../../src/kube/index.ts';
import { describeOnControlPlane } from '../../src/testkit/lanes.ts';
import { originalWorkflowsSuite } from './original-workflows.suite.ts';

describeOnControlPlane('workflows of the original system on a real kube-apiserver', (plane) => {
  originalWorkflowsSuite(() => {
    const { url, caData, token } = plane();
    return createClient(httpTransport({ server: url, ca: caData, identity: bearer(token) }));
  });
});
