import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { HealthStage, inShop, POWER_CYCLE } from '../testing/health-stage.ts';

let the: HealthStage;
beforeEach(async () => {
  the = await HealthStage.start();
  await the.fleet(5);
  await the.templates();
});
afterEach(async () => {
  expect(the.stage.troubles).toEqual([]);
  await the.stage.end();
});

const check = (safeguards: object, limit: number | string = '100%'): Promise<void> =>
  the.check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: limit }, templateRef: POWER_CYCLE }, safeguards });

async function fail(...names: readonly string[]): Promise<void> {
  for (const name of names) await the.turn(name, 'Unknown');
  await the.stage.advance(6 * MINUTE);
}

async function recover(...names: readonly string[]): Promise<void> {
  for (const name of names) await the.turn(name, 'True');
  await the.stage.advance(5 * SECOND);
}

test('with a cap on what is in flight, the next one starts when one is finished, and the check reports which Machine waits for which', async () => {
  await check({ maxInFlight: 2 });
  await the.turn('worker-3', 'Unknown');
  await the.stage.advance(MINUTE);
  await fail('worker-0', 'worker-1');
  expect(await the.asked()).toEqual(['worker-0', 'worker-3']);
  expect(await the.gate()).toBe(
    'False TooManyInFlight: at most 2 remediations may run at a time. Running: worker-0, worker-3. Waiting: worker-1',
  );
  await recover('worker-0');
  expect(await the.asked()).toEqual(['worker-1', 'worker-3']);
  expect(await the.gate()).toBe('True RemediationAllowed: ');
});

test('a Machine for which no remediator could be asked takes no slot in flight', async () => {
  await the.check({ safeguards: { maxInFlight: 1 } });
  const ownerReferences = [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'set', uid: 's-0' }];
  await the.patch(Machine, 'worker-2', { metadata: { ownerReferences } });
  await the.patch(Machine, 'worker-3', { metadata: { ownerReferences } });
  await fail('worker-1');
  await fail('worker-2', 'worker-3');
  expect(await the.asked()).toEqual(['worker-1', 'worker-2']);
  expect(await the.gate()).toContain('at most 1 remediations may run at a time. Running: worker-2. Waiting: worker-3');
});

test('a small group is remediated where a percentage alone would allow no Machine', async () => {
  await check({ minUnhealthyAllowed: 1 }, '10%');
  await fail('worker-0');
  expect(await the.asked()).toEqual(['worker-0']);
  await fail('worker-1');
  expect(await the.gate()).toMatch(/^False TooManyUnhealthy: Remediation is not allowed, .*: 2 of 5 Machines/);
  expect(await the.gate()).toContain('the limit is 10% or 1, whichever is more');
});

test('after a storm nothing starts until the cool-down ends; remediation under way continues', async () => {
  await check({ stormCooldown: '10m' }, 2);
  await fail('worker-0');
  await fail('worker-1', 'worker-2');
  expect(await the.asked()).toEqual(['worker-0']);
  expect(await the.gate()).toContain('False TooManyUnhealthy');
  await recover('worker-2');
  expect(await the.gate()).toContain('False CoolingDown: too many Machines were unhealthy until');
  expect(await the.asked()).toEqual(['worker-0']);
  await the.stage.advance(9 * MINUTE);
  expect(await the.asked()).toEqual(['worker-0']);
  await the.stage.advance(MINUTE);
  expect(await the.asked()).toEqual(['worker-0', 'worker-1']);
  expect(await the.statusOf()).not.toHaveProperty('storm');
});

test('where never too many are unhealthy at once there is no storm, though recorded Machines close the gate', async () => {
  await check({ stormCooldown: '15m', healthyDelay: '10m' }, 1);
  await fail('worker-1');
  await recover('worker-1');
  await fail('worker-2');
  expect(await the.gate()).toMatch(/^False TooManyUnhealthy: Remediation is not allowed, .*: 2 of 5 Machines/);
  expect(await the.statusOf()).not.toHaveProperty('storm');
  await the.stage.advance(6 * MINUTE);
  expect(await the.asked()).toEqual(['worker-2']);
});

test('a Machine must stay healthy for the configured time before its remediation is finished', async () => {
  await check({ healthyDelay: '5m' });
  await fail('worker-0');
  const { uid } = (await the.request('worker-0'))!.metadata;
  await recover('worker-0');
  await the.stage.advance(4 * MINUTE);
  expect(await the.statusOf()).toMatchObject({
    currentHealthy: 5,
    remediations: [{ machine: 'worker-0', healthySince: expect.any(String) as string }],
  });
  await fail('worker-0');
  expect((await the.request('worker-0'))?.metadata.uid).toBe(uid);
  expect((await the.statusOf()).remediations?.[0]).not.toHaveProperty('healthySince');
  await recover('worker-0');
  await the.stage.advance(5 * MINUTE);
  expect(await the.asked()).toEqual([]);
  expect(await the.record()).toEqual([]);
});

describe('a requested pause', () => {
  const pause = (pauseRequests: readonly string[] | null) =>
    the.patch(MachineHealthCheck, 'example', { spec: { safeguards: { pauseRequests } } });

  test('lets nothing start, and remediation under way continue', async () => {
    await check({ maxInFlight: 5 });
    await fail('worker-0');
    await pause(['anna: firmware until noon']);
    await fail('worker-1');
    expect(await the.asked()).toEqual(['worker-0']);
    expect(await the.gate()).toContain(
      'PauseRequested: no new remediation starts while spec.safeguards.pauseRequests has entries: anna: firmware',
    );
    expect(await the.says('worker-1')).toMatchObject({ HealthCheckSucceeded: 'False UnhealthyNode' });
    await recover('worker-0');
    expect(await the.asked()).toEqual([]);
    await pause(null);
    await the.stage.advance(5 * SECOND);
    expect(await the.asked()).toEqual(['worker-1']);
  });

  test('lets no request be made again that a person deleted', async () => {
    await check({ maxInFlight: 5 });
    await fail('worker-0');
    await pause(['anna']);
    await the.stage.admin.delete(PowerCycleRemediation, inShop('worker-0'));
    await the.stage.advance(5 * MINUTE);
    expect(await the.asked()).toEqual([]);
  });
});

