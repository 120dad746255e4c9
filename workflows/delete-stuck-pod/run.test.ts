import { describe, expect, test } from 'vitest';
import { Node, Pod } from '../../src/api/builtin/index.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { aNode, aPod, ownedBy } from '../testing/objects.ts';
import { aScene, disturbed, told } from '../testing/scene.ts';
import { deleteStuckPod } from './run.ts';

const KEY = { namespace: 'shop', name: 'web-1' };

async function set(metadata: object = {}) {
  const scene = await aScene();
  await scene.client.create(Node, aNode());
  const pod = await scene.client.create(Pod, aPod('web-1', metadata));
  await setStatus(scene.client, { phase: 'Pending' });
  await scene.clock.advance(600_000);
  const exists = async () => (await scene.client.list(Pod, { namespace: 'shop' })).items.length === 1;
  return { ...scene, pod, exists, own: scene.as('delete-stuck-pod') };
}

const setStatus = (client: KubeClient, status: object) => client.patchStatus(Pod, KEY, { type: 'merge', body: { status } });
const env = (more: Readonly<Record<string, string>> = {}) => told('Pod', 'web-1', { STATE: 'Pending', ...more });

describe('a stuck pod', () => {
  test('is deleted with the rights of its own account alone', async () => {
    const { own, client, clock } = await set();
    expect(await deleteStuckPod(own, env(), { clock })).toBe('Pod shop/web-1 deleted, stuck in Pending; ReplicaSet owner recreates it');
    expect((await client.get(Pod, KEY)).metadata.deletionTimestamp).toBeDefined();
  });

  test('is deleted once', async () => {
    const { own, client, clock } = await set();
    await deleteStuckPod(own, env(), { clock });
    const before = await client.get(Pod, KEY);
    expect(await deleteStuckPod(own, env(), { clock })).toBe('Pod shop/web-1 is already being deleted');
    expect(await client.get(Pod, KEY)).toEqual(before);
    await client.delete(Pod, KEY, { gracePeriodSeconds: 0 });
    expect(await deleteStuckPod(own, env(), { clock })).toBe('Pod shop/web-1 is already gone');
  });

  test('that was recreated under the same name is not deleted', async () => {
    const { own, clock, exists } = await set();
    expect(await deleteStuckPod(own, env({ TARGET_UID: 'older' }), { clock })).toBe('Pod shop/web-1 is already gone');
    expect(await exists()).toBe(true);
  });

  test('is not deleted by a dry run', async () => {
    const { own, clock, exists, pod } = await set();
    expect((await deleteStuckPod(own, env(), { clock, dryRun: true })).split('\n')).toEqual([
      'Pod shop/web-1 would be deleted, stuck in Pending; ReplicaSet owner recreates it',
      `- Pod shop/web-1 (uid ${pod.metadata.uid})`,
    ]);
    expect(await exists()).toBe(true);
  });

  test('that starts running at the last moment is not deleted', async () => {
    const { own, client, clock, exists } = await set();
    const by = () => setStatus(client, { phase: 'Running' });
    await expect(deleteStuckPod(disturbed(own, { write: 'delete', by }), env(), { clock })).rejects.toMatchObject({ exitCode: 3 });
    expect(await exists()).toBe(true);
  });

  test('whose status changes all the time is not deleted', async () => {
    const { own, client, clock, exists } = await set();
    const by = (nth: number) => setStatus(client, { message: String(nth) });
    const busy = disturbed(own, { write: 'delete', times: 5, by });
    await expect(deleteStuckPod(busy, env(), { clock })).rejects.toMatchObject({ code: 'Conflict' });
    expect(await exists()).toBe(true);
  });

  test('without a controller is not deleted', async () => {
    const { own, clock, exists } = await set({ ownerReferences: [] });
    await expect(deleteStuckPod(own, env(), { clock })).rejects.toThrow('Pod shop/web-1 is not deleted: it has no controller');
    expect(await exists()).toBe(true);
  });
});

describe('a pod that does not end', () => {
  const terminating = async (metadata: object = {}) => {
    const all = await set(metadata);
    await all.client.delete(Pod, KEY, { gracePeriodSeconds: 30 });
    await all.clock.advance(600_000);
    return all;
  };

  test('is deleted by force', async () => {
    const { own, clock, exists } = await terminating();
    expect(await exists()).toBe(true);
    expect(await deleteStuckPod(own, env({ STATE: 'Terminating' }), { clock })).toContain('deleted by force');
    expect(await exists()).toBe(false);
  });

  test('of a StatefulSet is not deleted while its node exists', async () => {
    const { own, client, clock, exists } = await terminating({ ownerReferences: [ownedBy('StatefulSet')] });
    await expect(deleteStuckPod(own, env({ STATE: 'Terminating' }), { clock })).rejects.toThrow(/damage its data/);
    expect(await exists()).toBe(true);
    await client.delete(Node, { namespace: '', name: 'n1' });
    await deleteStuckPod(own, env({ STATE: 'Terminating' }), { clock });
    expect(await exists()).toBe(false);
  });
});

test.each<[Readonly<Record<string, string>>, string]>([
  [{ STATE: '' }, 'STATE is not set'],
  [{ STATE: 'Running' }, 'it must be Terminating or Pending or CrashLoopBackOff'],
  [{ STUCK_FOR_SECONDS: '-1' }, 'from 0 to 86400'],
])('refuses what it cannot use: %o', async (change, says) => {
  const { own, clock } = await set();
  await expect(deleteStuckPod(own, env(change), { clock })).rejects.toThrow(says);
});
