import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigMap, Node, Pod, Secret, type NodeCondition } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { PowerCycleRemediationTemplate } from '../../../api/power-cycle-remediation/power-cycle-remediation-template.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { ledgerKey } from '../../budget/index.ts';
import { createMachineHealthControllers, type Definitions } from '../../machine-health/index.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../settings.ts';
import { Stage, unavailable } from '../../testing/stage.ts';
import { createPowerCalls, createPowerCycleController, POWER_CALL, PowerNotes } from './index.ts';
import { SimBmc } from './testing/sim-bmc.ts';

const NAMESPACE = 'shop';
const NAME = 'worker-0';
const KEY = { namespace: NAMESPACE, name: NAME };
const SECRET = { namespace: NAMESPACE, name: `${NAME}-bmc` };
const ANOTHER = 'https://bmc-of-another';
const CHECK = { namespace: NAMESPACE, name: 'workers' };
let stage: Stage;
let bmc: SimBmc;
let settings: Settings;
let ending: AbortController;

beforeEach(() => start());
afterEach(async () => {
  expect(stage.troubles).toEqual([]);
  ending.abort();
  await stage.end();
});

async function start(definitions: Definitions = 'sickbay'): Promise<void> {
  bmc = new SimBmc();
  settings = DEFAULT_SETTINGS;
  ending = new AbortController();
  const notes = new PowerNotes();
  stage = await Stage.start({
    kinds: [Machine, MachineHealthCheck, PowerCycleRemediation, PowerCycleRemediationTemplate, WorkflowExecution],
    controllers: [
      ...createMachineHealthControllers(() => ({ ...settings.machineHealth }), undefined, definitions),
      createPowerCycleController({ settings: () => settings, door: bmc, notes, definitions }),
    ],
    calls: ({ client, log, clock }) => ({ [POWER_CALL]: createPowerCalls({ client, log, clock, door: bmc, notes, definitions }) }),
  });
  await machine();
}

async function machine(): Promise<void> {
  await stage.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: NAME } });
  await turnReady('True');
  await stage.admin.create(Machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...KEY, labels: { role: 'worker' } },
    spec: { clusterName: 'here' },
  });
  await stage.admin.patchStatus(Machine, KEY, { type: 'merge', body: { status: { nodeRef: { name: NAME } } } });
  await secret();
}

/** A pod on the Node, for whose sake it is marked. */
const workload = () =>
  stage.admin.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: NAMESPACE, name: 'web' },
    spec: { nodeName: NAME, containers: [{ name: 'web', image: 'web' }] },
  });

async function secret(): Promise<void> {
  await stage.admin.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: SECRET, data: dataOf('https://bmc-0') });
}

function dataOf(address: string): Record<string, string> {
  const data = { address, username: 'admin', password: 'secret-of-the-host' };
  return Object.fromEntries(Object.entries(data).map(([entry, text]) => [entry, Buffer.from(text).toString('base64')]));
}

/** The Secret is changed so that it leads to this host. */
const leadTo = (address: string) => stage.admin.patch(Secret, SECRET, { type: 'merge', body: { data: dataOf(address) } });

async function turnReady(status: NodeCondition['status']): Promise<void> {
  const ready = { type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: toTime(stage.clock.now()) };
  await stage.admin.patchStatus(Node, { namespace: '', name: NAME }, { type: 'merge', body: { status: { conditions: [ready] } } });
  await stage.settle();
}

async function check(spec: object = {}, safeguards?: object, metadata: object = {}): Promise<void> {
  await stage.admin.create(PowerCycleRemediationTemplate, {
    apiVersion: 'remediation.sickbay.dev/v1alpha1',
    kind: PowerCycleRemediationTemplate.kind,
    metadata: { namespace: NAMESPACE, name: 'cycle' },
    spec: { template: { spec } },
  });
  await stage.admin.create(MachineHealthCheck, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { ...CHECK, ...metadata },
    spec: {
      clusterName: 'here',
      ...(safeguards && { safeguards }),
      selector: { matchLabels: { role: 'worker' } },
      checks: { unhealthyNodeConditions: ['Unknown', 'False'].map((status) => ({ type: 'Ready', status, timeoutSeconds: 60 })) },
      remediation: {
        templateRef: { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: PowerCycleRemediationTemplate.kind, name: 'cycle' },
      },
    },
  });
  await stage.settle();
}

