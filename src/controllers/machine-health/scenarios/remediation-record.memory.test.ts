import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { Draft } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { unavailable } from '../../testing/stage.ts';
import { HealthStage, inShop, PIPELINE, POWER_CYCLE } from '../testing/health-stage.ts';

const external = { remediation: { templateRef: POWER_CYCLE } };
const MAKES_REQUEST = /powercycleremediations$/;

let the: HealthStage;
beforeEach(async () => {
  the = await HealthStage.start();
  await the.fleet(5);
  await the.templates();
});
afterEach(() => the.stage.end());

const fail = async (name: string): Promise<void> => {
  await the.turn(name, 'Unknown');
  await the.stage.advance(6 * MINUTE);
};
const recover = async (name: string): Promise<void> => {
  await the.turn(name, 'True');
  await the.stage.advance(5 * SECOND);
};

/** What an external controller writes where the claim stands. */
async function report(name: string, said: readonly object[]): Promise<void> {
  const { status = {} } = await the.machine(name);
  const conditions = [
    ...(status.conditions ?? []).filter(({ type }) => type !== 'ExternallyRemediated'),
    ...said.map((one) => ({ type: 'ExternallyRemediated', status: 'False', lastTransitionTime: toTime(the.stage.clock.now()), ...one })),
  ];
  await the.stage.admin.patchStatus(Machine, inShop(name), { type: 'merge', body: { status: { conditions } } });
  await the.stage.settle();
}

/** Requests in the order in which they reached the server. */
function follow(): { readonly method: string; readonly path: string; readonly body: unknown }[] {
  const seen: { method: string; path: string; body: unknown }[] = [];
  the.stage.intercept = ({ method, path, body }) => void seen.push({ method, path, body });
  return seen;
}

const isCreation = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === 'POST' && MAKES_REQUEST.test(path);

describe('the record', () => {
  test('is written before remediation is requested, and goes when that is finished', async () => {
    await the.check(external);
    const seen = follow();
    await fail('worker-1');
    const recorded = seen.findIndex(
      ({ path, body }) => path.endsWith('machinehealthchecks/example/status') && JSON.stringify(body).includes('worker-1","uid'),
    );
    const claimed = seen.findIndex(
      ({ path, body }) => path.endsWith('machines/worker-1/status') && JSON.stringify(body).includes('ExternallyRemediated'),
    );
    const made = seen.findIndex(isCreation);
    expect(recorded).toBeGreaterThanOrEqual(0);
    expect(claimed).toBeGreaterThan(recorded);
    expect(made).toBeGreaterThan(claimed);
    expect(await the.statusOf()).toMatchObject({
      remediations: [{ machine: 'worker-1', request: { apiVersion: POWER_CYCLE.apiVersion, kind: 'PowerCycleRemediation' } }],
    });
    await recover('worker-1');
    expect(await the.record()).toEqual([]);
    expect(await the.asked()).toEqual([]);
  });

  test('[MH-009] holds no Machine twice and no history, however often a Machine fails', async () => {
    await the.check(external);
    for (let i = 0; i < 4; i++) {
      await fail('worker-1');
      expect(await the.record()).toEqual(['worker-1']);
      await recover('worker-1');
    }
    const { remediations, targets, conditions, ...rest } = await the.statusOf();
    expect({ remediations, machines: targets?.length, conditions: conditions?.length }).toEqual({
      remediations: [],
      machines: 5,
      conditions: 5,
    });
    expect(Object.keys(rest).toSorted()).toEqual([
      'currentHealthy',
      'deprecated',
      'expectedMachines',
      'observedGeneration',
      'remediationsAllowed',
    ]);
    expect(await the.says('worker-1')).toEqual({ HealthCheckSucceeded: 'True HealthCheckSucceeded' });
  });

  test('of an owner that is asked is the same, without a request', async () => {
    await the.check();
    await fail('worker-1');
    const [entry] = (await the.statusOf()).remediations ?? [];
    expect(entry).toMatchObject({ machine: 'worker-1', uid: (await the.machine('worker-1')).metadata.uid });
    expect(entry).not.toHaveProperty('request');
    await the.stage.admin.delete(Machine, inShop('worker-1'));
    await the.stage.advance(5 * SECOND);
    expect(await the.record()).toEqual([]);
  });

  test('that cannot be written blocks every request', async () => {
    await the.check(external);
    await the.stage.advance(5 * SECOND);
    const conflict = {
      code: 409,
      body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Conflict', message: 'stale', code: 409 },
    };
    the.stage.intercept = ({ method, path }) =>
      method === 'PATCH' && path.endsWith('machinehealthchecks/example/status') ? conflict : undefined;
    await fail('worker-1');
    expect(await the.says('worker-1')).toEqual({ HealthCheckSucceeded: 'False UnhealthyNode' });
    expect(await the.asked()).toEqual([]);
  });
});

