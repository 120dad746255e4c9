import { describe, expect, test } from 'vitest';
import { seededRandom, turn, type JsonObject } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi } from '../index.ts';
import { aServer, CRDS, harnessOf, objectOf, statusOf, type Harness } from '../testing/harness.ts';
import { aWidget, WIDGET_CRD, widgets } from '../testing/widget.ts';
import { memoryStorage } from './memory-storage.ts';
import type { Storage, StorageWrite } from './storage.ts';

const W = widgets();

/** Storage that is as slow as a test wants. */
function slowStorage(): Storage & { readonly waiting: { resolve(): void; reject(why: Error): void }[]; slow: boolean } {
  const below = memoryStorage();
  const storage = {
    waiting: [] as { resolve(): void; reject(why: Error): void }[],
    slow: false,
    load: () => below.load(),
    close: () => below.close(),
    commit(writes: readonly StorageWrite[]): Promise<void> | undefined {
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
    const again = { clock, random: seededRandom(2), storage };
    const second = harnessOf(createMemoryApi({ ...again, garbageCollection: 'manual' }), clock);
    expect(second.api.hasGarbage()).toBe(true);
    const third = harnessOf(createMemoryApi(again), clock);
    expect(await third.names(W)).toEqual([]);
  });

  test('no client sees a write before it is durable, and the next one builds on it', async () => {
    const storage = slowStorage();
    const server = await aServer({ storage });
    const widget = await server.create(W, aWidget('a'));
    const watcher = await server.watch(W, { resourceVersion: widget.metadata.resourceVersion });
    storage.slow = true;
    const [one, two] = [server.merge(`${W}/a`, { spec: { size: 4 } }), server.merge(`${W}/a`, { spec: { max: 9 } })];
    expect(objectOf(await server.get(`${W}/a`))).toBe(widget);
    expect(await watcher.seen()).toEqual([]);
    const three = server.update(`${W}/a`, { ...widget, spec: { color: 'red', size: 7 } });
    for (const commit of storage.waiting) commit.resolve();
    expect((await three).code).toBe(409);
    expect(objectOf(await one).spec).toMatchObject({ size: 4 });
    expect(objectOf(await two).spec).toMatchObject({ size: 4, max: 9 });
    expect(await watcher.seen()).toEqual(['MODIFIED a', 'MODIFIED a']);
    expect(objectOf(await server.get(`${W}/a`))).toBe((await two).body);
    watcher.stop();
  });

  test('a refused write never was, and nothing is written after it', async () => {
    const storage = slowStorage();
    const server = await aServer({ storage });
    const widget = await server.create(W, aWidget('a'));
    const version = server.api.resourceVersion;
    storage.slow = true;
    const [failing, onTop] = [server.merge(`${W}/a`, { spec: { size: 4 } }), server.merge(`${W}/a`, { spec: { max: 9 } })];
    for (const commit of storage.waiting) commit.reject(new Error('disk full'));
    expect(await failing).toMatchObject({ code: 500, body: { reason: 'InternalError', message: 'Internal error occurred: disk full' } });
    expect((await onTop).code).toBe(500);
    expect(objectOf(await server.get(`${W}/a`))).toBe(widget);
    storage.slow = false;
    const later = await server.merge(`${W}/a`, { spec: { max: 9 } });
    expect(later).toMatchObject({ code: 500, body: { reason: 'InternalError' } });
    expect(statusOf(later).message).toContain('nothing can be written until the server is started again: disk full');
    expect(server.api.resourceVersion).toBe(version);
    expect(objectOf(await server.get(`${W}/a`))).toBe(widget);
  });

  test('a refusal that no answer waits for is no unhandled one, and ends the collectors', async () => {
    const storage = slowStorage();
    const server = await aServer({ storage });
    const owner = await server.create(W, aWidget('owner'));
    const ownerReferences = [{ apiVersion: owner.apiVersion, kind: owner.kind, name: 'owner', uid: owner.metadata.uid }];
    await server.create(W, aWidget('child', { metadata: { ownerReferences } }));
    storage.slow = true;
    const removed = server.remove(`${W}/owner`);
    storage.waiting.shift()!.resolve();
    expect((await removed).code).toBe(200);
    expect(storage.waiting).toHaveLength(1);
    storage.waiting.shift()!.reject(new Error('disk full'));
    await turn();
    expect(await server.names(W)).toEqual(['child']);
    expect((await server.remove(`${W}/child`)).code).toBe(500);
  });
});