/** The Node stops to report, or reports that it is ill, and its Machine is found ill. */
async function fallIll(status: 'Unknown' | 'False' = 'Unknown'): Promise<void> {
  await turnReady(status);
  await stage.advance(62 * SECOND);
}

const changeCheck = (body: object) => stage.admin.patch(MachineHealthCheck, CHECK, { type: 'merge', body });
/** The annotation that pauses the check, or null to take it off. */
const pause = (value: '' | null) => changeCheck({ metadata: { annotations: { 'cluster.x-k8s.io/paused': value } } });
const request = () => stage.admin.get(PowerCycleRemediation, KEY).catch(() => undefined);
const statusOf = async () => (await request())?.status ?? {};
const taints = async () => ((await stage.admin.get(Node, { namespace: '', name: NAME })).spec?.taints ?? []).map(({ key }) => key);
const host = () => bmc.host('https://bmc-0');
const conditionsOf = async () => {
  const { status } = await stage.admin.get(Machine, KEY);
  return Object.fromEntries((status?.conditions ?? []).map((one) => [one.type, `${one.status} ${one.reason ?? ''}`]));
};
const claims = async () =>
  Object.values((await stage.admin.get(ConfigMap, ledgerKey('sickbay-system'))).data ?? {}).map((text) => JSON.parse(text) as object);

