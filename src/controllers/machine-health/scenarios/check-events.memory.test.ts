import { afterEach, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '../../../base/index.ts';
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

test('the Events of a check tell what was requested, withdrawn and ended, once each', async () => {
  await the.check(external);
  await fail('worker-1');
  await the.stage.advance(5 * MINUTE);
  await the.turn('worker-1', 'True');
  await the.stage.advance(5 * MINUTE);
  const told = the.stage.told.filter((reason) => reason.startsWith('Remediation'));
  expect(told).toEqual(['RemediationRequested', 'RemediationWithdrawn', 'RemediationEnded']);
});
