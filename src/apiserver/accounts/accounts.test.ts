import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi } from '../memory-api.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { aServer, statusOf } from '../testing/harness.ts';

const NAMESPACES = '/api/v1/namespaces';
const accounts = (namespace: string): string => `${NAMESPACES}/${namespace}/serviceaccounts`;
const pods = (namespace: string): string => `${NAMESPACES}/${namespace}/pods`;
const aPod = (name: string, serviceAccountName?: string) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...(serviceAccountName !== undefined && { serviceAccountName }) },
});

describe('the account of a namespace', () => {
  test('is there in those that every cluster has', async () => {
    const server = await aServer({ accounts: true });
    for (const namespace of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
      expect(await server.names(accounts(namespace))).toEqual(['default']);
  });

  test('comes with a new one, and comes back when it is deleted', async () => {
    const server = await aServer({ accounts: true });
    const watching = await server.watch(accounts('shop'));
    await server.create(NAMESPACES, { metadata: { name: 'shop' } });
    expect(await watching.seen()).toEqual(['ADDED default']);
    await server.remove(`${accounts('shop')}/default`);
    expect(await watching.seen()).toEqual(['DELETED default', 'ADDED default']);
    await server.create(accounts('shop'), { metadata: { name: 'robot' } });
    await server.remove(`${accounts('shop')}/robot`);
    expect(await watching.seen()).toEqual(['ADDED robot', 'DELETED robot']);
  });

  test('goes with it', async () => {
    const server = await aServer({ accounts: true });
    await server.create(NAMESPACES, { metadata: { name: 'shop' } });
    await server.remove(`${NAMESPACES}/shop`);
    await server.quiet();
    expect((await server.get(`${NAMESPACES}/shop`)).code).toBe(404);
    expect(await server.names('/api/v1/serviceaccounts', { fieldSelector: 'metadata.namespace=shop' })).toEqual([]);
  });

  test('is added where a server of before had none, once', () => {
    const storage = memoryStorage();
    const start = (withAccounts: boolean) =>
      createMemoryApi({ clock: new ManualClock(), random: seededRandom(1), storage, accounts: withAccounts });
    const before = start(false);
    const first = start(true);
    expect(Number(first.resourceVersion) - Number(before.resourceVersion)).toBe(4);
    expect(start(true).resourceVersion).toBe(first.resourceVersion);
  });

  test('is not there unless asked for', async () => {
    const server = await aServer();
    expect(await server.names(accounts('default'))).toEqual([]);
    const { spec } = await server.create(pods('default'), aPod('web'));
    expect(spec).not.toHaveProperty('serviceAccountName');
  });
});

describe('the account of a pod', () => {
  test.each([
    { reason: 'the namespace’s own where it names none', named: undefined, want: 'default' },
    { reason: 'the same where it names nothing', named: '', want: 'default' },
    { reason: 'the one that it names', named: 'robot', want: 'robot' },
  ])('is $reason', async ({ named, want }) => {
    const server = await aServer({ accounts: true });
    await server.create(accounts('default'), { metadata: { name: 'robot' } });
    const { spec } = await server.create(pods('default'), aPod('web', named));
    expect(spec).toMatchObject({ serviceAccountName: want, serviceAccount: want });
  });

  test('is there as soon as its namespace is', async () => {
    const server = await aServer({ accounts: true });
    await server.create(NAMESPACES, { metadata: { name: 'shop' } });
    expect((await server.call('POST', pods('shop'), aPod('web'))).code).toBe(201);
  });

  test('must be there', async () => {
    const server = await aServer({ accounts: true });
    const refused = await server.call('POST', pods('default'), aPod('web', 'nobody'));
    expect(statusOf(refused)).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'pods "web" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found',
    });
  });
});
