import { afterEach, beforeEach, expect, test } from 'vitest';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { HealthStage, inShop, POWER_CYCLE } from '../testing/health-stage.ts';

let the: HealthStage;
beforeEach(async () => {
  the = await HealthStage.start();
  await the.fleet(3);
  await the.templates();
});
afterEach(() => the.stage.end());

const foreign = (): Promise<unknown> =>
  the.stage.admin.create(PowerCycleRemediation, {
    apiVersion: POWER_CYCLE.apiVersion,
    kind: PowerCycleRemediation.kind,
    metadata: inShop('worker-1'),
    spec: {},
  } as never);

async function fail(): Promise<void> {
  await the.turn('worker-1', 'Unknown');
  await the.stage.advance(6 * MINUTE);
}

test('a request of the name of a Machine that another creator made is reported; once it is gone one is created', async () => {
  await the.check({ remediation: { templateRef: POWER_CYCLE } });
  await foreign();
  await fail();
  expect(await the.says('worker-1')).toMatchObject({ ExternallyRemediated: 'False RemediationRequestNotOurs' });
  expect(await the.record()).toEqual([]);
  const earlier = (await the.request('worker-1'))?.metadata.uid;
  await the.stage.admin.delete(PowerCycleRemediation, inShop('worker-1'));
  await the.stage.advance(2 * MINUTE);
  expect(await the.says('worker-1')).toMatchObject({ ExternallyRemediated: 'False WaitingForRemediation' });
  expect((await the.request('worker-1'))?.metadata.uid).not.toBe(earlier);
});

test('the report of such a request is cleared when the Machine recovers, and the request stays', async () => {
  await the.check({ remediation: { templateRef: POWER_CYCLE } });
  await foreign();
  await fail();
  await the.turn('worker-1', 'True');
  await the.stage.advance(2 * MINUTE + 5 * SECOND);
  expect(await the.says('worker-1')).not.toHaveProperty('ExternallyRemediated');
  expect(await the.request('worker-1')).toBeDefined();
});
