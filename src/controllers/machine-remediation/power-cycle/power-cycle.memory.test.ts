import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Pod, Secret } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { createMachineHealthControllers } from '../../machine-health/index.ts';
import { SETTINGS } from './testing/builders.ts';
import { unavailable } from '../../testing/stage.ts';
import { createPowerCycleController, CommandFailures } from './index.ts';
import { CHECK, KEY, NAME, NAMESPACE, PowerStage } from './testing/power-stage.ts';

let the: PowerStage;
beforeEach(async () => {
  the = await PowerStage.start();
});
afterEach(async () => {
  expect(the.stage.troubles).toEqual([]);
  await the.end();
});

describe('on a server with the real schemas', () => {
  test('[MH-038] [MH-110] a transient fault is cured by one power cycle', async () => {
    await the.check();
    const { uid } = (await the.stage.admin.get(Machine, KEY)).metadata;
    await the.fallIll();
    expect(await the.request()).toBeDefined();
    await the.stage.advance(MINUTE);
    expect(the.host().heard).toEqual(['off', 'on']);
    expect(await the.statusOf()).toMatchObject({ phase: 'waiting', retryCount: 0 });
    expect(the.stage.phases.filter((phase) => phase !== 'pending')).toEqual(['power-off', 'freeing', 'power-on', 'waiting']);
    await the.turnReady('True');
    await the.stage.advance(MINUTE);
    expect([(await the.request())?.metadata.deletionTimestamp, (await the.statusOf()).message]).toEqual([
      expect.any(String),
      'the host is on; waiting until no earlier command can switch it off any more',
    ]);
    await the.stage.advance(MINUTE + 5 * SECOND);
    expect(await the.request()).toBeUndefined();
    expect((await the.stage.admin.get(Machine, KEY)).metadata.uid).toBe(uid);
    expect([the.host().power, await the.taints()]).toEqual(['On', []]);
    expect(await the.claims()).toEqual([expect.objectContaining({ node: NAME, endedAt: expect.any(String) as string })]);
  });

  test('[MH-039] [MH-108] [MH-128] what does not help is visible at once, on the request and as an Event', async () => {
    the.host().isStuck = true;
    await the.check();
    await the.fallIll();
    await the.stage.advance(2 * MINUTE + 5 * SECOND);
    expect(await the.statusOf()).toMatchObject({
      phase: 'backoff',
      retryCount: 0,
      message: expect.stringContaining('did not report that it is off within 120 s; retry 1 starts') as string,
    });
    expect(the.stage.told).toContain('PowerCycleUnsuccessful');
    await the.stage.advance(MINUTE);
    expect(await the.statusOf()).toMatchObject({ phase: 'power-off', retryCount: 1 });
  });

  test('[MH-040] it retries for as long as the Node is unhealthy, and the request is deleted when the fault is repaired', async () => {
    await the.check({ nodeTimeoutSeconds: 60 });
    await the.fallIll();
    await the.stage.advance(120 * MINUTE);
    const { retryCount = 0 } = await the.statusOf();
    expect(retryCount).toBeGreaterThan(4);
    expect(await the.conditionsOf()).not.toHaveProperty('OwnerRemediated');
    await the.turnReady('True');
    await the.stage.advance(2 * MINUTE);
    expect([await the.request(), the.host().power, await the.taints()]).toEqual([undefined, 'On', []]);
  });

  test('[MH-124] [MH-034] with escalate the owner is requested after exactly so many retries, each with a power cycle of its own', async () => {
    await the.check({ strategy: 'escalate', deleteAfterRetries: 2, nodeTimeoutSeconds: 30 });
    await the.fallIll();
    await the.stage.advance(60 * MINUTE);
    expect(await the.statusOf()).toMatchObject({ phase: 'escalated', retryCount: 2 });
    expect(the.host().heard).toEqual(['off', 'on', 'off', 'on', 'off', 'on']);
    expect(await the.conditionsOf()).toMatchObject({
      OwnerRemediated: 'False WaitingForRemediation',
      HealthCheckSucceeded: 'False UnhealthyNode',
    });
    expect(the.stage.told).toContain('Escalated');
    // Each attempt counts for the hour.
    expect(await the.claims()).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ endedAt: expect.any(String) as string }) as object),
    );
  });

  test('a Machine that recovered after the escalation and fails again is power-cycled first, before its owner is requested', async () => {
    await the.check({ strategy: 'escalate', deleteAfterRetries: 0, nodeTimeoutSeconds: 300 }, { healthyDelay: '30m' });
    await the.fallIll();
    await the.stage.advance(10 * MINUTE);
    expect([(await the.statusOf()).phase, await the.conditionsOf()]).toMatchObject([
      'escalated',
      { OwnerRemediated: 'False WaitingForRemediation' },
    ]);
    await the.turnReady('True');
    await the.stage.advance(5 * MINUTE);
    the.host().heard.length = 0;
    await the.fallIll();
    await the.stage.advance(3 * MINUTE);
    expect([the.host().heard, await the.statusOf()]).toMatchObject([['off', 'on'], { phase: 'waiting', retryCount: 0 }]);
    expect(await the.conditionsOf()).not.toHaveProperty('OwnerRemediated');
    await the.stage.advance(10 * MINUTE);
    expect([(await the.statusOf()).phase, await the.conditionsOf()]).toMatchObject([
      'escalated',
      { OwnerRemediated: 'False WaitingForRemediation' },
    ]);
  });

  test('the owner is requested although Machines could not be read at the time of the escalation', async () => {
    await the.check({ strategy: 'escalate', deleteAfterRetries: 0, nodeTimeoutSeconds: 300 });
    await the.fallIll();
    await the.stage.advance(MINUTE);
    const busy = unavailable(/\/machines\/worker-0(\/status)?$/);
    let isGivenUp = false;
    the.stage.intercept = (call) => {
      isGivenUp ||= JSON.stringify(call.body ?? '').includes('"escalated"');
      return isGivenUp ? busy(call) : undefined;
    };
    await the.stage.advance(6 * MINUTE);
    expect([(await the.statusOf()).phase, await the.conditionsOf()]).toMatchObject([
      'escalated',
      { HealthCheckSucceeded: 'False UnhealthyNode' },
    ]);
    expect(await the.conditionsOf()).not.toHaveProperty('OwnerRemediated');
    the.stage.intercept = () => undefined;
    the.stage.troubles.length = 0;
    await the.stage.advance(MINUTE);
    expect(await the.conditionsOf()).toMatchObject({ OwnerRemediated: 'False WaitingForRemediation' });
  });

  test('a Machine with a new failure after its escalation is cycled again although its check could not be read then', async () => {
    await the.check({ strategy: 'escalate', deleteAfterRetries: 0, nodeTimeoutSeconds: 300 }, { healthyDelay: '30m' });
    await the.fallIll();
    await the.stage.advance(10 * MINUTE);
    expect((await the.statusOf()).phase).toBe('escalated');
    await the.turnReady('True');
    await the.stage.advance(5 * MINUTE);
    the.host().heard.length = 0;
    the.stage.intercept = unavailable(/\/machinehealthchecks\/workers$/);
    await the.fallIll();
    await the.stage.advance(MINUTE);
    expect([the.host().heard, await the.conditionsOf()]).toMatchObject([[], { HealthCheckSucceeded: 'False UnhealthyNode' }]);
    the.stage.intercept = () => undefined;
    the.stage.troubles.length = 0;
    await the.stage.advance(2 * MINUTE);
    expect(the.host().heard).toEqual(['off', 'on']);
  });

  test('a Machine that does not stay healthy for as long as its check requires has not recovered: its retries continue to count', async () => {
    await the.check({ strategy: 'escalate', deleteAfterRetries: 1, nodeTimeoutSeconds: 120 }, { healthyDelay: '30m' });
    await the.fallIll();
    await the.stage.advance(MINUTE);
    await the.turnReady('True');
    await the.stage.advance(10 * MINUTE);
    expect([(await the.request())?.metadata.deletionTimestamp, await the.statusOf()]).toMatchObject([
      undefined,
      { phase: 'waiting', retryCount: 0 },
    ]);
    await the.fallIll();
    expect(await the.statusOf()).toMatchObject({ phase: 'backoff', retryCount: 0 });
    await the.stage.advance(2 * MINUTE);
    expect([the.host().heard, await the.statusOf()]).toMatchObject([['off', 'on', 'off', 'on'], { phase: 'waiting', retryCount: 1 }]);
    await the.stage.advance(2 * MINUTE);
    expect(await the.statusOf()).toMatchObject({ phase: 'escalated', retryCount: 1 });
  });

  test('a Machine that recovered according to its check starts with no retries', async () => {
    await the.check({ nodeTimeoutSeconds: 60 });
    await the.fallIll();
    await the.stage.advance(5 * MINUTE);
    const before = await the.request();
    expect(before?.status?.retryCount).toBeGreaterThan(0);
    await the.turnReady('True');
    await the.stage.advance(5 * MINUTE);
    await the.fallIll();
    await the.stage.advance(10 * SECOND);
    expect([(await the.request())?.metadata.uid === before?.metadata.uid, (await the.statusOf()).retryCount]).toEqual([false, 0]);
  });

  test('a host that is never off does not cause escalation, and its attempts do not count later', async () => {
    the.host().isStuck = true;
    await the.check({ strategy: 'escalate', deleteAfterRetries: 1, nodeTimeoutSeconds: 30 });
    await the.fallIll();
    await the.stage.advance(60 * MINUTE);
    const { phase, attemptsNeverOff = 0 } = await the.statusOf();
    expect([phase === 'escalated', attemptsNeverOff > 3]).toEqual([false, true]);
    expect(await the.conditionsOf()).not.toHaveProperty('OwnerRemediated');
    delete the.host().isStuck;
    the.host().heard.length = 0;
    await the.stage.advance(120 * MINUTE);
    expect(the.host().heard).toEqual(['off', 'on', 'off', 'on']);
    expect(await the.conditionsOf()).toMatchObject({ OwnerRemediated: 'False WaitingForRemediation' });
  });

  test('[MH-114] [MH-129] a Node that recovers in the middle of a cycle leaves no host off: the request is gone only after the host is on', async () => {
    await the.check();
    the.host().isStuck = true;
    await the.fallIll();
    await the.stage.advance(10 * SECOND);
    expect((await the.request())?.metadata.finalizers).toEqual(['remediation.sickbay.dev']);
    expect(await the.statusOf()).toMatchObject({ phase: 'power-off' });
    the.host().fault = 'Unreachable';
    await the.turnReady('True');
    await the.stage.advance(10 * MINUTE);
    expect((await the.request())?.metadata.deletionTimestamp).toBeDefined();
    expect(await the.statusOf()).toMatchObject({
      message: expect.stringContaining('not switched on again yet: asking https://bmc-0') as string,
    });
    the.host().power = 'Off';
    delete the.host().fault;
    delete the.host().isStuck;
    await the.stage.advance(MINUTE);
    expect([await the.request(), the.host().power, the.host().heard.at(-1)]).toEqual([undefined, 'On', 'on']);
  });

  test('workloads are evicted only from a host that is off, and it is not switched on before they are gone', async () => {
    await the.check();
    await the.stage.admin.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: NAMESPACE, name: 'web', finalizers: ['test/keep'] },
      spec: { nodeName: NAME, containers: [{ name: 'web', image: 'web' }] },
    });
    const seen: string[] = [];
    the.bmc.before = (_, power) => void seen.push(`told ${power}`);
    await the.fallIll();
    await the.stage.advance(30 * SECOND);
    expect([the.host().power, await the.taints(), seen]).toEqual(['Off', ['node.kubernetes.io/out-of-service'], ['told off']]);
    expect(await the.statusOf()).toMatchObject({ phase: 'freeing', taintedNode: NAME });
    await the.stage.admin.patch(Pod, { namespace: NAMESPACE, name: 'web' }, { type: 'merge', body: { metadata: { finalizers: [] } } });
    await the.stage.admin.delete(Pod, { namespace: NAMESPACE, name: 'web' }, { gracePeriodSeconds: 0 });
    await the.stage.advance(15 * SECOND);
    expect([the.host().power, await the.taints(), seen]).toEqual(['On', [], ['told off', 'told on']]);
  });

  test('a request that is deleted in the middle of a cycle leaves host and Node as before', async () => {
    await the.check({ strategy: 'retry' });
    await the.workload();
    await the.fallIll();
    await the.stage.advance(30 * SECOND);
    expect([the.host().power, await the.taints()]).toEqual(['Off', ['node.kubernetes.io/out-of-service']]);
    await the.stage.admin.delete(MachineHealthCheck, { namespace: NAMESPACE, name: 'workers' });
    await the.stage.admin.delete(PowerCycleRemediation, KEY);
    await the.stage.admin.delete(Machine, KEY);
    await the.stage.advance(3 * MINUTE);
    expect([await the.request(), the.host().power, await the.taints()]).toEqual([undefined, 'On', []]);
  });

  test('[MH-108] bad credentials are reported with what to do, in status and Events, and corrected without a restart', async () => {
    await the.stage.admin.delete(Secret, { namespace: NAMESPACE, name: `${NAME}-bmc` });
    await the.check();
    await the.fallIll();
    expect(await the.statusOf()).toMatchObject({
      phase: 'pending',
      message: expect.stringContaining('must contain address, username and password') as string,
    });
    expect(the.stage.told).toContain('BmcAccessMissing');
    await the.secret();
    the.host().fault = 'Unauthorized';
    await the.stage.advance(MINUTE);
    expect(await the.statusOf()).toMatchObject({ phase: 'pending', conditions: [expect.objectContaining({ reason: 'BmcUnauthorized' })] });
    delete the.host().fault;
    await the.stage.advance(MINUTE);
    expect(the.host().heard[0]).toBe('off');
  });

  test('a host that became slow while it was off is switched on, although it takes longer than the time-to-live of a command to switch off', async () => {
    await the.check();
    the.bmc.before = () => the.slowDown(10 * SECOND);
    await the.fallIll();
    await the.stage.advance(3 * MINUTE);
    expect([the.host().heard, the.host().power, await the.statusOf()]).toMatchObject([['off', 'on'], 'On', { phase: 'waiting' }]);
  });

  test('a host that is too slow to be switched off in time stays on, which is reported, and is cycled when it is fast again', async () => {
    await the.check({ strategy: 'escalate', deleteAfterRetries: 0 });
    the.slowDown(10 * SECOND);
    await the.fallIll();
    await the.stage.advance(MINUTE);
    const late = 'waiting for the host to switch off: the command expired before it could be sent';
    expect(await the.statusOf()).toMatchObject({ phase: 'power-off', message: expect.stringContaining(late) as string });
    expect(the.stage.told).toContain('CommandTooLate');
    await the.stage.advance(60 * MINUTE);
    expect([the.host().heard, the.host().power, await the.statusOf()]).toMatchObject([
      [],
      'On',
      { attemptsNeverOff: expect.any(Number) as number },
    ]);
    expect(await the.conditionsOf()).not.toHaveProperty('OwnerRemediated');
    the.slowDown(0);
    await the.stage.advance(40 * MINUTE);
    expect([the.host().heard.slice(0, 2), the.host().power]).toEqual([['off', 'on'], 'On']);
  });

  test('reports that it waits while the budget is paused, and starts when it no longer is', async () => {
    the.settings = { ...the.settings, budget: { ...the.settings.budget, paused: 'incident 7' } };
    await the.check();
    await the.fallIll();
    await the.stage.advance(5 * MINUTE);
    expect(await the.statusOf()).toMatchObject({ phase: 'pending', message: 'starts are paused: incident 7; nothing is running' });
    expect(the.host().heard).toEqual([]);
    the.settings = SETTINGS;
    await the.stage.advance(MINUTE);
    expect(the.host().heard).toEqual(['off', 'on']);
  });

  test.each(['retry', 'escalate'])('a host that was repaired while its check is paused is not cycled again (%s)', async (strategy) => {
    await the.check({ strategy, deleteAfterRetries: 1, nodeTimeoutSeconds: 60 });
    await the.fallIll();
    await the.stage.advance(MINUTE);
    expect(the.host().heard).toEqual(['off', 'on']);
    await the.waitForRetry('');
    await the.turnReady('True');
    await the.stage.advance(120 * MINUTE);
    expect(the.host().heard).toEqual(['off', 'on']);
    const why = 'MachineHealthCheck workers is paused: the health of the Machine is not evaluated, so no remediation starts';
    expect(await the.statusOf()).toMatchObject({ conditions: [expect.objectContaining({ reason: 'Paused', message: why })] });
    expect(await the.conditionsOf()).toMatchObject({ HealthCheckSucceeded: 'False UnhealthyNode' });
    expect(await the.conditionsOf()).not.toHaveProperty('OwnerRemediated');
    await the.waitForRetry(null);
    await the.stage.advance(2 * MINUTE);
    expect([await the.request(), the.host().heard]).toEqual([undefined, ['off', 'on']]);
  });

  test.each(['retry', 'escalate'])('a host whose check became invalid is not cycled again (%s)', async (strategy) => {
    await the.check({ strategy, deleteAfterRetries: 1, nodeTimeoutSeconds: 60 });
    await the.fallIll();
    await the.stage.advance(MINUTE);
    const { remediation } = (await the.stage.admin.get(MachineHealthCheck, CHECK)).spec as {
      readonly remediation: { readonly templateRef: object };
    };
    await the.changeCheck({ spec: { remediation: null, remediationTemplate: { ...remediation.templateRef, namespace: 'elsewhere' } } });
    await the.turnReady('True');
    await the.stage.advance(120 * MINUTE);
    expect([the.host().heard, await the.statusOf()]).toMatchObject([['off', 'on'], { conditions: [{ reason: 'NotJudged' }] }]);
    expect(await the.conditionsOf()).toMatchObject({ HealthCheckSucceeded: 'False UnhealthyNode' });
    expect(await the.conditionsOf()).not.toHaveProperty('OwnerRemediated');
    await the.changeCheck({ spec: { remediation, remediationTemplate: null } });
    await the.stage.advance(2 * MINUTE);
    expect([await the.request(), the.host().heard]).toEqual([undefined, ['off', 'on']]);
  });

  test("a host whose check is deleted under Cluster API's definitions is not cycled again; a cycle in progress ends with the host on", async () => {
    await the.end();
    the = await PowerStage.start('cluster-api');
    const ours = { labels: { 'cluster.x-k8s.io/watch-filter': 'sickbay' }, annotations: { 'cluster.x-k8s.io/paused': '' } };
    await the.check({}, undefined, ours);
    await the.workload();
    await the.fallIll();
    await the.stage.advance(30 * SECOND);
    expect(the.host().power).toBe('Off');
    await the.stage.admin.delete(MachineHealthCheck, CHECK);
    await the.stage.advance(MINUTE);
    await the.turnReady('True');
    await the.stage.advance(120 * MINUTE);
    expect([the.host().heard, the.host().power, await the.taints()]).toEqual([['off', 'on'], 'On', []]);
    const why = 'no MachineHealthCheck selects it: the health of the Machine is not evaluated, so no remediation starts';
    expect(await the.statusOf()).toMatchObject({ conditions: [{ reason: 'NotJudged', message: why }] });
  });

  test('pausing in the middle of a cycle leaves no host off, and unpausing lets the cycle continue', async () => {
    await the.check({ nodeTimeoutSeconds: 60 });
    await the.workload();
    await the.fallIll();
    await the.stage.advance(30 * SECOND);
    expect([the.host().power, await the.taints()]).toEqual(['Off', ['node.kubernetes.io/out-of-service']]);
    await the.waitForRetry('');
    await the.stage.advance(30 * MINUTE);
    expect([the.host().heard, the.host().power, await the.taints()]).toEqual([['off', 'on'], 'On', []]);
    await the.waitForRetry(null);
    await the.stage.advance(10 * MINUTE);
    expect(the.host().heard.slice(0, 4)).toEqual(['off', 'on', 'off', 'on']);
  });

  test('pausing before the host went off ends the claim, and unpausing lets the cycle continue', async () => {
    await the.check();
    the.host().isStuck = true;
    await the.fallIll();
    await the.stage.advance(10 * SECOND);
    expect([await the.statusOf(), await the.claims()]).toMatchObject([{ phase: 'power-off' }, [{ node: NAME }]]);
    await the.waitForRetry('');
    await the.stage.advance(30 * SECOND);
    expect([await the.statusOf(), await the.claims()]).toMatchObject([{ phase: 'backoff' }, [{ endedAt: expect.any(String) as string }]]);
    delete the.host().isStuck;
    await the.stage.advance(30 * MINUTE);
    expect([the.host().heard, the.stage.told.includes('PowerCycleUnsuccessful')]).toEqual([['off'], false]);
    await the.waitForRetry(null);
    await the.stage.advance(MINUTE);
    expect([the.host().heard, the.host().power, await the.statusOf()]).toMatchObject([
      ['off', 'off', 'on'],
      'On',
      { phase: 'waiting', retryCount: 1, attemptsNeverOff: 1 },
    ]);
  });

  test('another process continues where one died, whatever commands were sent', async () => {
    await the.check();
    the.host().isStuck = true;
    await the.fallIll();
    await the.stage.advance(10 * SECOND);
    expect(await the.statusOf()).toMatchObject({ phase: 'power-off' });
    const failures = new CommandFailures();
    await the.stage.restart([
      ...createMachineHealthControllers(() => the.settings.machineHealth),
      createPowerCycleController({ settings: () => the.settings, bmc: the.bmc, failures }),
    ]);
    delete the.host().isStuck;
    await the.stage.advance(MINUTE);
    expect([the.host().power, (await the.statusOf()).phase]).toEqual(['On', 'waiting']);
  });

  test('nothing of the password is in any status or Event', async () => {
    await the.check({ nodeTimeoutSeconds: 30 });
    await the.fallIll();
    the.host().fault = 'Refused';
    await the.stage.advance(10 * MINUTE);
    expect(JSON.stringify([await the.request(), the.stage.told, the.stage.lines])).not.toContain('secret-of-the-host');
  });
});