test('a deleted check held by a finalizer starts nothing new, and does not block another check', async () => {
  await the.check(external);
  await fail('worker-1');
  await the.turn('worker-2', 'Unknown');
  await the.stage.advance(4 * MINUTE);
  await the.patch(MachineHealthCheck, 'example', { metadata: { finalizers: ['example.com/held'] } });
  // A second check marks it, which the first would go by.
  await the.check({ ...external, safeguards: { observeOnly: true } }, 'other');
  await the.stage.admin.delete(MachineHealthCheck, inShop('example'));
  await the.stage.advance(5 * MINUTE);
  expect(await the.says('worker-2')).toMatchObject({ HealthCheckSucceeded: 'False UnhealthyNode' });
  expect(await the.asked()).toEqual(['worker-1']);
  expect(await the.record()).toEqual(['worker-1']);
  expect(await the.gate()).toContain('False BeingDeleted: the check is being deleted since ');
  await the.patch(MachineHealthCheck, 'other', { spec: { safeguards: null } });
  await the.stage.advance(MINUTE);
  expect(await the.asked()).toEqual(['worker-1', 'worker-2']);
  expect(await the.record('other')).toContain('worker-2');
  await recover('worker-1');
  expect(await the.record()).toEqual([]);
});

test('while the gate is closed, objects that only a request needs are not read', async () => {
  await the.check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 1 }, templateRef: POWER_CYCLE } });
  await the.stage.advance(5 * SECOND);
  for (const name of ['worker-0', 'worker-1', 'worker-2']) await the.turn(name, 'Unknown');
  const seen = follow();
  await the.stage.advance(6 * MINUTE);
  expect(await the.statusOf()).toMatchObject({ currentHealthy: 2 });
  expect(seen.filter(({ method, path }) => method === 'GET' && /remediation|machines\//.test(path))).toEqual([]);
});

describe('a process that dies', () => {
  test('[MH-092] after the record: the next one makes the request, once', async () => {
    await the.check(external);
    the.stage.intercept = (request) => (isCreation(request) ? unavailable(MAKES_REQUEST)(request) : undefined);
    await fail('worker-1');
    expect(await the.record()).toEqual(['worker-1']);
    expect(await the.asked()).toEqual([]);
    const seen = follow();
    await the.restart();
    await the.stage.advance(2 * MINUTE);
    expect(await the.asked()).toEqual(['worker-1']);
    expect(seen.filter(isCreation)).toHaveLength(1);
    const made = await the.request('worker-1');
    await the.restart();
    await the.stage.advance(10 * MINUTE);
    expect((await the.request('worker-1'))?.metadata.uid).toBe(made?.metadata.uid);
  });

  test('after the record, and the gate has closed: no remediation is requested, and the Machine counts as one under remediation', async () => {
    await the.check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 1 }, templateRef: POWER_CYCLE } });
    the.stage.intercept = (request) => (isCreation(request) ? unavailable(MAKES_REQUEST)(request) : undefined);
    await fail('worker-1');
    await fail('worker-2');
    follow();
    await the.restart();
    await the.stage.advance(2 * MINUTE);
    expect(await the.record()).toEqual(['worker-1']);
    expect(await the.asked()).toEqual([]);
  });

  test('and comes back to send what it was about to: the request of a Machine that is well goes again', async () => {
    await the.check(external);
    const held: Draft[] = [];
    the.stage.intercept = (request) => {
      if (!isCreation(request)) return undefined;
      held.push(request.body as Draft);
      return unavailable(MAKES_REQUEST)(request);
    };
    await fail('worker-1');
    await the.restart();
    await recover('worker-1');
    await the.stage.advance(2 * MINUTE);
    expect(await the.record()).toEqual([]);
    await the.stage.admin.create(PowerCycleRemediation as Resource, held[0]!);
    await the.stage.advance(10 * MINUTE);
    expect(await the.asked()).toEqual([]);
  });
});