test('a check that only observes judges and counts, requests no remediation, and reports which Machines it would have remediated', async () => {
  await check({ observeOnly: true, maxInFlight: 1 });
  await fail('worker-0', 'worker-1');
  expect(await the.asked()).toEqual([]);
  expect(await the.statusOf()).toMatchObject({ currentHealthy: 3 });
  expect(await the.says('worker-0')).toEqual({ HealthCheckSucceeded: 'False UnhealthyNode' });
  expect(await the.gate()).toBe('False ObserveOnly: spec.safeguards.observeOnly is set: remediation would be requested for worker-0');
});

test('a check that only observes does not block another', async () => {
  await check({ observeOnly: true });
  await the.check({ remediation: { templateRef: POWER_CYCLE } }, 'real');
  await fail('worker-0');
  await the.stage.advance(MINUTE);
  expect(await the.asked()).toEqual(['worker-0']);
});

test('a Machine is given up after so many attempts, and tried again when it stayed well', async () => {
  await check({ maxAttempts: 2, attemptsForgottenAfter: '30m' });
  for (let i = 1; i <= 2; i++) {
    await fail('worker-0');
    expect(await the.asked()).toEqual(['worker-0']);
    expect((await the.statusOf()).attempts).toMatchObject([{ machine: 'worker-0', count: i }]);
    await recover('worker-0');
  }
  await fail('worker-0', 'worker-1');
  expect(await the.asked()).toEqual(['worker-1']);
  const given = (await the.statusOf()).conditions?.find(({ type }) => type === 'GivenUp');
  expect(given).toMatchObject({ status: 'True', reason: 'AttemptsUsedUp', message: expect.stringContaining('worker-0') as string });
  await recover('worker-0', 'worker-1');
  await the.stage.advance(30 * MINUTE);
  expect((await the.statusOf()).attempts).toEqual([]);
  await fail('worker-0');
  expect(await the.asked()).toEqual(['worker-0']);
});

test.each([ANNOTATIONS.paused, ANNOTATIONS.skipRemediation])(
  '%s for a while lets no attempts be forgotten; the end of the Machine does',
  async (mark) => {
    await check({ maxAttempts: 1 });
    await fail('worker-0');
    await recover('worker-0');
    await fail('worker-0');
    expect(await the.asked()).toEqual([]);
    await the.annotate(Machine, 'worker-0', { [mark]: '' });
    await the.stage.advance(5 * SECOND);
    await the.annotate(Machine, 'worker-0', { [mark]: null });
    await the.stage.advance(5 * SECOND);
    expect([await the.asked(), (await the.statusOf()).attempts]).toMatchObject([[], [{ machine: 'worker-0', count: 1 }]]);
    await the.stage.admin.delete(Machine, inShop('worker-0'));
    await the.stage.advance(5 * SECOND);
    expect((await the.statusOf()).attempts).toEqual([]);
  },
);

test('without safeguards nothing of them is written', async () => {
  await the.check({ remediation: { templateRef: POWER_CYCLE } });
  await fail('worker-0', 'worker-1');
  const status = await the.statusOf();
  expect(Object.keys(status).filter((member) => ['storm', 'attempts'].includes(member))).toEqual([]);
  expect(status.conditions?.some(({ type }) => type === 'GivenUp')).toBe(false);
});

test('a request that the owner did not act on is made again, through the gate, when the Machine fails again', async () => {
  await the.check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 1 } } });
  await fail('worker-0');
  await recover('worker-0');
  // The owner may be paused: only the owner clears its condition on a healthy Machine.
  expect(await the.asked()).toEqual(['worker-0']);
  await fail('worker-0', 'worker-1');
  expect(await the.says('worker-0')).toMatchObject({ HealthCheckSucceeded: 'False UnhealthyNode' });
  expect(await the.asked()).toEqual([]);
  await recover('worker-1');
  expect(await the.asked()).toEqual(['worker-0']);
  expect(await the.record()).toEqual(['worker-0']);
});

test.each([
  { how: 'by request', remediation: { templateRef: POWER_CYCLE } },
  { how: 'by their owner', remediation: {} },
])('Machines that are paused during their remediation $how count against the gate', async ({ remediation }) => {
  await the.check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '40%' }, ...remediation } });
  await fail('worker-0', 'worker-1');
  expect(await the.asked()).toEqual(['worker-0', 'worker-1']);
  for (const name of ['worker-0', 'worker-1']) await the.annotate(Machine, name, { [ANNOTATIONS.paused]: '' });
  await fail('worker-2');
  expect(await the.asked()).toEqual(['worker-0', 'worker-1']);
  expect(await the.record()).toEqual(['worker-0', 'worker-1']);
  expect(await the.gate()).toMatch(/^False TooManyUnhealthy: Remediation is not allowed, .*: 3 of 5 Machines/);
  expect(await the.statusOf()).toMatchObject({ expectedMachines: 3, currentHealthy: 2 });
  await the.annotate(Machine, 'worker-0', { [ANNOTATIONS.paused]: null });
  await recover('worker-0');
  expect(await the.record()).toEqual(['worker-1', 'worker-2']);
});
