import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Cluster, CustomResourceDefinition, Namespace, Secret } from '../../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../../api/machine/machine.ts';
import type { ObjectKey } from '../../../../api/meta.ts';
import { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { Resource } from '../../../../api/resource.ts';
import { createMemoryApi } from '../../../../apiserver/index.ts';
import { installKind } from '../../../../testkit/try-bad-value.ts';
import { MINUTE, PlatformError, seededRandom, SECOND, silent, toMicroTime, type Fields, type Logger } from '../../../../base/index.ts';
import { createClient } from '../../../../kube/client/api-client.ts';
import type { KubeClient } from '../../../../kube/client/client.ts';
import { ManualClock } from '../../../../testkit/manual-clock.ts';
import { claimCondition } from '../../../machine-health/requests/claim.ts';
import { withConditions } from '../../../machine-health/conditions/cluster-api-conditions.ts';
import { clusterDefinition } from '../../../machine-health/testing/cluster-definition.ts';
import type { PowerCommand } from './power-command.ts';
import { createPowerCalls } from './power-calls.ts';
import { CommandFailures } from './command-failures.ts';
import { SETTINGS } from '../testing/builders.ts';
import { SimBmc } from '../testing/sim-bmc.ts';

const KEY = { namespace: 'shop', name: 'worker-0' };
const CLUSTER = { namespace: 'shop', name: 'eu-1' };
const CHECK = { namespace: 'shop', name: 'workers' };
const ROLE = { role: 'worker' };
const PASSWORD = 'secret-of-the-host';
let clock: ManualClock;
let client: KubeClient;
let bmc: SimBmc;
let failures: CommandFailures;
let request: PowerCycleRemediation;
let lines: Fields[];
let close: () => void;

beforeEach(async () => {
  clock = new ManualClock();
  const api = createMemoryApi({ clock, random: seededRandom(1) });
  close = () => api.close();
  client = createClient(api);
  bmc = new SimBmc();
  failures = new CommandFailures();
  lines = [];
  for (const kind of [Machine, MachineHealthCheck, PowerCycleRemediation]) await installKind(api, kind);
  await client.create(CustomResourceDefinition, clusterDefinition);
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  const apiVersion = 'cluster.x-k8s.io/v1beta2';
  await client.create(Cluster, { apiVersion, kind: 'Cluster', metadata: CLUSTER });
  await clusterIs('True');
  const checks = { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 60 }] } as const;
  await client.create(MachineHealthCheck, {
    apiVersion,
    kind: 'MachineHealthCheck',
    metadata: CHECK,
    spec: { clusterName: CLUSTER.name, selector: { matchLabels: ROLE }, checks },
  });
  const machine = await client.create(Machine, {
    apiVersion,
    kind: 'Machine',
    metadata: { ...KEY, labels: ROLE },
    spec: { clusterName: CLUSTER.name },
  });
  await verdict('False');
  const ownerReferences = [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: KEY.name, uid: machine.metadata.uid }];
  await client.create(PowerCycleRemediation, {
    apiVersion: 'remediation.sickbay.dev/v1alpha1',
    kind: 'PowerCycleRemediation',
    metadata: { ...KEY, ownerReferences, finalizers: ['remediation.sickbay.dev'] },
    spec: {},
  });
  await record({ phase: 'power-off', powerOffRequestedAt: toMicroTime(clock.now()) });
  const data = { address: 'https://bmc-0', username: 'admin', password: PASSWORD };
  await client.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'shop', name: 'worker-0-bmc' },
    data: Object.fromEntries(Object.entries(data).map(([entry, text]) => [entry, Buffer.from(text).toString('base64')])),
  });
});
afterEach(() => close());

async function verdict(status: 'True' | 'False'): Promise<void> {
  const condition = { type: 'HealthCheckSucceeded', status, reason: 'Test', lastTransitionTime: '2026-01-10T11:00:00Z' };
  const request = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediation' };
  const asked = claimCondition({ request, check: CHECK.name }, { metadata: KEY } as Machine);
  const body = { status: withConditions({ conditions: [condition] }, [asked], { generation: 1, now: clock.now() }) };
  await client.patchStatus(Machine, KEY, { type: 'merge', body });
}

/** Whether the Cluster's infrastructure is ready, and its control plane up. */
async function clusterIs(status: 'True' | 'False'): Promise<void> {
  const conditions = ['InfrastructureReady', 'ControlPlaneInitialized'].map((type) => ({
    type,
    status,
    reason: 'Test',
    lastTransitionTime: '2026-01-10T11:00:00Z',
  }));
  await client.patchStatus(Cluster, CLUSTER, { type: 'merge', body: { status: { conditions } } });
}

