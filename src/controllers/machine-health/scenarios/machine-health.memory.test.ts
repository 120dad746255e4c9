import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Node, type NodeCondition } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { PowerCycleRemediationTemplate } from '../../../api/power-cycle-remediation/power-cycle-remediation-template.ts';
import { MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { Stage } from '../../testing/stage.ts';
import { createMachineHealthControllers } from '../index.ts';

const NAMESPACE = 'shop';
let stage: Stage;
let evaluations: number;

beforeEach(async () => {
  evaluations = 0;
  stage = await Stage.start({
    kinds: [Machine, MachineHealthCheck, PowerCycleRemediation, PowerCycleRemediationTemplate],
    controllers: createMachineHealthControllers(() => ({ allowRemediateAnnotation: false }), { evaluated: () => evaluations++ }),
  });
});
afterEach(async () => {
  expect(stage.troubles).toEqual([]);
  await stage.end();
});

const key = (name: string) => ({ namespace: NAMESPACE, name });

/** Machines with a Node each, all well. */
async function fleet(size: number, labels = { role: 'worker' }): Promise<void> {
  for (let i = 0; i < size; i++) {
    const name = `worker-${i}`;
    await stage.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
    await turnReady(name, 'True');
    await machineOn(name, { ...key(name), labels });
  }
  await stage.settle();
}

async function machineOn(
  node: string,
  metadata: { readonly namespace: string; readonly name: string; readonly labels: object },
): Promise<void> {
  const { namespace, name, labels } = metadata;
  await stage.admin.create(Machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { namespace, name, labels: { ...labels } },
    spec: {},
  });
  await stage.admin.patchStatus(Machine, { namespace, name }, { type: 'merge', body: { status: { nodeRef: { name: node } } } });
}

async function turnReady(name: string, status: NodeCondition['status']): Promise<void> {
  const now = toTime(stage.clock.now());
  const ready = { type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: now, lastHeartbeatTime: now };
  await stage.admin.patchStatus(Node, { namespace: '', name }, { type: 'merge', body: { status: { conditions: [ready] } } });
  await stage.settle();
}

async function heartbeat(name: string): Promise<void> {
  const { status } = await stage.admin.get(Node, { namespace: '', name });
  const conditions = status!.conditions!.map((condition) => ({ ...condition, lastHeartbeatTime: toTime(stage.clock.now()) }));
  await stage.admin.patchStatus(Node, { namespace: '', name }, { type: 'merge', body: { status: { conditions } } });
  await stage.settle();
}

const template = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: PowerCycleRemediationTemplate.kind, name: 'cycle' };

async function check(spec: object = {}): Promise<void> {
  // As it is written in the proposal: through the oldest version.
  await stage.admin.create(
    { ...MachineHealthCheck, version: 'v1alpha3' },
    {
      apiVersion: 'cluster.x-k8s.io/v1alpha3',
      kind: 'MachineHealthCheck',
      metadata: key('example'),
      spec: {
        selector: { matchLabels: { role: 'worker' } },
        unhealthyConditions: [{ type: 'Ready', status: 'Unknown', timeout: '5m' }],
        maxUnhealthy: '40%',
        ...spec,
      },
    },
  );
  await stage.settle();
}

async function conditionsOf(name: string): Promise<Readonly<Record<string, string>>> {
  const { status } = await stage.admin.get(Machine, key(name));
  return Object.fromEntries(
    (status?.conditions ?? []).map((condition) => [condition.type, `${condition.status} ${condition.reason ?? ''}`]),
  );
}

const statusOfCheck = async () => (await stage.admin.get(MachineHealthCheck, key('example'))).status;
const request = (name: string) => stage.admin.get(PowerCycleRemediation, key(name)).catch(() => undefined);

async function putTemplate(): Promise<void> {
  const { metadata: _, ...sample } = PowerCycleRemediationTemplate.sample;
  await stage.admin.create(PowerCycleRemediationTemplate, { ...sample, metadata: key('cycle') });
}

