import { describe, expect, test } from 'vitest';
import { ClusterRoleBinding, CustomResourceDefinition, Namespace, RoleBinding, ServiceAccount } from '../../api/builtin/index.ts';
import { kinds, RemediationWorkflow, resourceName } from '../../api/index.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { seededRandom } from '../../base/index.ts';
import { COMMON_ACCOUNT } from '../../controllers/execution/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { createClient, type KubeClient } from '../../kube/index.ts';
import { fakeClient, refusal } from '../../testkit/fake-client.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { demandKinds } from './require-kinds.ts';
import { ensureNamespace, install } from './install.ts';

const settings = DEFAULT_SETTINGS;
const { namespace, executionNamespace } = settings;

function setUp() {
  const clock = new ManualClock();
  const api = createMemoryApi({ clock, random: seededRandom(1) });
  return { clock, api, client: createClient(api) };
}

const namesOf = async (client: KubeClient, resource: typeof Namespace | typeof CustomResourceDefinition): Promise<readonly string[]> =>
  (await client.list<Namespace | CustomResourceDefinition>(resource)).items.map(({ metadata }) => metadata.name).toSorted();

describe('install', () => {
  test('puts in place what the controllers need', async () => {
    const { client, clock } = setUp();
    await install({ client, clock, settings });
    await demandKinds(client, namespace);
    expect(await namesOf(client, CustomResourceDefinition)).toEqual(kinds.map(resourceName).toSorted());
    expect(await namesOf(client, Namespace)).toEqual(expect.arrayContaining([namespace, executionNamespace]));
    const { items } = await client.list(RemediationWorkflow, { namespace });
    expect(items.map(({ metadata, spec }) => [metadata.name, spec.execution.bundle])).toContainEqual([
      'rollback-deployment',
      'sickbay/workflows:0.1.0',
    ]);
    const accounts = (await client.list(ServiceAccount, { namespace: executionNamespace })).items;
    expect(accounts.map(({ metadata }) => metadata.name)).toContain('workflow-rollback-deployment');
  });

  test('[WE-177] [WE-178] makes the common account, and binds it to nothing', async () => {
    const { client, clock } = setUp();
    await install({ client, clock, settings });
    const { metadata } = await client.get(ServiceAccount, { namespace: executionNamespace, name: COMMON_ACCOUNT });
    expect(metadata.name).toBe('kubernaut-workflow-runner');
    const bindings = [...(await client.list(ClusterRoleBinding)).items, ...(await client.list(RoleBinding)).items];
    const bound = bindings.flatMap(({ subjects = [] }) => subjects.map(({ name }) => name));
    expect(bound).toContain('workflow-rollback-deployment');
    expect(bound).not.toContain(COMMON_ACCOUNT);
  });

  test('a second time it writes nothing', async () => {
    const { client, clock, api } = setUp();
    await install({ client, clock, settings });
    const before = api.resourceVersion;
    await install({ client, clock, settings });
    expect(api.resourceVersion).toBe(before);
  });

  test('another image goes into the catalogue, and comes out of it again', async () => {
    const { client, clock } = setUp();
    const bundle = async (): Promise<string | undefined> =>
      (await client.get(RemediationWorkflow, { namespace, name: 'rollback-deployment' })).spec.execution.bundle;
    await install({ client, clock, settings, workflowImage: 'registry.test/w:2' });
    expect(await bundle()).toBe('registry.test/w:2');
    await install({ client, clock, settings });
    expect(await bundle()).toBe('sickbay/workflows:0.1.0');
  });
});

describe('a namespace', () => {
  test('that is there keeps its labels', async () => {
    const { client } = setUp();
    await ensureNamespace(client, 'shop', { team: 'blue' });
    await ensureNamespace(client, 'shop', { team: 'red' });
    const { metadata } = await client.get(Namespace, { namespace: '', name: 'shop' });
    expect(metadata.labels).toMatchObject({ team: 'blue' });
  });

  test('that may not be made is an error', async () => {
    const { client } = fakeClient(() => {
      throw refusal(403, 'Forbidden');
    });
    await expect(ensureNamespace(client, 'shop')).rejects.toMatchObject({ code: 'Forbidden' });
  });
});