const annotate = (resource: Resource, key: ObjectKey, name: string) =>
  client.patch(resource, key, { type: 'merge', body: { metadata: { annotations: { [`cluster.x-k8s.io/${name}`]: '' } } } });

async function record(status: object): Promise<void> {
  request = await client.patchStatus(PowerCycleRemediation, KEY, { type: 'merge', body: { status } });
}

const log: Logger = { ...silent, warn: (message, fields) => void lines.push({ message, ...fields }), with: () => log };

async function tell(
  power: 'on' | 'off',
  requestedAt = request.status?.powerOffRequestedAt ?? '',
  through = client,
): Promise<readonly string[]> {
  await give({ power, requestedAt }, through);
  return bmc.host('https://bmc-0').heard;
}

let settings = SETTINGS;
afterEach(() => {
  settings = SETTINGS;
});

async function give(command: PowerCommand, through = client): Promise<void> {
  const call = createPowerCalls({ client: through, settings: () => settings, bmc: bmc, failures, clock, log });
  await call({ key: 'k', input: command, subject: request }, new AbortController().signal);
}

describe('a power command', () => {
  test('to an address that is not allowed is not sent (ruling 122)', async () => {
    settings = { ...SETTINGS, powerCycle: { bmcAddresses: '10.0.0.0/8' } };
    expect(await tell('on')).toEqual([]);
    expect(failures.of(request.metadata.uid)).toMatchObject({
      fault: 'NoAccess',
      message: expect.stringContaining('powerCycle.bmcAddresses') as string,
    });
  });

  test.each(['on', 'off'] as const)('to switch %s', async (power) => {
    expect(await tell(power)).toEqual([power]);
    expect([failures.of(request.metadata.uid), lines]).toEqual([undefined, []]);
  });

  test('is not sent when it was recorded too long ago', async () => {
    clock.jump(20 * SECOND - 1);
    expect(await tell('off')).toEqual(['off']);
    clock.jump(1);
    expect(await tell('off')).toEqual(['off']);
  });

  test('to switch on has a longer time-to-live: a slow host must not stay off', async () => {
    clock.jump(3 * MINUTE - 1);
    expect(await tell('on')).toEqual(['on']);
    clock.jump(1);
    expect(await tell('on')).toEqual(['on']);
  });

  test('is not sent when the clock was set back since: its age is unknown', async () => {
    clock.jump(-2 * MINUTE);
    expect([await tell('off'), await tell('on')]).toEqual([[], []]);
  });

  test('is not sent by a process that read the Secret until it expired', async () => {
    const slow: KubeClient = {
      ...client,
      get: async (...args: Parameters<KubeClient['get']>) => (clock.jump(10 * SECOND), client.get(...args)),
    } as KubeClient;
    expect(await tell('off', undefined, slow)).toEqual([]);
  });

  test.each([
    ['off', 20 * SECOND],
    ['on', 3 * MINUTE],
  ] as const)('to switch %s is not sent by a process that queried the host until it expired', async (power, ms) => {
    bmc.asked = () => clock.jump(ms);
    expect(await tell(power)).toEqual([]);
  });
});