describe('on a server with the real schemas', () => {
  test('[MH-001] without a check nothing is reported, however long a Node is unhealthy', async () => {
    await fleet(2);
    await turnReady('worker-0', 'Unknown');
    await stage.advance(60 * MINUTE);
    expect(await conditionsOf('worker-0')).toEqual({});
  });

  test('[MH-069] [MH-073] [MH-075] Machines that pass their first check say so, and are counted', async () => {
    await fleet(5);
    await check();
    await stage.advance(SECOND);
    expect(await conditionsOf('worker-4')).toMatchObject({ HealthCheckSucceeded: 'True HealthCheckSucceeded' });
    expect(await conditionsOf('worker-4')).not.toHaveProperty('OwnerRemediated');
    expect(await statusOfCheck()).toMatchObject({
      expectedMachines: 5,
      currentHealthy: 5,
      targets: ['worker-0', 'worker-1', 'worker-2', 'worker-3', 'worker-4'],
    });
  });

  test('[MH-026] [MH-070] [MH-076] [MH-134] a Node that stays unhealthy marks its Machine, and remediation is requested from the owner', async () => {
    await fleet(5);
    await check();
    await turnReady('worker-0', 'Unknown');
    await stage.advance(5 * MINUTE);
    expect(await conditionsOf('worker-0')).toMatchObject({ HealthCheckSucceeded: 'True HealthCheckSucceeded' });
    await stage.advance(2 * SECOND);
    expect(await conditionsOf('worker-0')).toMatchObject({
      HealthCheckSucceeded: 'False UnhealthyNode',
      OwnerRemediated: 'False WaitingForRemediation',
    });
    expect(await statusOfCheck()).toMatchObject({ expectedMachines: 5, currentHealthy: 4 });
    expect(stage.told).toContain('MachineMarkedUnhealthy');
  });

  test('[MH-140] [MH-027] too many at once are marked but not remediated, until enough have recovered', async () => {
    await fleet(5);
    await check();
    await turnReady('worker-0', 'Unknown');
    await turnReady('worker-1', 'Unknown');
    await stage.advance(6 * MINUTE);
    expect(await conditionsOf('worker-0')).toEqual({ HealthCheckSucceeded: 'False UnhealthyNode' });
    await turnReady('worker-1', 'True');
    await stage.advance(2 * SECOND);
    expect(await conditionsOf('worker-0')).toMatchObject({ OwnerRemediated: 'False WaitingForRemediation' });
    expect(await conditionsOf('worker-1')).toEqual({ HealthCheckSucceeded: 'True HealthCheckSucceeded' });
  });

  test('a paused check reports nothing about its Machines, and continues when it is resumed', async () => {
    await fleet(3);
    await check({ maxUnhealthy: '100%' });
    const pause = (paused: string | null) =>
      stage.admin.patch(MachineHealthCheck, key('example'), {
        type: 'merge',
        body: { metadata: { annotations: { 'cluster.x-k8s.io/paused': paused } } },
      });
    await pause('');
    await turnReady('worker-0', 'Unknown');
    await stage.advance(6 * MINUTE);
    expect(await conditionsOf('worker-0')).toEqual({ HealthCheckSucceeded: 'True HealthCheckSucceeded' });
    await pause(null);
    await stage.advance(2 * SECOND);
    expect(await conditionsOf('worker-0')).toMatchObject({ HealthCheckSucceeded: 'False UnhealthyNode' });
  });

  test('[MH-002] [MH-046] [MH-047] only Machines that it selects, in its own namespace', async () => {
    await fleet(3, { role: 'storage' });
    await machineOn('worker-0', { ...key('selected'), labels: { role: 'worker' } });
    await machineOn('worker-0', { namespace: 'sickbay-system', name: 'selected', labels: { role: 'worker' } });
    await check({ maxUnhealthy: 2 });
    await turnReady('worker-0', 'Unknown');
    await stage.advance(6 * MINUTE);
    expect(await conditionsOf('selected')).toMatchObject({
      HealthCheckSucceeded: 'False UnhealthyNode',
      OwnerRemediated: 'False WaitingForRemediation',
    });
    expect(await conditionsOf('worker-0')).toEqual({});
    expect((await stage.admin.get(Machine, { namespace: 'sickbay-system', name: 'selected' })).status?.conditions).toBeUndefined();
    expect(await statusOfCheck()).toMatchObject({ expectedMachines: 1, currentHealthy: 0, targets: ['selected'] });
  });
});

