import { afterEach, beforeEach, expect, test } from 'vitest';
import { Machine } from '../../../api/machine/machine.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { HealthStage, inShop, POWER_CYCLE } from '../testing/health-stage.ts';

let health: HealthStage;
beforeEach(async () => {
  health = await HealthStage.start();
});
afterEach(async () => {
  expect(health.stage.troubles).toEqual([]);
  await health.stage.end();
});

const HOUR = 60 * MINUTE;

test('[MH-011] nothing escalates: days after the request was made the Machine is there, its owner was not asked, the request is the same', async () => {
  await health.fleet(3);
  await health.templates();
  await health.check({ remediation: { templateRef: POWER_CYCLE } });
  await health.turn('worker-0', 'Unknown');
  await health.stage.advance(6 * MINUTE);
  const { uid } = (await health.stage.admin.get(PowerCycleRemediation, inShop('worker-0'))).metadata;
  const before = await health.machine('worker-0');
  for (let hour = 0; hour < 72; hour += 6) {
    await health.stage.advance(6 * HOUR);
    expect(await health.machine('worker-0')).toEqual(before);
  }
  expect((await health.stage.admin.get(PowerCycleRemediation, inShop('worker-0'))).metadata.uid).toBe(uid);
  expect(await health.says('worker-0')).not.toHaveProperty('OwnerRemediated');
});

test('[MH-117] a check that lists no conditions goes by Nodes that are gone or never came, and by nothing else', async () => {
  await health.fleet(2);
  await health.stage.admin.create(Machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...inShop('worker-2'), labels: { role: 'worker' } },
    spec: {},
  });
  await health.stage.admin.create(
    { ...MachineHealthCheck, version: 'v1alpha3' },
    {
      apiVersion: 'cluster.x-k8s.io/v1alpha3',
      kind: 'MachineHealthCheck',
      metadata: inShop('example'),
      spec: { selector: { matchLabels: { role: 'worker' } }, externalRemediationTemplate: POWER_CYCLE },
    },
  );
  await health.turn('worker-0', 'Unknown');
  await health.removeNode('worker-1');
  await health.stage.advance(10 * MINUTE - SECOND);
  const fails = 'HealthCheckSucceeded';
  expect((await health.says('worker-2'))[fails]).toBeUndefined();
  await health.stage.advance(3 * SECOND);
  expect((await health.says('worker-0'))[fails]).toBe('True HealthCheckSucceeded');
  expect((await health.says('worker-1'))[fails]).toBe('False NodeDeleted');
  expect((await health.says('worker-2'))[fails]).toBe('False NodeStartupTimeout');
});