describe('a request whose remediator has to clear up', () => {
  const finalizers = ['example.com/clears-up'];

  test('[MH-113] stays recorded in status, and counts against the gate, until it is gone', async () => {
    await the.check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 1 }, templateRef: POWER_CYCLE } });
    await fail('worker-1');
    await the.patch(PowerCycleRemediation, 'worker-1', { metadata: { finalizers } });
    await recover('worker-1');
    expect((await the.request('worker-1'))?.metadata.deletionTimestamp).toBeDefined();
    expect(await the.statusOf()).toMatchObject({ currentHealthy: 5, remediations: [{ machine: 'worker-1' }] });
    await fail('worker-2');
    expect(await the.asked()).toEqual(['worker-1']);
    await the.patch(PowerCycleRemediation, 'worker-1', { metadata: { finalizers: null } });
    await the.stage.advance(30 * SECOND);
    expect(await the.asked()).toEqual(['worker-2']);
  });

  test('[MH-115] keeps a Machine that fails again from getting another', async () => {
    await the.check(external);
    await fail('worker-1');
    await the.patch(PowerCycleRemediation, 'worker-1', { metadata: { finalizers } });
    const { uid } = (await the.request('worker-1'))!.metadata;
    await recover('worker-1');
    await fail('worker-1');
    expect((await the.request('worker-1'))?.metadata.uid).toBe(uid);
    await the.patch(PowerCycleRemediation, 'worker-1', { metadata: { finalizers: null } });
    await the.stage.advance(2 * MINUTE);
    const next = await the.request('worker-1');
    expect(next?.metadata.uid).not.toBe(uid);
    expect(next?.metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('a Machine that is excluded during its remediation', () => {
  test('by skip-remediation: the request is withdrawn', async () => {
    await the.check(external);
    await fail('worker-1');
    await the.annotate(Machine, 'worker-1', { 'cluster.x-k8s.io/skip-remediation': '' });
    await the.stage.advance(5 * SECOND);
    expect(await the.asked()).toEqual([]);
    expect(await the.record()).toEqual([]);
    expect(await the.says('worker-1')).toEqual({});
  });

  test('by a check that is deleted: the Machine no longer reports a failure, so no remediator acts on the request', async () => {
    await the.check(external);
    await fail('worker-1');
    await the.stage.admin.delete(MachineHealthCheck, inShop('example'));
    await the.stage.advance(5 * SECOND);
    expect(await the.says('worker-1')).not.toHaveProperty('HealthCheckSucceeded');
  });

  test('by a pause: everything stays as it is until the pause is over', async () => {
    await the.check(external);
    await fail('worker-1');
    await the.annotate(Machine, 'worker-1', { 'cluster.x-k8s.io/paused': '' });
    await recover('worker-1');
    expect(await the.asked()).toEqual(['worker-1']);
    expect(await the.record()).toEqual(['worker-1']);
    await the.annotate(Machine, 'worker-1', { 'cluster.x-k8s.io/paused': null });
    await the.stage.advance(5 * SECOND);
    expect(await the.asked()).toEqual([]);
  });

  test('by a pause, and then deleted: its slot at the gate is free', async () => {
    await the.check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 1 } } });
    await fail('worker-1');
    await the.annotate(Machine, 'worker-1', { [ANNOTATIONS.paused]: '' });
    await fail('worker-2');
    expect(await the.record()).toEqual(['worker-1']);
    await the.stage.admin.delete(Machine, inShop('worker-1'));
    await the.stage.advance(2 * MINUTE);
    expect(await the.record()).toEqual(['worker-2']);
  });

  test('by a pause of the check, in which it recovers: the request is withdrawn when the pause ends', async () => {
    await the.check(external);
    await fail('worker-1');
    await the.annotate(MachineHealthCheck, 'example', { 'cluster.x-k8s.io/paused': '' });
    await recover('worker-1');
    expect(await the.asked()).toEqual(['worker-1']);
    await the.annotate(MachineHealthCheck, 'example', { 'cluster.x-k8s.io/paused': null });
    await the.stage.advance(5 * SECOND);
    expect(await the.asked()).toEqual([]);
  });
});