describe('with a template', () => {
  const external = { maxUnhealthy: '100%', externalRemediationTemplate: template };

  test('[MH-086] [MH-089] [MH-090] [MH-091] [MH-095] an unhealthy Machine gets a request of its own name, owned by it', async () => {
    await fleet(3);
    await putTemplate();
    await check(external);
    await turnReady('worker-1', 'Unknown');
    await stage.advance(6 * MINUTE);
    const made = await request('worker-1');
    const { uid } = (await stage.admin.get(Machine, key('worker-1'))).metadata;
    expect(made).toMatchObject({
      metadata: { name: 'worker-1', namespace: NAMESPACE, ownerReferences: [{ kind: 'Machine', name: 'worker-1', uid }] },
      spec: PowerCycleRemediationTemplate.sample.spec.template.spec,
    });
    expect(await conditionsOf('worker-1')).toMatchObject({ ExternallyRemediated: 'False WaitingForRemediation' });
    expect(await conditionsOf('worker-1')).not.toHaveProperty('OwnerRemediated');
    expect(await request('worker-0')).toBeUndefined();
  });

  test('[MH-093] [MH-100] [MH-101] [MH-097] the request stays while the Node is unhealthy, and goes when it is healthy', async () => {
    await fleet(3);
    await putTemplate();
    await check(external);
    await turnReady('worker-1', 'Unknown');
    await stage.advance(6 * MINUTE);
    const { uid } = (await request('worker-1'))!.metadata;
    await stage.advance(60 * MINUTE);
    expect((await request('worker-1'))?.metadata.uid).toBe(uid);
    await turnReady('worker-1', 'True');
    await stage.advance(3 * SECOND);
    expect(await request('worker-1')).toBeUndefined();
    expect(await conditionsOf('worker-1')).toEqual({ HealthCheckSucceeded: 'True HealthCheckSucceeded' });
  });

  test('[MH-103] an open request keeps no other Machine from getting its own, in the same pass or later', async () => {
    await fleet(4);
    await putTemplate();
    await check(external);
    await turnReady('worker-1', 'Unknown');
    await stage.advance(6 * MINUTE);
    const { uid } = (await request('worker-1'))!.metadata;
    await turnReady('worker-2', 'Unknown');
    await turnReady('worker-3', 'Unknown');
    await stage.advance(6 * MINUTE);
    expect(await request('worker-2')).toBeDefined();
    expect(await request('worker-3')).toBeDefined();
    expect((await request('worker-1'))?.metadata.uid).toBe(uid);
  });

  test('[MH-104] [MH-105] a template that is missing is named on the Machine; once there, it is used', async () => {
    await fleet(3);
    await check(external);
    await turnReady('worker-1', 'Unknown');
    await turnReady('worker-2', 'Unknown');
    await stage.advance(6 * MINUTE);
    expect(await conditionsOf('worker-1')).toEqual({
      HealthCheckSucceeded: 'False UnhealthyNode',
      ExternallyRemediated: 'False RemediationTemplateNotFound',
    });
    const { status } = await stage.admin.get(Machine, key('worker-1'));
    const why = status?.conditions?.find(({ type }) => type === 'ExternallyRemediated')?.message;
    expect(why).toMatch(/PowerCycleRemediationTemplate \S*cycle does not exist/);
    await putTemplate();
    await stage.advance(MINUTE);
    expect(await request('worker-1')).toBeDefined();
    expect(await request('worker-2')).toBeDefined();
    expect(await conditionsOf('worker-2')).toMatchObject({ ExternallyRemediated: 'False WaitingForRemediation' });
  });

  test('[MH-102] the request goes while the gate is closed too', async () => {
    await fleet(5);
    await putTemplate();
    await check({ ...external, maxUnhealthy: '40%' });
    await turnReady('worker-0', 'Unknown');
    await stage.advance(6 * MINUTE);
    expect(await request('worker-0')).toBeDefined();
    await turnReady('worker-1', 'Unknown');
    await turnReady('worker-2', 'Unknown');
    await turnReady('worker-0', 'True');
    await stage.advance(3 * SECOND);
    expect(await request('worker-0')).toBeUndefined();
  });
});

describe('work per event', () => {
  test('a heartbeat costs nothing, a Node that changes costs its own Machine', async () => {
    await fleet(20);
    await check();
    await stage.advance(5 * SECOND);
    evaluations = 0;
    await heartbeat('worker-3');
    await stage.advance(5 * SECOND);
    expect(evaluations).toBe(0);
    await turnReady('worker-3', 'Unknown');
    await stage.advance(5 * SECOND);
    expect(evaluations).toBe(1);
  });
});
