import { afterEach, beforeEach, expect, test } from 'vitest';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { createMachineHealthControllers } from '../index.ts';
import { HealthStage, POWER_CYCLE } from '../testing/health-stage.ts';

const external = { remediation: { templateRef: POWER_CYCLE } };

let the: HealthStage;
beforeEach(async () => {
  the = await HealthStage.start();
  await the.fleet(3);
  await the.templates();
});
afterEach(() => the.stage.end());

const fail = async (name: string): Promise<void> => {
  await the.turn(name, 'Unknown');
  await the.stage.advance(6 * MINUTE);
};

test('a Machine whose owner no controller acts for gets a request once its check has a template (ruling 124)', async () => {
  await the.patch(Machine, 'worker-1', {
    metadata: { ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'workers', uid: 's' }] },
  });
  await the.check();
  await fail('worker-1');
  expect(await the.says('worker-1')).toMatchObject({
    HasRemediatingOwner: 'False OwnerNotActing',
    OwnerRemediated: 'False WaitingForRemediation',
  });
  await the.patch(MachineHealthCheck, 'example', { spec: external });
  await the.stage.advance(75 * SECOND);
  expect(await the.request('worker-1')).toBeDefined();
  expect(await the.says('worker-1')).not.toHaveProperty('OwnerRemediated');
});

test('a Machine whose owner was requested, and acts, gets no request beside it', async () => {
  await the.stage.restart(createMachineHealthControllers(() => the.settings, { keepsMachineSets: true }));
  await the.patch(Machine, 'worker-1', {
    metadata: { ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'workers', uid: 's' }] },
  });
  await the.check();
  await fail('worker-1');
  expect(await the.says('worker-1')).toMatchObject({ HasRemediatingOwner: 'True HasOwner' });
  await the.patch(MachineHealthCheck, 'example', { spec: external });
  await the.stage.advance(5 * MINUTE);
  expect(await the.request('worker-1')).toBeUndefined();
});