test('a Machine without an owner gets a request once its check has a template', async () => {
  await the.check();
  await fail('worker-1');
  expect(await the.says('worker-1')).toMatchObject({ HasRemediatingOwner: 'False NoOwner' });
  await the.patch(MachineHealthCheck, 'example', { spec: external });
  await the.stage.advance(2 * MINUTE);
  expect(await the.request('worker-1')).toBeDefined();
  expect(await the.says('worker-1')).not.toHaveProperty('OwnerRemediated');
});

describe('a template that is removed or changed', () => {
  test('leaves the open request alone; no other remediator is asked, and the request goes when the Machine is healthy', async () => {
    await the.check(external);
    await fail('worker-1');
    await the.patch(MachineHealthCheck, 'example', { spec: { remediation: null } });
    await the.stage.advance(5 * MINUTE);
    expect(await the.says('worker-1')).not.toHaveProperty('OwnerRemediated');
    expect(await the.request('worker-1')).toBeDefined();
    await recover('worker-1');
    expect(await the.asked()).toEqual([]);
  });

  test('for one of another kind: never two requests, and the new kind once the old one is gone', async () => {
    await the.check(external);
    await fail('worker-1');
    await the.patch(MachineHealthCheck, 'example', { spec: { remediation: { templateRef: PIPELINE } } });
    await the.stage.advance(5 * MINUTE);
    expect(await the.request('worker-1', PipelineRemediation)).toBeUndefined();
    await the.stage.admin.delete(PowerCycleRemediation, inShop('worker-1'));
    await the.stage.advance(2 * MINUTE);
    expect(await the.request('worker-1', PowerCycleRemediation)).toBeUndefined();
    expect(await the.request('worker-1', PipelineRemediation)).toBeDefined();
    await recover('worker-1');
    expect(await the.asked()).toEqual([]);
  });
});

test.each([
  { title: 'through the owner', next: {} },
  { title: 'with requests of another kind', next: { remediation: { templateRef: PIPELINE } } },
])('a recreated check, $title, waits for a remediator at work that does not name its check', async ({ next }) => {
  await the.check(external);
  await fail('worker-1');
  await report('worker-1', [{ reason: 'InProgress', message: 'power cycling, attempt 1' }]);
  await the.stage.admin.delete(MachineHealthCheck, inShop('example'));
  await the.check(next);
  await the.stage.advance(10 * MINUTE);
  expect(await the.request('worker-1', PipelineRemediation)).toBeUndefined();
  expect(await the.says('worker-1')).not.toHaveProperty('OwnerRemediated');
  expect(await the.record('example')).toEqual([]);
  const gate = async () => (await the.statusOf('example')).conditions?.find(({ type }) => type === 'RemediationAllowed');
  expect((await gate())?.message).toMatch(/^left to the remediators .* on worker-1\./);
  await report('worker-1', [{ reason: 'Done', message: '', status: 'True' }]);
  await the.stage.advance(10 * MINUTE);
  expect(await the.record('example')).toEqual(['worker-1']);
  expect(await gate()).toMatchObject({ status: 'True', message: '' });
});