describe('switching off, which cannot be undone', () => {
  test.each([
    { reason: 'the Machine recovered', change: () => verdict('True') },
    {
      reason: 'status records another command',
      change: () =>
        client.patchStatus(PowerCycleRemediation, KEY, {
          type: 'merge',
          body: { status: { powerOffRequestedAt: '2026-01-10T11:00:00.000000Z' } },
        }),
    },
    {
      reason: 'status records another phase',
      change: () => client.patchStatus(PowerCycleRemediation, KEY, { type: 'merge', body: { status: { phase: 'power-on' } } }),
    },
    { reason: 'the request is being deleted', change: () => client.delete(PowerCycleRemediation, KEY) },
    { reason: 'the Machine is paused', change: () => annotate(Machine, KEY, 'paused') },
    { reason: 'the Machine is opted out', change: () => annotate(Machine, KEY, 'skip-remediation') },
    { reason: 'the request is paused', change: () => annotate(PowerCycleRemediation, KEY, 'paused') },
    { reason: 'the requesting check is paused', change: () => annotate(MachineHealthCheck, CHECK, 'paused') },
    {
      reason: 'the Cluster is paused',
      change: () => client.patch(Cluster, CLUSTER, { type: 'merge', body: { spec: { paused: true } } }),
    },
    { reason: 'the Cluster is not ready any more', change: () => clusterIs('False') },
    { reason: 'the requesting check was deleted', change: () => client.delete(MachineHealthCheck, CHECK) },
    {
      reason: 'the requesting check does not select the Machine any more',
      change: () =>
        client.patch(MachineHealthCheck, CHECK, { type: 'merge', body: { spec: { selector: { matchLabels: { role: 'other' } } } } }),
    },
    {
      reason: 'the Machine is being deleted',
      change: async () => {
        await client.patch(Machine, KEY, { type: 'merge', body: { metadata: { finalizers: ['example.com/held'] } } });
        await client.delete(Machine, KEY);
      },
    },
  ])('is not sent where $reason since', async ({ change }) => {
    await change();
    expect(await tell('off')).toEqual([]);
  });

  test('is not sent where it cannot be read whether the requesting check is paused', async () => {
    const blind: KubeClient = {
      ...client,
      get: (...args: Parameters<KubeClient['get']>) =>
        args[0] === MachineHealthCheck ? Promise.reject(new PlatformError('Forbidden', 'no')) : client.get(...args),
    } as KubeClient;
    expect(await tell('off', undefined, blind)).toEqual([]);
    expect(await tell('on', undefined, blind)).toEqual(['on']);
  });

  test('reads only single objects from the server', async () => {
    const asked: string[] = [];
    const heard: KubeClient = {
      ...client,
      get: (...args: Parameters<KubeClient['get']>) => (asked.push(args[0].kind), client.get(...args)),
      list: () => Promise.reject(new PlatformError('Forbidden', 'no')),
    } as KubeClient;
    expect(await tell('off', undefined, heard)).toEqual(['off']);
    expect(asked).toEqual(['Secret', 'PowerCycleRemediation', 'Machine', 'Cluster', 'MachineHealthCheck']);
  });

  test('is not sent for a later request of the same name', async () => {
    request = { ...request, metadata: { ...request.metadata, uid: 'other' } };
    expect(await tell('off')).toEqual([]);
  });

  test('to switch on is sent whatever state the Machine is in', async () => {
    await verdict('True');
    expect(await tell('on')).toEqual(['on']);
  });
});

describe('why a command is not sent', () => {
  test('is kept and logged, without the password', async () => {
    bmc.host('https://bmc-0').fault = 'Unauthorized';
    expect(await tell('off')).toEqual([]);
    expect(failures.of(request.metadata.uid)).toEqual({ fault: 'Unauthorized', message: 'asking https://bmc-0: it is Unauthorized' });
    expect(lines).toEqual([expect.objectContaining({ request: 'shop/worker-0', power: 'off', fault: 'Unauthorized' })]);
    expect(JSON.stringify(lines)).not.toContain(PASSWORD);
  });

  test('can be that the Secret is missing', async () => {
    await client.delete(Secret, { namespace: 'shop', name: 'worker-0-bmc' });
    expect(await tell('on')).toEqual([]);
    expect(failures.of(request.metadata.uid)).toMatchObject({
      fault: 'NoAccess',
      message: expect.stringContaining('does not exist') as string,
    });
  });

  test.each([
    ['off', 20 * SECOND],
    ['on', 3 * MINUTE],
    ['off', -2 * MINUTE],
  ] as const)('can be that the command to switch %s expired: after %i ms', async (power, ms) => {
    bmc.asked = () => clock.jump(ms);
    await tell(power);
    const message = 'the command expired before it could be sent: check whether the management controller or the API server is slow';
    expect(failures.of(request.metadata.uid)).toEqual({ fault: 'TooLate', message });
    expect(lines).toEqual([{ message: 'the power command was not sent', request: 'shop/worker-0', power, why: message }]);
  });

  test.each(['on', 'off'] as const)('to switch %s can be that the Secret points to another host by now', async (power) => {
    const requestedAt = request.status?.powerOffRequestedAt ?? '';
    await give({ power, requestedAt, host: { address: 'https://bmc-of-another' } });
    expect([bmc.host('https://bmc-0').heard, bmc.host('https://bmc-of-another').heard]).toEqual([[], []]);
    const message = expect.stringContaining('but https://bmc-of-another was ordered to switch off') as string;
    expect(failures.of(request.metadata.uid)).toMatchObject({ fault: 'NoAccess', message });
    await give({ power, requestedAt, host: { address: 'https://bmc-0' } });
    expect([bmc.host('https://bmc-0').heard, failures.of(request.metadata.uid)]).toEqual([[power], undefined]);
  });

  test('is forgotten when a command succeeds again', async () => {
    failures.set(request.metadata.uid, { fault: 'Refused', message: 'no' });
    await tell('on');
    expect(failures.of(request.metadata.uid)).toBeUndefined();
  });
});

describe('failures', () => {
  test('are kept for the last thousand requests', () => {
    for (let i = 0; i <= 1000; i++) failures.set(`uid-${i}`, { fault: 'Refused', message: String(i) });
    expect([failures.of('uid-0'), failures.of('uid-1')?.message, failures.of('uid-1000')?.message]).toEqual([undefined, '1', '1000']);
  });
});