describe('answers that write nothing', () => {
  const cases = [
    { what: 'that a name is taken', ask: (server: Harness) => server.call('POST', W, aWidget('a')), code: 409 },
    { what: 'that a change changes nothing', ask: (server: Harness) => server.merge(`${W}/a`, { spec: { color: 'red' } }), code: 200 },
    { what: 'that something is there', ask: (server: Harness) => server.merge(`${W}/a`, { spec: { size: 99 } }), code: 422 },
  ];

  test.for(cases)('$what is not said before it is durable', async ({ ask, code }) => {
    const storage = slowStorage();
    const server = await aServer({ storage });
    storage.slow = true;
    void server.call('POST', W, aWidget('a'));
    let answered: number | undefined;
    const asked = ask(server).then((answer) => (answered = answer.code));
    await turn();
    expect(answered).toBeUndefined();
    storage.waiting[0]!.resolve();
    expect(await asked).toBe(code);
  });

  test('reads do not wait', async () => {
    const storage = slowStorage();
    const server = await aServer({ storage });
    storage.slow = true;
    void server.call('POST', W, aWidget('a'));
    expect((await server.get(`${W}/a`)).code).toBe(404);
  });
});

describe('what is on its way', () => {
  test('is deleted with all the rest, with the finalizers that it has by then', async () => {
    const storage = slowStorage();
    const server = await aServer({ storage });
    await server.create(W, aWidget('a'));
    storage.slow = true;
    void server.call('POST', W, aWidget('b'));
    void server.merge(`${W}/a`, { metadata: { finalizers: ['x/y'] } });
    const removed = server.call('DELETE', W);
    while (storage.waiting.length > 0) {
      storage.waiting.shift()!.resolve();
      await turn();
    }
    expect((await removed).code).toBe(200);
    expect(await server.names(W)).toEqual(['a']);
    const { finalizers, deletionTimestamp } = objectOf(await server.get(`${W}/a`)).metadata;
    expect(finalizers).toEqual(['x/y']);
    expect(deletionTimestamp).toBeDefined();
  });

  test('keeps a kind that is going until it is gone as well', async () => {
    const storage = slowStorage();
    const server = await aServer({ storage });
    storage.slow = true;
    const removed = server.remove(`${CRDS}/widgets.example.com`);
    const created = server.call('POST', W, aWidget('late'));
    while (storage.waiting.length > 0) {
      storage.waiting.shift()!.resolve();
      await turn();
    }
    expect((await removed).code).toBe(200);
    expect((await created).code).toBe(201);
    storage.slow = false;
    await server.call('POST', CRDS, WIDGET_CRD);
    expect(await server.names(W)).toEqual([]);
  });

  test('has its name already', async () => {
    const storage = slowStorage();
    const server = await aServer({ storage });
    const gadgets = (plural: string): JsonObject => ({
      ...WIDGET_CRD,
      metadata: { name: `${plural}.example.com` },
      spec: { ...WIDGET_CRD.spec, names: { plural, singular: plural, kind: 'Gadget' } },
    });
    storage.slow = true;
    void server.call('POST', CRDS, gadgets('gadgets'));
    const second = server.call('POST', CRDS, gadgets('contraptions'));
    for (const commit of storage.waiting) commit.resolve();
    const { conditions } = objectOf(await second).status as { conditions: { type: string; status: string; reason: string }[] };
    expect(conditions.find(({ type }) => type === 'NamesAccepted')).toMatchObject({ status: 'False', reason: 'KindConflict' });
  });
});

test('a server is ready when what every cluster has can be seen', async () => {
  const storage = slowStorage();
  storage.slow = true;
  const clock = new ManualClock();
  const server = harnessOf(createMemoryApi({ clock, random: seededRandom(2), storage }), clock);
  let isReady = false;
  const waiting = server.api.ready.then(() => (isReady = true));
  await turn();
  expect(isReady).toBe(false);
  for (const commit of storage.waiting) commit.resolve();
  await waiting;
  expect(await server.names('/api/v1/namespaces')).toContain('kube-node-lease');
});
