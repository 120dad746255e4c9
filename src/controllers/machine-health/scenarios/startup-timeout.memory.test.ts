import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { createMachineHealthControllers } from '../index.ts';
import { HealthStage, inShop, POWER_CYCLE } from '../testing/health-stage.ts';

let the: HealthStage;
beforeEach(async () => {
  the = await HealthStage.start();
  await the.stage.restart(createMachineHealthControllers(() => the.settings, { keepsMachineSets: true }));
  await the.templates();
});
afterEach(async () => {
  expect(the.stage.troubles).toEqual([]);
  await the.stage.end();
});

const ownerReferences = [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'set', uid: 's-0' }];

/** A Machine that never gets a Node. */
async function slow(name: string): Promise<void> {
  await the.stage.admin.create(Machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...inShop(name), labels: { role: 'worker' }, ownerReferences },
    spec: { clusterName: 'here' },
  });
}

const setTimeout = (seconds: number): Promise<void> =>
  the.patch(MachineHealthCheck, 'example', { spec: { checks: { nodeStartupTimeoutSeconds: seconds } } });

describe('a startup timeout that is changed to 0', () => {
  test('takes the record of a Machine for which the owner was asked with it, and the next one has its turn', async () => {
    await the.fleet(1, { role: 'worker' }, 'other-');
    await slow('a');
    await the.check({
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }], nodeStartupTimeoutSeconds: 30 },
      safeguards: { maxInFlight: 1 },
    });
    await the.stage.advance(MINUTE);
    expect(await the.asked()).toEqual(['a']);
    expect(await the.record()).toEqual(['a']);
    await setTimeout(0);
    await the.stage.advance(5 * SECOND);
    expect(await the.record()).toEqual([]);
    expect(await the.asked()).toEqual([]);
    await the.patch(Machine, 'other-0', { metadata: { ownerReferences } });
    await the.turn('other-0', 'Unknown');
    await the.stage.advance(6 * MINUTE);
    expect(await the.asked()).toEqual(['other-0']);
  });

  test('withdraws a request that was made from a template', async () => {
    await slow('a');
    await the.check({ checks: { nodeStartupTimeoutSeconds: 30 }, remediation: { templateRef: POWER_CYCLE } });
    await the.stage.advance(MINUTE);
    expect(await the.request('a')).toBeDefined();
    await setTimeout(0);
    await the.stage.advance(2 * MINUTE);
    expect(await the.request('a')).toBeUndefined();
    expect(await the.record()).toEqual([]);
    expect(await the.says('a')).toEqual({});
  });

  test('leaves a Machine that its owner is deleting on record', async () => {
    await slow('a');
    await the.check({ checks: { nodeStartupTimeoutSeconds: 30 } });
    await the.stage.advance(MINUTE);
    const { status = {} } = await the.machine('a');
    const conditions = (status.conditions ?? []).map((condition) =>
      condition.type === 'OwnerRemediated' ? { ...condition, reason: 'MachineDeleting' } : condition,
    );
    await the.stage.admin.patchStatus(Machine, inShop('a'), { type: 'merge', body: { status: { conditions } } });
    await setTimeout(0);
    await the.stage.advance(5 * MINUTE);
    expect(await the.record()).toEqual(['a']);
    expect(await the.says('a')).toMatchObject({ OwnerRemediated: 'False MachineDeleting' });
  });

  test('and back starts the remediation again', async () => {
    await slow('a');
    await the.check({ checks: { nodeStartupTimeoutSeconds: 30 } });
    await the.stage.advance(MINUTE);
    await setTimeout(0);
    await the.stage.advance(MINUTE);
    expect(await the.asked()).toEqual([]);
    await setTimeout(30);
    await the.stage.advance(MINUTE);
    expect(await the.asked()).toEqual(['a']);
    expect(await the.record()).toEqual(['a']);
  });
});
