import { bearer, createClient, httpTransport } from '../../src/kube/index.ts';
import { describeOnControlPlane } from '../../src/testkit/lanes.ts';
import { machineHealthCheckSuite } from './machine-health-check.suite.ts';

describeOnControlPlane('MachineHealthCheck in all versions on a real kube-apiserver', (plane) => {
  machineHealthCheckSuite(() => {
    const { url, caData, token } = plane();
    return createClient(httpTransport({ server: url, ca: caData, identity: bearer(token) }));
  });
});