describe('on a server with the real schemas', () => {
  test('[MH-038] [MH-110] a transient fault is cured by one power cycle', async () => {
    await check();
    const { uid } = (await stage.admin.get(Machine, KEY)).metadata;
    await fallIll();
    expect(await request()).toBeDefined();
    await stage.advance(MINUTE);
    expect(host().heard).toEqual(['off', 'on']);
    expect(await statusOf()).toMatchObject({ phase: 'waiting', retryCount: 0 });
    expect(stage.phases.filter((phase) => phase !== 'pending')).toEqual(['power-off', 'freeing', 'power-on', 'waiting']);
    await turnReady('True');
    await stage.advance(MINUTE);
    expect([(await request())?.metadata.deletionTimestamp, (await statusOf()).message]).toEqual([
      expect.any(String),
      'the host is on; making sure that it stays so',
    ]);
    await stage.advance(MINUTE + 5 * SECOND);
    expect(await request()).toBeUndefined();
    expect((await stage.admin.get(Machine, KEY)).metadata.uid).toBe(uid);
    expect([host().power, await taints()]).toEqual(['On', []]);
    expect(await claims()).toEqual([expect.objectContaining({ node: NAME, endedAt: expect.any(String) as string })]);
  });

  test('[MH-039] [MH-108] [MH-128] what does not help is visible at once, on the request and as an Event', async () => {
    host().isStuck = true;
    await check();
    await fallIll();
    await stage.advance(2 * MINUTE + 5 * SECOND);
    expect(await statusOf()).toMatchObject({
      phase: 'backoff',
      retryCount: 0,
      message: expect.stringContaining('did not report that it is off within 120 s; retry 1 begins') as string,
    });
    expect(stage.told).toContain('PowerCycleUnsuccessful');
    await stage.advance(MINUTE);
    expect(await statusOf()).toMatchObject({ phase: 'power-off', retryCount: 1 });
  });

  test('[MH-040] it goes on for as long as the Node is ill, and the request goes when the fault is mended', async () => {
    await check({ nodeTimeoutSeconds: 60 });
    await fallIll();
    await stage.advance(120 * MINUTE);
    const { retryCount = 0 } = await statusOf();
    expect(retryCount).toBeGreaterThan(4);
    expect(await conditionsOf()).not.toHaveProperty('OwnerRemediated');
    await turnReady('True');
    await stage.advance(2 * MINUTE);
    expect([await request(), host().power, await taints()]).toEqual([undefined, 'On', []]);
  });

  test('[MH-124] [MH-034] with escalate the owner is asked after exactly so many retries, each with a cycle of its own', async () => {
    await check({ strategy: 'escalate', deleteAfterRetries: 2, nodeTimeoutSeconds: 30 });
    await fallIll();
    await stage.advance(60 * MINUTE);
    expect(await statusOf()).toMatchObject({ phase: 'escalated', retryCount: 2 });
    expect(host().heard).toEqual(['off', 'on', 'off', 'on', 'off', 'on']);
    expect(await conditionsOf()).toMatchObject({
      OwnerRemediated: 'False WaitingForRemediation',
      HealthCheckSucceeded: 'False UnhealthyNode',
    });
    expect(stage.told).toContain('Escalated');
    // Each attempt counts for the hour.
    expect(await claims()).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ endedAt: expect.any(String) as string }) as object),
    );
  });

  test('a Machine that was given up, recovered and fails again is cycled anew: its owner is not asked for what nobody tried to mend', async () => {
    await check({ strategy: 'escalate', deleteAfterRetries: 0, nodeTimeoutSeconds: 300 }, { healthyDelay: '30m' });
    await fallIll();
    await stage.advance(10 * MINUTE);
    expect([(await statusOf()).phase, await conditionsOf()]).toMatchObject([
      'escalated',
      { OwnerRemediated: 'False WaitingForRemediation' },
    ]);
    await turnReady('True');
    await stage.advance(5 * MINUTE);
    host().heard.length = 0;
    await fallIll();
    await stage.advance(3 * MINUTE);
    expect([host().heard, await statusOf()]).toMatchObject([['off', 'on'], { phase: 'waiting', retryCount: 0 }]);
    expect(await conditionsOf()).not.toHaveProperty('OwnerRemediated');
    await stage.advance(10 * MINUTE);
    expect([(await statusOf()).phase, await conditionsOf()]).toMatchObject([
      'escalated',
      { OwnerRemediated: 'False WaitingForRemediation' },
    ]);
  });

  test('the owner is asked although Machines could not be read when the Machine was given up', async () => {
    await check({ strategy: 'escalate', deleteAfterRetries: 0, nodeTimeoutSeconds: 300 });
    await fallIll();
    await stage.advance(MINUTE);
    const busy = unavailable(/\/machines\/worker-0(\/status)?$/);
    let isGivenUp = false;
    stage.intercept = (call) => {
      isGivenUp ||= JSON.stringify(call.body ?? '').includes('"escalated"');
      return isGivenUp ? busy(call) : undefined;
    };
    await stage.advance(6 * MINUTE);
    expect([(await statusOf()).phase, await conditionsOf()]).toMatchObject(['escalated', { HealthCheckSucceeded: 'False UnhealthyNode' }]);
    expect(await conditionsOf()).not.toHaveProperty('OwnerRemediated');
    stage.intercept = () => undefined;
    stage.troubles.length = 0;
    await stage.advance(MINUTE);
    expect(await conditionsOf()).toMatchObject({ OwnerRemediated: 'False WaitingForRemediation' });
  });

  test('one that was given up and fails anew is cycled anew although its check could not be read then', async () => {
    await check({ strategy: 'escalate', deleteAfterRetries: 0, nodeTimeoutSeconds: 300 }, { healthyDelay: '30m' });
    await fallIll();
    await stage.advance(10 * MINUTE);
    expect((await statusOf()).phase).toBe('escalated');
    await turnReady('True');
    await stage.advance(5 * MINUTE);
    host().heard.length = 0;
    stage.intercept = unavailable(/\/machinehealthchecks\/workers$/);
    await fallIll();
    await stage.advance(MINUTE);
    expect([host().heard, await conditionsOf()]).toMatchObject([[], { HealthCheckSucceeded: 'False UnhealthyNode' }]);
    stage.intercept = () => undefined;
    stage.troubles.length = 0;
    await stage.advance(2 * MINUTE);
    expect(host().heard).toEqual(['off', 'on']);
  });

  test('a Machine that does not stay well for as long as its check asks has not recovered: its retries go on counting', async () => {
    await check({ strategy: 'escalate', deleteAfterRetries: 1, nodeTimeoutSeconds: 120 }, { healthyDelay: '30m' });
    await fallIll();
    await stage.advance(MINUTE);
    await turnReady('True');
    await stage.advance(10 * MINUTE);
    expect([(await request())?.metadata.deletionTimestamp, await statusOf()]).toMatchObject([
      undefined,
      { phase: 'waiting', retryCount: 0 },
    ]);
    await fallIll();
    expect(await statusOf()).toMatchObject({ phase: 'backoff', retryCount: 0 });
    await stage.advance(2 * MINUTE);
    expect([host().heard, await statusOf()]).toMatchObject([['off', 'on', 'off', 'on'], { phase: 'waiting', retryCount: 1 }]);
    await stage.advance(2 * MINUTE);
    expect(await statusOf()).toMatchObject({ phase: 'escalated', retryCount: 1 });
  });

  test('a Machine that recovered by the word of its check begins with none', async () => {
    await check({ nodeTimeoutSeconds: 60 });
    await fallIll();
    await stage.advance(5 * MINUTE);
    const before = await request();
    expect(before?.status?.retryCount).toBeGreaterThan(0);
    await turnReady('True');
    await stage.advance(5 * MINUTE);
    await fallIll();
    await stage.advance(10 * SECOND);
    expect([(await request())?.metadata.uid === before?.metadata.uid, (await statusOf()).retryCount]).toEqual([false, 0]);
  });

  test('a host that is never off is no reason to ask the owner, and counts for none when it is', async () => {
    host().isStuck = true;
    await check({ strategy: 'escalate', deleteAfterRetries: 1, nodeTimeoutSeconds: 30 });
    await fallIll();
    await stage.advance(60 * MINUTE);
    const { phase, attemptsNeverOff = 0 } = await statusOf();
    expect([phase === 'escalated', attemptsNeverOff > 3]).toEqual([false, true]);
    expect(await conditionsOf()).not.toHaveProperty('OwnerRemediated');
    delete host().isStuck;
    host().heard.length = 0;
    await stage.advance(120 * MINUTE);
    expect(host().heard).toEqual(['off', 'on', 'off', 'on']);
    expect(await conditionsOf()).toMatchObject({ OwnerRemediated: 'False WaitingForRemediation' });
  });

  test('[MH-114] [MH-129] a Node that recovers in the middle of a cycle leaves no host off: the request goes after it is on', async () => {
    await check();
    host().isStuck = true;
    await fallIll();
    await stage.advance(10 * SECOND);
    expect((await request())?.metadata.finalizers).toEqual(['remediation.sickbay.dev']);
    expect(await statusOf()).toMatchObject({ phase: 'power-off' });
    host().fault = 'Unreachable';
    await turnReady('True');
    await stage.advance(10 * MINUTE);
    expect((await request())?.metadata.deletionTimestamp).toBeDefined();
    expect(await statusOf()).toMatchObject({
      message: expect.stringContaining('yet to be switched on again: asking https://bmc-0') as string,
    });
    host().power = 'Off';
    delete host().fault;
    delete host().isStuck;
    await stage.advance(MINUTE);
    expect([await request(), host().power, host().heard.at(-1)]).toEqual([undefined, 'On', 'on']);
  });

  test('workloads leave only a host that is off, and nothing is switched on before they have', async () => {
    await check();
    await stage.admin.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: NAMESPACE, name: 'web', finalizers: ['test/keep'] },
      spec: { nodeName: NAME, containers: [{ name: 'web', image: 'web' }] },
    });
    const seen: string[] = [];
    bmc.before = (_, power) => void seen.push(`told ${power}`);
    await fallIll();
    await stage.advance(30 * SECOND);
    expect([host().power, await taints(), seen]).toEqual(['Off', ['node.kubernetes.io/out-of-service'], ['told off']]);
    expect(await statusOf()).toMatchObject({ phase: 'freeing', taintedNode: NAME });
    await stage.admin.patch(Pod, { namespace: NAMESPACE, name: 'web' }, { type: 'merge', body: { metadata: { finalizers: [] } } });
    await stage.admin.delete(Pod, { namespace: NAMESPACE, name: 'web' }, { gracePeriodSeconds: 0 });
    await stage.advance(15 * SECOND);
    expect([host().power, await taints(), seen]).toEqual(['On', [], ['told off', 'told on']]);
  });

  test('somebody takes the request away in the middle: host and Node are as before', async () => {
    await check({ strategy: 'retry' });
    await workload();
    await fallIll();
    await stage.advance(30 * SECOND);
    expect([host().power, await taints()]).toEqual(['Off', ['node.kubernetes.io/out-of-service']]);
    await stage.admin.delete(MachineHealthCheck, { namespace: NAMESPACE, name: 'workers' });
    await stage.admin.delete(PowerCycleRemediation, KEY);
    await stage.admin.delete(Machine, KEY);
    await stage.advance(3 * MINUTE);
    expect([await request(), host().power, await taints()]).toEqual([undefined, 'On', []]);
  });

  test('[MH-108] bad credentials are told with what to do, in status and Events, and mended without a restart', async () => {
    await stage.admin.delete(Secret, { namespace: NAMESPACE, name: `${NAME}-bmc` });
    await check();
    await fallIll();
    expect(await statusOf()).toMatchObject({
      phase: 'pending',
      message: expect.stringContaining('must hold address, username and password') as string,
    });
    expect(stage.told).toContain('BmcAccessMissing');
    await secret();
    host().fault = 'Unauthorized';
    await stage.advance(MINUTE);
    expect(await statusOf()).toMatchObject({ phase: 'pending', conditions: [expect.objectContaining({ reason: 'BmcUnauthorized' })] });
    delete host().fault;
    await stage.advance(MINUTE);
    expect(host().heard[0]).toBe('off');
  });

  /** From now on every answer of the host takes so long. */
  const takes = (ms: number): void => {
    bmc.asked = () => stage.clock.waitUntil(after(stage.clock.now(), ms), ending.signal);
  };

  test('a host that became slow while it was off is switched on, though it takes longer than a command to switch off lives', async () => {
    await check();
    bmc.before = () => takes(10 * SECOND);
    await fallIll();
    await stage.advance(3 * MINUTE);
    expect([host().heard, host().power, await statusOf()]).toMatchObject([['off', 'on'], 'On', { phase: 'waiting' }]);
  });

  test('a host that is too slow to be switched off in time is left on, which is told, and cycled when it is fast again', async () => {
    await check({ strategy: 'escalate', deleteAfterRetries: 0 });
    takes(10 * SECOND);
    await fallIll();
    await stage.advance(MINUTE);
    const late = 'waiting for the host to switch off: the command was not sent, as it came too late';
    expect(await statusOf()).toMatchObject({ phase: 'power-off', message: expect.stringContaining(late) as string });
    expect(stage.told).toContain('CommandTooLate');
    await stage.advance(60 * MINUTE);
    expect([host().heard, host().power, await statusOf()]).toMatchObject([[], 'On', { attemptsNeverOff: expect.any(Number) as number }]);
    expect(await conditionsOf()).not.toHaveProperty('OwnerRemediated');
    takes(0);
    await stage.advance(40 * MINUTE);
    expect([host().heard.slice(0, 2), host().power]).toEqual([['off', 'on'], 'On']);
  });

  test('waits visibly while everything is paused, and begins when it no longer is', async () => {
    settings = { ...settings, budget: { ...settings.budget, paused: 'incident 7' } };
    await check();
    await fallIll();
    await stage.advance(5 * MINUTE);
    expect(await statusOf()).toMatchObject({ phase: 'pending', message: 'starts are paused: incident 7; nothing is running' });
    expect(host().heard).toEqual([]);
    settings = DEFAULT_SETTINGS;
    await stage.advance(MINUTE);
    expect(host().heard).toEqual(['off', 'on']);
  });

  test.each(['retry', 'escalate'])('a host that was mended while its check is paused is not cycled again (%s)', async (strategy) => {
    await check({ strategy, deleteAfterRetries: 1, nodeTimeoutSeconds: 60 });
    await fallIll();
    await stage.advance(MINUTE);
    expect(host().heard).toEqual(['off', 'on']);
    await pause('');
    await turnReady('True');
    await stage.advance(120 * MINUTE);
    expect(host().heard).toEqual(['off', 'on']);
    const why = 'MachineHealthCheck workers is paused: nobody can tell whether the Machine is well again, and nothing is begun';
    expect(await statusOf()).toMatchObject({ conditions: [expect.objectContaining({ reason: 'Paused', message: why })] });
    expect(await conditionsOf()).toMatchObject({ HealthCheckSucceeded: 'False UnhealthyNode' });
    expect(await conditionsOf()).not.toHaveProperty('OwnerRemediated');
    await pause(null);
    await stage.advance(2 * MINUTE);
    expect([await request(), host().heard]).toEqual([undefined, ['off', 'on']]);
  });

  test.each(['retry', 'escalate'])('nor is one whose check cannot be carried out any more (%s)', async (strategy) => {
    await check({ strategy, deleteAfterRetries: 1, nodeTimeoutSeconds: 60 });
    await fallIll();
    await stage.advance(MINUTE);
    const { remediation } = (await stage.admin.get(MachineHealthCheck, CHECK)).spec as {
      readonly remediation: { readonly templateRef: object };
    };
    await changeCheck({ spec: { remediation: null, remediationTemplate: { ...remediation.templateRef, namespace: 'elsewhere' } } });
    await turnReady('True');
    await stage.advance(120 * MINUTE);
    expect([host().heard, await statusOf()]).toMatchObject([['off', 'on'], { conditions: [{ reason: 'NotJudged' }] }]);
    expect(await conditionsOf()).toMatchObject({ HealthCheckSucceeded: 'False UnhealthyNode' });
    expect(await conditionsOf()).not.toHaveProperty('OwnerRemediated');
    await changeCheck({ spec: { remediation, remediationTemplate: null } });
    await stage.advance(2 * MINUTE);
    expect([await request(), host().heard]).toEqual([undefined, ['off', 'on']]);
  });

  test("nor is one whose check is deleted beside Cluster API's definitions; what is half done ends with the host on", async () => {
    await stage.end();
    await start('cluster-api');
    const ours = { labels: { 'cluster.x-k8s.io/watch-filter': 'sickbay' }, annotations: { 'cluster.x-k8s.io/paused': '' } };
    await check({}, undefined, ours);
    await workload();
    await fallIll();
    await stage.advance(30 * SECOND);
    expect(host().power).toBe('Off');
    await stage.admin.delete(MachineHealthCheck, CHECK);
    await stage.advance(MINUTE);
    await turnReady('True');
    await stage.advance(120 * MINUTE);
    expect([host().heard, host().power, await taints()]).toEqual([['off', 'on'], 'On', []]);
    const why = 'no MachineHealthCheck is about it: nobody can tell whether the Machine is well again, and nothing is begun';
    expect(await statusOf()).toMatchObject({ conditions: [{ reason: 'NotJudged', message: why }] });
  });

  test('a pause in the middle of a cycle leaves no host off, and one that is over lets it go on', async () => {
    await check({ nodeTimeoutSeconds: 60 });
    await workload();
    await fallIll();
    await stage.advance(30 * SECOND);
    expect([host().power, await taints()]).toEqual(['Off', ['node.kubernetes.io/out-of-service']]);
    await pause('');
    await stage.advance(30 * MINUTE);
    expect([host().heard, host().power, await taints()]).toEqual([['off', 'on'], 'On', []]);
    await pause(null);
    await stage.advance(10 * MINUTE);
    expect(host().heard.slice(0, 4)).toEqual(['off', 'on', 'off', 'on']);
  });

  test('a pause before the host went off gives the place in the budget back, and one that is over lets it go on', async () => {
    await check();
    host().isStuck = true;
    await fallIll();
    await stage.advance(10 * SECOND);
    expect([await statusOf(), await claims()]).toMatchObject([{ phase: 'power-off' }, [{ node: NAME }]]);
    await pause('');
    await stage.advance(30 * SECOND);
    expect([await statusOf(), await claims()]).toMatchObject([{ phase: 'backoff' }, [{ endedAt: expect.any(String) as string }]]);
    delete host().isStuck;
    await stage.advance(30 * MINUTE);
    expect([host().heard, stage.told.includes('PowerCycleUnsuccessful')]).toEqual([['off'], false]);
    await pause(null);
    await stage.advance(MINUTE);
    expect([host().heard, host().power, await statusOf()]).toMatchObject([
      ['off', 'off', 'on'],
      'On',
      { phase: 'waiting', retryCount: 1, attemptsNeverOff: 1 },
    ]);
  });

  /** The Secret leads to another's host, which is off now; somebody notices, and mends the Secret. */
  async function mendSecretMidway(spec?: object): Promise<void> {
    await check(spec);
    await leadTo(ANOTHER);
    await fallIll('False');
    await stage.advance(20 * SECOND);
    expect([await statusOf(), bmc.host(ANOTHER).power]).toMatchObject([{ phase: 'freeing', host: { address: ANOTHER } }, 'Off']);
    await leadTo('https://bmc-0');
    await stage.advance(60 * MINUTE);
  }

  test('a Secret that is mended in the middle pays nothing of what is owed to the host that it led to', async () => {
    await mendSecretMidway();
    const { conditions, switchOnOwed } = await statusOf();
    const owed = `the Secret leads to https://bmc-0 now, but ${ANOTHER} was told to switch off and was not seen on since`;
    expect([switchOnOwed, conditions, host().heard]).toMatchObject([
      true,
      [{ reason: 'BmcAccessMissing', message: expect.stringContaining(owed) as string }],
      [],
    ]);
    await turnReady('True');
    await stage.advance(60 * MINUTE);
    expect([(await request())?.metadata.deletionTimestamp, host().heard]).toEqual([expect.any(String), []]);
    // The way out: it is led back until the host is on.
    await leadTo(ANOTHER);
    await stage.advance(2 * MINUTE);
    expect([await request(), bmc.host(ANOTHER).heard, host().heard]).toEqual([undefined, ['off', 'on'], []]);
  });

  test('nor is the Machine given up for that, and whoever takes the request away by force gets one for the right host', async () => {
    await mendSecretMidway({ strategy: 'escalate', deleteAfterRetries: 0 });
    expect([await statusOf(), await conditionsOf()]).toMatchObject([
      { phase: 'backoff', attemptsNeverOff: 1 },
      { HealthCheckSucceeded: 'False UnhealthyNode' },
    ]);
    expect(await conditionsOf()).not.toHaveProperty('OwnerRemediated');
    bmc.host(ANOTHER).power = 'On';
    await stage.admin.delete(PowerCycleRemediation, KEY);
    await stage.admin.patch(PowerCycleRemediation, KEY, { type: 'merge', body: { metadata: { finalizers: null } } });
    await stage.advance(5 * MINUTE);
    expect([await statusOf(), bmc.host(ANOTHER).heard, host().heard]).toMatchObject([
      { host: { address: 'https://bmc-0' } },
      ['off'],
      ['off', 'on'],
    ]);
  });

  test('a host that turns out to be that of another is switched off once, and the owner is not asked for that', async () => {
    await check({ strategy: 'escalate', deleteAfterRetries: 0 });
    await leadTo(ANOTHER);
    await fallIll('False');
    await stage.advance(6 * 60 * MINUTE);
    expect([bmc.host(ANOTHER).heard, bmc.host(ANOTHER).power, await claims()]).toMatchObject([
      ['off', 'on'],
      'On',
      [{ endedAt: expect.any(String) as string }],
    ]);
    expect(await statusOf()).toMatchObject({ phase: 'backoff', switchOnOwed: false, conditions: [{ reason: 'AnotherHost' }] });
    expect([stage.told.filter((reason) => reason === 'AnotherHost'), await conditionsOf()]).toEqual([
      ['AnotherHost'],
      expect.not.objectContaining({ OwnerRemediated: expect.any(String) as string }),
    ]);
    await leadTo('https://bmc-0');
    await turnReady('Unknown');
    await stage.advance(MINUTE);
    expect([host().heard, bmc.host(ANOTHER).heard, await statusOf()]).toMatchObject([
      ['off', 'on'],
      ['off', 'on'],
      { phase: 'waiting', retryCount: 1, attemptsNeverOff: 1 },
    ]);
  });

  test('a host that was taken for that of another is cycled again when its request was deleted', async () => {
    await check();
    await fallIll('False');
    await stage.advance(60 * MINUTE);
    expect([host().heard, await statusOf()]).toMatchObject([['off', 'on'], { anotherHost: true }]);
    await stage.admin.delete(PowerCycleRemediation, KEY);
    await turnReady('Unknown');
    await stage.advance(5 * MINUTE);
    expect([host().heard, (await statusOf()).phase]).toEqual([['off', 'on', 'off', 'on'], 'waiting']);
  });

  test('another process goes on where one died, whatever was told', async () => {
    await check();
    host().isStuck = true;
    await fallIll();
    await stage.advance(10 * SECOND);
    expect(await statusOf()).toMatchObject({ phase: 'power-off' });
    const notes = new PowerNotes();
    await stage.restart([
      ...createMachineHealthControllers(() => ({ ...settings.machineHealth })),
      createPowerCycleController({ settings: () => settings, door: bmc, notes }),
    ]);
    delete host().isStuck;
    await stage.advance(MINUTE);
    expect([host().power, (await statusOf()).phase]).toEqual(['On', 'waiting']);
  });

  test('nothing of the password is in any status or Event', async () => {
    await check({ nodeTimeoutSeconds: 30 });
    await fallIll();
    host().fault = 'Refused';
    await stage.advance(10 * MINUTE);
    expect(JSON.stringify([await request(), stage.told, stage.lines])).not.toContain('secret-of-the-host');
  });
});
