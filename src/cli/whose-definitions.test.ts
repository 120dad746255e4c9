import { beforeEach, describe, expect, test } from 'vitest';
import { crdOf, CustomResourceDefinition, MachineHealthCheck } from '../api/index.ts';
import { createMemoryApi } from '../apiserver/index.ts';
import { seededRandom, silent } from '../base/index.ts';
import { createClient } from '../kube/api-client.ts';
import type { KubeClient } from '../kube/client.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { whoseDefinitions } from './whose-definitions.ts';

let client: KubeClient;
beforeEach(() => {
  client = createClient(createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) }));
});

describe('Machines are', () => {
  test('ours where their definition is', async () => {
    await client.create(CustomResourceDefinition, crdOf(MachineHealthCheck));
    expect(await whoseDefinitions(client, silent)).toBe('sickbay');
  });

  test('those of Cluster API where it has its own definitions, whose controller is at work there', async () => {
    const { metadata, ...definition } = crdOf(MachineHealthCheck);
    await client.create(CustomResourceDefinition, { ...definition, metadata: { name: metadata.name ?? '' } });
    expect(await whoseDefinitions(client, silent)).toBe('cluster-api');
  });

  test('left alone where nobody knows whose the definition is', async () => {
    expect(await whoseDefinitions(client, silent)).toBeUndefined();
  });
});