describe('what keeps a request from being made is said on the Machine, and only once', () => {
  const saysOfRequest = async () => (await the.machine('worker-1')).status?.conditions?.find(({ type }) => type === 'ExternallyRemediated');
  const version = async () => (await the.machine('worker-1')).metadata.resourceVersion;

  test('and no more when the Machine is well, although its check asks its owner now', async () => {
    await the.check({ remediation: { templateRef: { ...POWER_CYCLE, name: 'none' } } });
    await fail('worker-1');
    expect(await saysOfRequest()).toMatchObject({ status: 'False', reason: 'RemediationTemplateNotFound' });
    await the.patch(MachineHealthCheck, 'example', { spec: { remediation: null, safeguards: { observeOnly: true } } });
    await recover('worker-1');
    expect(await saysOfRequest()).toBeUndefined();
  });

  test.each([
    { why: 'no right to make it', method: 'POST', code: 403, reason: 'Forbidden', says: 'RemediationRequestCreationFailed' },
    { why: 'a kind that is not served', method: 'POST', code: 404, reason: 'NotFound', says: 'RemediationRequestCreationFailed' },
    { why: 'a webhook that says no', method: 'POST', code: 422, reason: 'Invalid', says: 'RemediationRequestCreationFailed' },
    { why: 'no right to read it', method: 'GET', code: 403, reason: 'Forbidden', says: 'RemediationRequestUnreadable' },
  ])('$why', async ({ method, code, reason, says }) => {
    await the.check(external);
    the.stage.intercept = (request) =>
      request.method === method && /powercycleremediations/.test(request.path)
        ? { code, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, message: 'no such luck', code } }
        : undefined;
    await fail('worker-1');
    await the.stage.advance(10 * MINUTE);
    expect(await saysOfRequest()).toMatchObject({ status: 'False', reason: says });
    if (method === 'GET') expect((await saysOfRequest())?.message).toContain('no such luck');
    const before = await version();
    await the.stage.advance(30 * MINUTE);
    expect(await version()).toBe(before);
    the.stage.intercept = () => undefined;
    await the.stage.advance(15 * MINUTE);
    expect(await the.request('worker-1')).toBeDefined();
    expect(await saysOfRequest()).toMatchObject({ status: 'False', reason: 'WaitingForRemediation' });
    await recover('worker-1');
    expect(await the.says('worker-1')).toEqual({ HealthCheckSucceeded: 'True HealthCheckSucceeded' });
  });

  test('a request that a person deletes is made again, and the Machine says again that it is awaited', async () => {
    await the.check(external);
    await fail('worker-1');
    await the.stage.admin.delete(PowerCycleRemediation, inShop('worker-1'));
    await the.stage.advance(2 * MINUTE);
    expect(await the.request('worker-1')).toBeDefined();
    expect(await saysOfRequest()).toMatchObject({ reason: 'WaitingForRemediation' });
  });
});

test('a request that a person made is neither adopted nor deleted, and no other remediator is asked meanwhile', async () => {
  await the.check(external);
  const { apiVersion, kind, spec } = PowerCycleRemediation.sample;
  await the.stage.admin.create(PowerCycleRemediation, { apiVersion, kind, metadata: inShop('worker-1'), spec });
  const { uid } = (await the.request('worker-1'))!.metadata;
  await fail('worker-1');
  expect((await the.request('worker-1'))?.metadata.uid).toBe(uid);
  expect(await the.record()).toEqual([]);
  await recover('worker-1');
  await the.stage.advance(20 * MINUTE);
  expect((await the.request('worker-1'))?.metadata.uid).toBe(uid);
});

