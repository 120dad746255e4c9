import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi } from '../index.ts';
import { aServer, harnessOf, objectOf } from '../testing/harness.ts';
import { aWidget, widgets } from '../testing/widget.ts';
import { memoryStorage } from './memory-storage.ts';
import type { Storage, Write } from './storage.ts';

const W = widgets();

/** Storage that is as slow as a test wants. */
function slowStorage(): Storage & { readonly waiting: { resolve(): void; reject(why: Error): void }[]; slow: boolean } {
  const below = memoryStorage();
  const storage = {
    waiting: [] as { resolve(): void; reject(why: Error): void }[],
    slow: false,
    load: () => below.load(),
    close: () => below.close(),
    commit(writes: readonly Write[]): Promise<void> | undefined {
      if (!storage.slow) return below.commit(writes);
      return new Promise((resolve, reject) => {
        storage.waiting.push({ resolve: () => (below.commit(writes), resolve()), reject });
      });
    },
  };
  return storage;
}

describe('storage', () => {
  test('a server on the same storage goes on where the last one ended', async () => {
    const storage = memoryStorage();
    const first = await aServer({ storage });
    const widget = await first.create(W, aWidget('a'));
    first.api.close();
    const clock = new ManualClock();
    const second = harnessOf(createMemoryApi({ clock, random: seededRandom(2), storage }), clock);
    expect(second.api.resourceVersion).toBe(first.api.resourceVersion);
    expect(objectOf(await second.get(`${W}/a`))).toEqual(widget);
    expect((await second.merge(`${W}/a`, { spec: { size: 20 } })).code).toBe(422);
    const changed = objectOf(await second.merge(`${W}/a`, { spec: { size: 5 } }));
    expect(Number(changed.metadata.resourceVersion)).toBe(Number(widget.metadata.resourceVersion) + 1);
  });

  test('a watch from before the restart is told to list again', async () => {
    const storage = memoryStorage();
    const first = await aServer({ storage });
    const { resourceVersion } = (await first.create(W, aWidget('a'))).metadata;
    await first.merge(`${W}/a`, { spec: { size: 4 } });
    const clock = new ManualClock();
    const second = harnessOf(createMemoryApi({ clock, random: seededRandom(2), storage }), clock);
    expect(await (await second.watch(W, { resourceVersion })).seen()).toEqual(['ERROR']);
    const current = await second.watch(W, { resourceVersion: first.api.resourceVersion });
    expect(await current.seen()).toEqual([]);
    current.stop();
  });

  test('garbage that was left over is found', async () => {
    const storage = memoryStorage();
    const first = await aServer({ storage, garbageCollection: 'manual' });
    const owner = await first.create(W, aWidget('owner'));
    const ownerReferences = [{ apiVersion: owner.apiVersion, kind: owner.kind, name: 'owner', uid: owner.metadata.uid }];
    await first.create(W, aWidget('child', { metadata: { ownerReferences } }));
    await first.remove(`${W}/owner`);
    const clock = new ManualClock();
    const second = harnessOf(createMemoryApi({ clock, random: seededRandom(2), storage, garbageCollection: 'manual' }), clock);
    expect(second.api.collectGarbage().did).toBe('deleted Widget default/child');
  });

  test('nobody sees a write before it is durable, and the next one builds on it', async () => {
    const storage = slowStorage();
    const server = await aServer({ storage });
    const widget = await server.create(W, aWidget('a'));
    const watcher = await server.watch(W, { resourceVersion: widget.metadata.resourceVersion });
    storage.slow = true;
    const [one, two] = [server.merge(`${W}/a`, { spec: { size: 4 } }), server.merge(`${W}/a`, { spec: { max: 9 } })];
    expect(objectOf(await server.get(`${W}/a`))).toBe(widget);
    expect(await watcher.seen()).toEqual([]);
    expect((await server.update(`${W}/a`, { ...widget, spec: { color: 'red', size: 7 } })).code).toBe(409);
    for (const commit of storage.waiting) commit.resolve();
    expect(objectOf(await one).spec).toMatchObject({ size: 4 });
    expect(objectOf(await two).spec).toMatchObject({ size: 4, max: 9 });
    expect(await watcher.seen()).toEqual(['MODIFIED a', 'MODIFIED a']);
    expect(objectOf(await server.get(`${W}/a`))).toBe((await two).body);
    watcher.stop();
  });

  test('a write that the storage refuses never was', async () => {
    const storage = slowStorage();
    const server = await aServer({ storage });
    const widget = await server.create(W, aWidget('a'));
    storage.slow = true;
    const failing = server.merge(`${W}/a`, { spec: { size: 4 } });
    storage.waiting[0]!.reject(new Error('disk full'));
    expect(await failing).toMatchObject({ code: 500, body: { reason: 'InternalError', message: 'Internal error occurred: disk full' } });
    expect(objectOf(await server.get(`${W}/a`))).toBe(widget);
    storage.slow = false;
    expect(objectOf(await server.merge(`${W}/a`, { spec: { max: 9 } })).spec).not.toMatchObject({ size: 4 });
  });
});
