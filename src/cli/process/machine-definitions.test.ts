import { beforeEach, describe, expect, test } from 'vitest';
import { crdOf, CustomResourceDefinition, MachineHealthCheck } from '../../api/index.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { PlatformError, SECOND, seededRandom, silent, turn } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { machinesProblem, whoseDefinitions } from './machine-definitions.ts';

const clock = new ManualClock();
const ASKING = { clock, log: silent };

let client: KubeClient;
beforeEach(() => {
  client = createClient(createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) }));
});

describe('Machines are', () => {
  test('ours where their definition is', async () => {
    await client.create(CustomResourceDefinition, crdOf(MachineHealthCheck));
    expect(await whoseDefinitions(client, ASKING)).toBe('sickbay');
  });

  test('those of Cluster API where it has its own definitions, whose controller is at work there', async () => {
    const { metadata, ...definition } = crdOf(MachineHealthCheck);
    await client.create(CustomResourceDefinition, { ...definition, metadata: { name: metadata.name ?? '' } });
    expect(await whoseDefinitions(client, ASKING)).toBe('cluster-api');
  });

  test('left alone where nobody knows whose the definition is', async () => {
    expect(await whoseDefinitions(client, ASKING)).toBeUndefined();
  });

  test('ours too where the server answers only after a while', async () => {
    await client.create(CustomResourceDefinition, crdOf(MachineHealthCheck));
    let isDown = true;
    const away = () => Promise.reject(new PlatformError('Unavailable', 'no'));
    const asked = whoseDefinitions({ ...client, get: (...args) => (isDown ? away() : client.get(...args)) } as KubeClient, ASKING);
    await turn();
    isDown = false;
    await clock.advance(SECOND);
    expect(await asked).toBe('sickbay');
  });
});

test.each([
  ['nobody knows whose Machines are', { definitions: undefined, wanted: false, kept: false }, /^Machines are left alone/],
  ['MachineSets are not kept though they should', { definitions: 'sickbay', wanted: true, kept: false }, /^MachineSets are left alone/],
  ['all is as it should be', { definitions: 'sickbay', wanted: true, kept: true }, undefined],
  ['nobody wants MachineSets kept', { definitions: 'cluster-api', wanted: false, kept: false }, undefined],
] as const)('people are told under healthz where it matters: %s', (_, found, told) => {
  if (told) expect(machinesProblem(found)).toMatch(told);
  else expect(machinesProblem(found)).toBeUndefined();
});