test('a deleted check held by a finalizer completes the remediation of its Machines', async () => {
  await the.check(external);
  await the.patch(MachineHealthCheck, 'example', { metadata: { finalizers: ['a.example/b'] } });
  await fail('worker-1');
  await the.stage.admin.delete(MachineHealthCheck, inShop('example'));
  await recover('worker-1');
  await the.stage.advance(MINUTE);
  expect(await the.says('worker-1')).toMatchObject({ HealthCheckSucceeded: 'True HealthCheckSucceeded' });
  expect(await the.asked()).toEqual([]);
  expect(await the.record()).toEqual([]);
  await the.patch(MachineHealthCheck, 'example', { metadata: { finalizers: null } });
});

describe('two checks over one Machine', () => {
  test('[MH-148] both say so, and name the other', async () => {
    await the.check(external, 'first');
    await the.check({}, 'second');
    await the.stage.advance(5 * SECOND);
    const overlap = async (check: string) => (await the.statusOf(check)).conditions?.find(({ type }) => type === 'Overlapping');
    expect(await overlap('first')).toMatchObject({
      status: 'True',
      message: expect.stringContaining(' by MachineHealthCheck second') as string,
    });
    expect(await overlap('second')).toMatchObject({
      status: 'True',
      message: expect.stringContaining(' by MachineHealthCheck first') as string,
    });
  });

  test.each([
    { title: 'with requests of two kinds', second: { remediation: { templateRef: PIPELINE } } },
    { title: 'one through the owner', second: {} },
    { title: '[MH-094] with requests of one kind', second: external },
  ])('$title: one of them asks, the other waits', async ({ second }) => {
    await the.check(external, 'first');
    await the.check(second, 'second');
    await the.stage.advance(5 * SECOND);
    await fail('worker-1');
    await the.stage.advance(10 * MINUTE);
    expect(await the.asked()).toEqual(['worker-1']);
    await recover('worker-1');
    await the.stage.advance(MINUTE);
    const open = (await the.asked()).filter(() => true);
    // A request to an owner is for the owner to clear.
    expect(open.length).toBeLessThanOrEqual((await the.says('worker-1')).OwnerRemediated === undefined ? 0 : 1);
  });

  test.each([
    { title: 'one through the owner', second: {} },
    { title: 'with requests of two kinds', second: { remediation: { templateRef: PIPELINE } } },
    { title: 'with requests of one kind', second: external },
  ])('$title: one waits for the other, whatever the remediator of that one writes over its claim', async ({ second }) => {
    await the.check(external, 'first');
    await fail('worker-1');
    for (const reported of [[{ reason: 'InProgress', message: 'power cycling, attempt 1' }], []]) {
      await report('worker-1', reported);
      await the.check(second, `second-${reported.length}`);
      await the.stage.advance(5 * MINUTE);
      expect(await the.asked()).toEqual(['worker-1']);
      expect(await the.says('worker-1')).not.toHaveProperty('OwnerRemediated');
      expect(await the.record(`second-${reported.length}`)).toEqual([]);
    }
    await recover('worker-1');
    await the.stage.advance(MINUTE);
    expect(await the.asked()).toEqual([]);
    await fail('worker-1');
    expect(await the.asked()).toEqual(['worker-1']);
  });

  test.each([
    { title: 'one through the owner', second: {} },
    { title: 'with requests of two kinds', second: { remediation: { templateRef: PIPELINE } } },
  ])('$title: one waits for the other also when that cannot be carried out any more', async ({ second }) => {
    await the.check({ remediationTemplate: POWER_CYCLE }, 'first');
    await fail('worker-1');
    await report('worker-1', [{ reason: 'InProgress', message: 'power cycling, attempt 1' }]);
    await the.check(second, 'second');
    await the.patch(MachineHealthCheck, 'first', { spec: { remediationTemplate: { ...POWER_CYCLE, namespace: 'elsewhere' } } });
    await the.stage.advance(5 * MINUTE);
    expect(await the.record('first')).toEqual(['worker-1']);
    expect(await the.record('second')).toEqual([]);
    expect(await the.says('worker-1')).not.toHaveProperty('OwnerRemediated');
  });

  test('while one of them is paused, the other starts nothing: the reported gate of the paused one may be stale', async () => {
    await the.check(external, 'first');
    await the.check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 1 } } }, 'second');
    await the.stage.advance(5 * SECOND);
    await the.annotate(MachineHealthCheck, 'second', { [ANNOTATIONS.paused]: 'true' });
    await fail('worker-1');
    await fail('worker-2');
    expect(await the.asked()).toEqual([]);
    await the.annotate(MachineHealthCheck, 'second', { [ANNOTATIONS.paused]: null });
    await the.stage.advance(5 * SECOND);
    expect(await the.asked()).toEqual([]);
    await recover('worker-2');
    await the.stage.advance(5 * SECOND);
    expect(await the.asked()).toEqual(['worker-1']);
  });

  test('one reports late about its new spec: the other continues once it has', async () => {
    const full = (timeoutSeconds: number) => ({ checks: { unhealthyNodeConditions: [{ type: 'Disk', status: 'True', timeoutSeconds }] } });
    await the.check({}, 'first');
    await the.check(full(300), 'second');
    await the.stage.advance(5 * SECOND);
    await the.turn('worker-1', 'Unknown');
    await the.stage.advance(4 * MINUTE + 50 * SECOND);
    the.stage.intercept = unavailable(/second\/status$/);
    await the.patch(MachineHealthCheck, 'second', { spec: full(400) });
    await the.stage.advance(20 * SECOND);
    expect(await the.asked()).toEqual([]);
    the.stage.intercept = () => undefined;
    await the.stage.advance(MINUTE);
    expect(await the.asked()).toEqual(['worker-1']);
  });

  test('an orphaned request of a deleted check is taken over by the other', async () => {
    await the.check(external, 'first');
    await fail('worker-1');
    await the.stage.admin.delete(MachineHealthCheck, inShop('first'));
    await the.check({ remediation: { templateRef: PIPELINE } }, 'second');
    await the.stage.advance(5 * MINUTE);
    expect(await the.asked()).toEqual(['worker-1']);
    expect(await the.record('second')).toEqual(['worker-1']);
    await recover('worker-1');
    expect(await the.asked()).toEqual([]);
  });

  test.each([
    { reason: 'the request of the other is left alone', isGone: false },
    { reason: 'a request taken over from a deleted check is withdrawn', isGone: true },
  ])('when one of them no longer selects the Machine: $reason', async ({ isGone }) => {
    await the.check(external);
    await fail('worker-1');
    const open = await the.request('worker-1');
    if (isGone) await the.stage.admin.delete(MachineHealthCheck, inShop('example'));
    await the.check({ ...external, selector: { matchLabels: { role: 'none' } } }, 'another');
    const { uid } = (await the.machine('worker-1')).metadata;
    const request = { apiVersion: POWER_CYCLE.apiVersion, kind: PowerCycleRemediation.kind };
    const remediations = [{ machine: 'worker-1', uid, since: '2026-01-01T00:00:00Z', request }];
    await the.stage.admin.patchStatus(MachineHealthCheck, inShop('another'), { type: 'merge', body: { status: { remediations } } });
    await the.annotate(MachineHealthCheck, 'another', { looked: 'again' });
    await the.stage.advance(MINUTE);
    expect(await the.record('another')).toEqual([]);
    expect((await the.request('worker-1'))?.metadata.uid).toBe(isGone ? undefined : open?.metadata.uid);
  });
});

test('requests that the server refuses do not block the withdrawal of other requests', async () => {
  await the.fleet(40, { role: 'worker' }, 'a-');
  await the.check(external);
  await fail('worker-1');
  the.stage.intercept = ({ method, path }) =>
    method === 'POST' && MAKES_REQUEST.test(path)
      ? {
          code: 403,
          body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', message: 'exceeded quota', code: 403 },
        }
      : undefined;
  for (let i = 0; i < 40; i++) await the.turn(`a-${i}`, 'Unknown');
  await the.stage.advance(6 * MINUTE);
  await recover('worker-1');
  await the.stage.advance(5 * MINUTE);
  expect(await the.request('worker-1')).toBeUndefined();
});
