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

  test('undefined where the definition cannot be read', async () => {
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
  [
    'the definition of Machines cannot be read',
    { definitions: undefined, wanted: false, kept: false },
    /^Sickbay does nothing with Machines/,
  ],
  [
    'the owner of MachineSets does not run though it is enabled',
    { definitions: 'sickbay', wanted: true, kept: false },
    /^the owner of MachineSets does not run/,
  ],
  ['everything is as configured', { definitions: 'sickbay', wanted: true, kept: true }, undefined],
  ['the owner of MachineSets is not enabled', { definitions: 'cluster-api', wanted: false, kept: false }, undefined],
] as const)('healthz warns: %s', (_, found, told) => {
  if (told) expect(machinesProblem(found)).toMatch(told);
  else expect(machinesProblem(found)).toBeUndefined();
});
