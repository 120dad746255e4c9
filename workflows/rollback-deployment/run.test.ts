import { describe, expect, test } from 'vitest';
import { Deployment, Namespace, ReplicaSet, type PodTemplate } from '../../src/api/builtin/index.ts';
import type { Draft } from '../../src/api/meta.ts';
import { createMemoryApi } from '../../src/apiserver/index.ts';
import { seededRandom } from '../../src/base/index.ts';
import { createClient } from '../../src/kube/client/api-client.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { ManualClock } from '../../src/testkit/manual-clock.ts';
import { lastUndoRecord } from '../../src/api/undo-record.ts';
import { rollbackDeployment } from './run.ts';

const KEY = { namespace: 'shop', name: 'web' };
const template = (image: string): PodTemplate => ({ metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } });
const imageOf = ({ spec }: Deployment): string | undefined => spec.template.spec.containers[0]?.image;

/** A shop whose Deployment is at its second revision, the bad one. */
async function aShop(): Promise<{ client: KubeClient; deployment: Deployment }> {
  const client = createClient(createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) }));
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  const deployment = await client.create(Deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...KEY, annotations: { 'deployment.kubernetes.io/revision': '2', team: 'payments' } },
    spec: { selector: { matchLabels: { app: 'web' } }, template: template('bad') },
  });
  for (const [revision, image] of [
    ['1', 'good'],
    ['2', 'bad'],
  ] as const)
    await client.create(ReplicaSet, aSet(deployment, revision, image));
  return { client, deployment };
}

const aSet = ({ metadata }: Deployment, revision: string, image: string): Draft<ReplicaSet> => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: {
    name: `web-${image}`,
    namespace: 'shop',
    labels: { app: 'web' },
    annotations: { 'deployment.kubernetes.io/revision': revision },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: metadata.uid, controller: true }],
  },
  spec: { selector: { matchLabels: { app: 'web' } }, template: template(image) },
});

const rollBack = (
  client: KubeClient,
  { revision, uid, name = KEY.name }: { revision: number; uid?: string; name?: string },
): Promise<string> =>
  rollbackDeployment(client, {
    TARGET_RESOURCE_KIND: 'Deployment',
    TARGET_RESOURCE_NAMESPACE: KEY.namespace,
    TARGET_RESOURCE_NAME: name,
    REVISION: String(revision),
    ...(uid === undefined ? {} : { TARGET_UID: uid }),
  });

/** Another actor writes to the Deployment before each of the first patches, as its controllers do all the time. */
function busy(client: KubeClient, times: number): KubeClient {
  let left = times;
  const patch: KubeClient['patch'] = async (resource, key, body, options) => {
    if (left-- > 0) await client.patch(Deployment, KEY, { type: 'merge', body: { metadata: { labels: { touched: String(left) } } } });
    return client.patch(resource, key, body, options);
  };
  return { get: client.get.bind(client), list: client.list.bind(client), patch } as unknown as KubeClient;
}

describe('rolling back', () => {
  test('reports what it did, and keeps the changes of other actors', async () => {
    const { client } = await aShop();
    expect(await rollBack(client, { revision: 1 })).toBe(
      'Deployment shop/web rolled back from revision 2 to the template of revision 1 (ReplicaSet web-good)',
    );
    const after = await client.get(Deployment, KEY);
    expect(imageOf(after)).toBe('good');
    expect(after.metadata.annotations).toMatchObject({ team: 'payments' });
    expect(lastUndoRecord(after)?.undo).toEqual({ workflow: 'rollback-deployment', parameters: { REVISION: '2' } });
  });

  test('twice does it once', async () => {
    const { client } = await aShop();
    await rollBack(client, { revision: 1 });
    const { generation } = (await client.get(Deployment, KEY)).metadata;
    expect(await rollBack(client, { revision: 1 })).toMatch(/already has the template of revision 1/);
    expect((await client.get(Deployment, KEY)).metadata.generation).toBe(generation);
  });

  test('reads again when another actor was faster', async () => {
    const { client } = await aShop();
    await rollBack(busy(client, 4), { revision: 1 });
    const after = await client.get(Deployment, KEY);
    expect([imageOf(after), after.metadata.labels?.['touched']]).toEqual(['good', '0']);
  });

  test('fails when another actor always is', async () => {
    const { client } = await aShop();
    await expect(rollBack(busy(client, 5), { revision: 1 })).rejects.toMatchObject({ code: 'Conflict' });
    expect(imageOf(await client.get(Deployment, KEY))).toBe('bad');
  });

  test('refuses with a message, and changes nothing', async () => {
    const { client } = await aShop();
    const before = await client.get(Deployment, KEY);
    await expect(rollBack(client, { revision: 9 })).rejects.toThrow(
      'Deployment shop/web is not rolled back: it has no revision 9, only 1, 2',
    );
    await expect(rollBack(client, { name: 'gone', revision: 1 })).rejects.toThrow(
      'Deployment shop/gone is not rolled back: it does not exist',
    );
    expect(await client.get(Deployment, KEY)).toEqual(before);
  });

  test('does not change a recreated Deployment', async () => {
    const { client, deployment } = await aShop();
    await expect(rollBack(client, { revision: 1, uid: 'older' })).rejects.toThrow(/not the object that was analysed/);
    await rollBack(client, { revision: 1, uid: deployment.metadata.uid });
    expect(imageOf(await client.get(Deployment, KEY))).toBe('good');
  });
});

describe('as a workflow', () => {
  const env = { TARGET_RESOURCE_KIND: 'Deployment', TARGET_RESOURCE_NAMESPACE: 'shop', TARGET_RESOURCE_NAME: 'web', REVISION: '1' };

  test('takes its parameters from the environment', async () => {
    const { client, deployment } = await aShop();
    expect(await rollbackDeployment(client, { ...env, TARGET_UID: deployment.metadata.uid })).toMatch(/rolled back/);
  });

  test('does not change a target with another UID', async () => {
    const { client } = await aShop();
    await expect(rollbackDeployment(client, { ...env, TARGET_UID: 'older' })).rejects.toThrow(/not the object that was analysed/);
  });

  test.each([
    { change: { REVISION: '' }, says: 'REVISION is not set' },
    { change: { REVISION: '0' }, says: 'REVISION is "0"; it must be a whole number above 0' },
    { change: { REVISION: '1; rm' }, says: 'it must be a whole number above 0' },
    { change: { TARGET_RESOURCE_NAME: ' ' }, says: 'TARGET_RESOURCE_NAME is not set' },
    { change: { TARGET_RESOURCE_NAMESPACE: undefined }, says: 'TARGET_RESOURCE_NAMESPACE is not set' },
    { change: { TARGET_RESOURCE_KIND: 'StatefulSet' }, says: 'TARGET_RESOURCE_KIND is "StatefulSet"; it must be Deployment' },
  ])('refuses what it cannot use: $says', async ({ change, says }) => {
    const { client } = await aShop();
    await expect((async () => rollbackDeployment(client, { ...env, ...change }))()).rejects.toThrow(says);
  });
});
