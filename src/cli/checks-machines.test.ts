import { beforeEach, describe, expect, test } from 'vitest';
import { crdOf, CustomResourceDefinition, MachineHealthCheck } from '../api/index.ts';
import { createMemoryApi } from '../apiserver/index.ts';
import { seededRandom, silent } from '../base/index.ts';
import { createClient } from '../kube/api-client.ts';
import type { KubeClient } from '../kube/client.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { checksMachines } from './checks-machines.ts';

let client: KubeClient;
beforeEach(() => {
  client = createClient(createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) }));
});

describe('Machines are checked', () => {
  test('where their definition is ours', async () => {
    await client.create(CustomResourceDefinition, crdOf(MachineHealthCheck));
    expect(await checksMachines(client, silent)).toBe(true);
  });

  test('not where Cluster API has its own, whose controller is at work there', async () => {
    const { metadata, ...definition } = crdOf(MachineHealthCheck);
    await client.create(CustomResourceDefinition, { ...definition, metadata: { name: metadata.name ?? '' } });
    expect(await checksMachines(client, silent)).toBe(false);
  });

  test('not where nobody knows whose it is', async () => {
    expect(await checksMachines(client, silent)).toBe(false);
  });
});
