import { afterAll, beforeAll } from 'vitest';
import { MINUTE } from '../../src/base/index.ts';
import { startControlPlane, type ControlPlane } from '../../src/testkit/control-plane.ts';
import { controlPlaneLane } from '../../src/testkit/lane.ts';
import { describeOnControlPlane } from '../../src/testkit/lanes.ts';
import { machineHealthExamplesSuite } from './machine-health-examples.suite.ts';
import { reach } from './machine-health/machine-ward.ts';

describeOnControlPlane('machine health as the proposal shows it, on a real kube-apiserver', () => {
  let own: ControlPlane;
  beforeAll(async () => {
    // Without controllers: one of them would find that these Nodes have no kubelet.
    own = await startControlPlane({ binaries: process.env[controlPlaneLane.setting] ?? '' });
  }, 2 * MINUTE);
  afterAll(() => own.stop());

  machineHealthExamplesSuite(() => reach(own));
});
