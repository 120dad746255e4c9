import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Namespace, Secret } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { createMemoryApi } from '../../../apiserver/index.ts';
import { installKind } from '../../../apiserver/testing/try-bad-value.ts';
import { MINUTE, seededRandom, SECOND, silent, toMicroTime, type Fields, type Logger } from '../../../base/index.ts';
import { createClient } from '../../../kube/api-client.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { ManualClock } from '../../../testkit/manual-clock.ts';
import { createPowerCalls } from './power-calls.ts';
import { PowerNotes } from './power-notes.ts';
import { SimBmc } from './testing/sim-bmc.ts';

const KEY = { namespace: 'shop', name: 'worker-0' };
const PASSWORD = 'secret-of-the-host';
let clock: ManualClock;
let client: KubeClient;
let bmc: SimBmc;
let notes: PowerNotes;
let request: PowerCycleRemediation;
let lines: Fields[];
let close: () => void;

beforeEach(async () => {
  clock = new ManualClock();
  const api = createMemoryApi({ clock, random: seededRandom(1) });
  close = () => api.close();
  client = createClient(api);
  bmc = new SimBmc();
  notes = new PowerNotes();
  lines = [];
  for (const kind of [Machine, PowerCycleRemediation]) await installKind(api, kind);
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  const machine = await client.create(Machine, { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata: KEY, spec: {} });
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
  await client.patchStatus(Machine, KEY, { type: 'merge', body: { status: { conditions: [condition] } } });
}

async function record(status: object): Promise<void> {
  request = await client.patchStatus(PowerCycleRemediation, KEY, { type: 'merge', body: { status } });
}

const log: Logger = { ...silent, warn: (message, fields) => void lines.push({ message, ...fields }), with: () => log };

async function tell(power: 'on' | 'off', requestedAt = request.status?.powerOffRequestedAt ?? ''): Promise<readonly string[]> {
  const call = createPowerCalls({ client, door: bmc, notes, clock, log });
  await call({ key: 'k', input: { power, requestedAt }, subject: request }, new AbortController().signal);
  return bmc.host('https://bmc-0').heard;
}

describe('telling a host', () => {
  test.each(['on', 'off'] as const)('to switch %s', async (power) => {
    expect(await tell(power)).toEqual([power]);
    expect([notes.of(request.metadata.uid), lines]).toEqual([undefined, []]);
  });

  test('is not done any more when that went on record too long ago', async () => {
    clock.jump(20 * SECOND - 1);
    expect(await tell('off')).toEqual(['off']);
    clock.jump(1);
    expect(await tell('off')).toEqual(['off']);
    expect(await tell('on')).toEqual(['off']);
  });

  test('is not done any more when the clock was set back since: nobody knows how long ago it was', async () => {
    clock.jump(-2 * MINUTE);
    expect([await tell('off'), await tell('on')]).toEqual([[], []]);
  });

  test('is not done by whoever read the Secret for so long that the time went by', async () => {
    const slow: KubeClient = {
      ...client,
      get: async (...args: Parameters<KubeClient['get']>) => (clock.jump(10 * SECOND), client.get(...args)),
    } as KubeClient;
    const call = createPowerCalls({ client: slow, door: bmc, notes, clock, log });
    await call(
      { key: 'k', input: { power: 'off', requestedAt: request.status!.powerOffRequestedAt }, subject: request },
      new AbortController().signal,
    );
    expect(bmc.host('https://bmc-0').heard).toEqual([]);
  });

  test('is not done by whoever asked the host for so long that the time went by', async () => {
    bmc.asked = () => clock.jump(20 * SECOND);
    expect([await tell('off'), await tell('on')]).toEqual([[], []]);
  });
});

describe('switching off, which cannot be taken back', () => {
  test.each([
    { reason: 'the Machine recovered', change: () => verdict('True') },
    {
      reason: 'another command is on record',
      change: () =>
        client.patchStatus(PowerCycleRemediation, KEY, {
          type: 'merge',
          body: { status: { powerOffRequestedAt: '2026-01-10T11:00:00.000000Z' } },
        }),
    },
    {
      reason: 'another phase is on record',
      change: () => client.patchStatus(PowerCycleRemediation, KEY, { type: 'merge', body: { status: { phase: 'power-on' } } }),
    },
    { reason: 'the request is being deleted', change: () => client.delete(PowerCycleRemediation, KEY) },
    {
      reason: 'the Machine is paused',
      change: () => client.patch(Machine, KEY, { type: 'merge', body: { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } } }),
    },
  ])('is not done where $reason since', async ({ change }) => {
    await change();
    expect(await tell('off')).toEqual([]);
  });

  test('is not done for a request of the same name that came later', async () => {
    request = { ...request, metadata: { ...request.metadata, uid: 'other' } };
    expect(await tell('off')).toEqual([]);
  });

  test('is done the other way round whatever became of the Machine', async () => {
    await verdict('True');
    expect(await tell('on')).toEqual(['on']);
  });
});

describe('what keeps a host from being told', () => {
  test('is noted and logged, without the password', async () => {
    bmc.host('https://bmc-0').fault = 'Unauthorized';
    expect(await tell('off')).toEqual([]);
    expect(notes.of(request.metadata.uid)).toEqual({ fault: 'Unauthorized', message: 'asking https://bmc-0: it is Unauthorized' });
    expect(lines).toEqual([expect.objectContaining({ request: 'shop/worker-0', power: 'off', fault: 'Unauthorized' })]);
    expect(JSON.stringify(lines)).not.toContain(PASSWORD);
  });

  test('may be that nobody knows how to reach it', async () => {
    await client.delete(Secret, { namespace: 'shop', name: 'worker-0-bmc' });
    expect(await tell('on')).toEqual([]);
    expect(notes.of(request.metadata.uid)).toMatchObject({ fault: 'NoAccess', message: expect.stringContaining('is not there') as string });
  });

  test('is forgotten when it takes a command again', async () => {
    notes.set(request.metadata.uid, { fault: 'Refused', message: 'no' });
    await tell('on');
    expect(notes.of(request.metadata.uid)).toBeUndefined();
  });
});

describe('notes', () => {
  test('are kept of the last thousand requests', () => {
    for (let i = 0; i <= 1000; i++) notes.set(`uid-${i}`, { fault: 'Refused', message: String(i) });
    expect([notes.of('uid-0'), notes.of('uid-1')?.message, notes.of('uid-1000')?.message]).toEqual([undefined, '1', '1000']);
  });
});
