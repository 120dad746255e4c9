import { describe, expect, onTestFinished, test } from 'vitest';
import { PlatformError, seededRandom, turn } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createClient } from '../client/api-client.ts';
import type { Cache, Store, StoreOptions } from './cache.ts';
import { createCache } from './create-cache.ts';
import { errorLine, failure, ScriptedTransport } from '../testing/scripted-transport.ts';
import { added, aList, aWidget, bookmark, deleted, GADGETS, modified, WIDGETS, type Widget } from '../testing/widget.ts';
import type { ApiRequest, ApiResponse } from '../client/transport.ts';

const key = { namespace: 'shop', name: 'cart' };
const cart = (version: number, parts: { labels?: Record<string, string>; uid?: string; deleting?: boolean } = {}): Widget =>
  aWidget({ name: 'cart', version, ...parts });
const patch = { type: 'merge', body: { spec: { colour: 'blue' } } } as const;

interface Rig {
  readonly transport: ScriptedTransport;
  readonly clock: ManualClock;
  readonly cache: Cache;
  readonly store: Store<Widget>;
  /** Answers of writes and of reads of one object; lists stay as they are. */
  onCall(answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>): void;
}

/** A running cache of widgets, listed at version 10 with `shown` in it. */
async function rig(shown: readonly Widget[] = [cart(5)], options: Partial<StoreOptions<Widget>> = {}): Promise<Rig> {
  const transport = new ScriptedTransport();
  let list = aList(10, shown);
  let call: (request: ApiRequest) => ApiResponse | Promise<ApiResponse> = () => failure(404, 'NotFound');
  transport.answer = (request) => (request.path.endsWith('/widgets') && request.method === 'GET' ? list : call(request));
  const clock = new ManualClock();
  const cache = createCache({ client: createClient(transport), clock, random: seededRandom(1) });
  const store = cache.store({ resource: WIDGETS, ...options });
  const ended = new AbortController();
  const running = cache.run(ended.signal);
  onTestFinished(async () => {
    ended.abort();
    await running;
  });
  await turn();
  list = aList(10, shown);
  return { transport, clock, cache, store, onCall: (answer) => (call = answer) };
}

const ok = (body: unknown): ApiResponse => ({ code: 200, body });
const lose = (): never => {
  throw new Error('connection reset');
};

describe('a write that was answered', () => {
  test('is behind until the stream shows it', async () => {
    const { cache, store, transport, onCall } = await rig();
    onCall(() => ok(cart(12)));
    await cache.client.patch(WIDGETS, key, patch);
    expect(store.isBehind(key)).toBe(true);
    expect(store.isBehind({ ...key, name: 'other' })).toBe(false);
    transport.lastWatch.send(modified({ name: 'cart', version: 12 }));
    await turn();
    expect(store.isBehind(key)).toBe(false);
  });

  test('is behind while it is in flight', async () => {
    const { cache, store, onCall } = await rig();
    const { promise, resolve } = Promise.withResolvers<ApiResponse>();
    onCall(() => promise);
    const writing = cache.client.patch(WIDGETS, key, patch);
    expect(store.isBehind(key)).toBe(true);
    resolve(failure(409, 'Conflict'));
    await expect(writing).rejects.toMatchObject({ code: 'Conflict' });
    expect(store.isBehind(key)).toBe(false);
  });

  test.each([
    { name: 'accepted', answer: ok(cart(12)) },
    { name: 'refused', answer: failure(403, 'Forbidden') },
  ])('tells when its answer comes after the watch has shown it: $name', async ({ answer }) => {
    const { cache, store, transport, onCall } = await rig();
    const { promise, resolve } = Promise.withResolvers<ApiResponse>();
    const told: boolean[] = [];
    const stop = store.onSettled(() => told.push(store.isBehind(key)));
    onCall(() => promise);
    const writing = cache.client.patch(WIDGETS, key, patch).catch(() => undefined);
    transport.lastWatch.send(modified({ name: 'cart', version: 12 }));
    await turn();
    expect({ told, behind: store.isBehind(key) }).toEqual({ told: [], behind: true });
    resolve(answer);
    await writing;
    expect(told).toEqual([false]);
    stop();
    await cache.client.patch(WIDGETS, key, patch).catch(() => undefined);
    expect(told).toHaveLength(1);
  });

  test.each([
    { name: 'accepted', answer: ok(cart(12)) },
    { name: 'refused', answer: failure(403, 'Forbidden') },
  ])('counts for a store that was opened while an earlier one, $name since, was in flight', async ({ answer }) => {
    const { cache, transport, onCall } = await rig();
    const answers = [Promise.withResolvers<ApiResponse>(), Promise.withResolvers<ApiResponse>()];
    let asked = 0;
    onCall(() => answers[asked++]!.promise);
    const first = cache.client.patch(WIDGETS, key, patch).catch(() => undefined);
    const late = cache.store({ resource: WIDGETS, namespace: 'shop' });
    await turn();
    answers[0]!.resolve(answer);
    await first;
    const second = cache.client.patch(WIDGETS, key, patch);
    transport.lastWatch.send(modified({ name: 'cart', version: 12 }), bookmark(20));
    await turn();
    expect(late.isBehind(key)).toBe(true);
    answers[1]!.resolve(ok(cart(13)));
    await second;
  });

  test('needs no event of its own: one of a later version will do', async () => {
    const { cache, store, transport, onCall } = await rig();
    onCall(() => ok(cart(12)));
    await cache.client.updateStatus(WIDGETS, cart(5));
    transport.lastWatch.send(added({ name: 'other', version: 11 }));
    await turn();
    expect(store.isBehind(key)).toBe(true);
    transport.lastWatch.send(added({ name: 'another', version: 13 }));
    await turn();
    expect(store.isBehind(key)).toBe(false);
  });

  test.each([
    { name: 'a bookmark', line: bookmark(20) },
    { name: 'its deletion by someone else', line: deleted({ name: 'cart', version: 15 }) },
  ])('is forgotten after $name', async ({ line }) => {
    const { cache, store, transport, onCall } = await rig();
    onCall(() => ok(cart(12)));
    await cache.client.update(WIDGETS, cart(5));
    transport.lastWatch.send(line);
    await turn();
    expect(store.isBehind(key)).toBe(false);
  });

  test('was shown before the answer came', async () => {
    const { cache, store, transport, onCall } = await rig();
    onCall(async () => {
      transport.lastWatch.send(modified({ name: 'cart', version: 12 }));
      await turn();
      return ok(cart(12));
    });
    await cache.client.patch(WIDGETS, key, patch);
    expect(store.isBehind(key)).toBe(false);
  });

  test('versions are compared as numbers', async () => {
    const { cache, store, transport, onCall } = await rig();
    onCall(() => ok(cart(100)));
    await cache.client.patch(WIDGETS, key, patch);
    transport.lastWatch.send(modified({ name: 'cart', version: 99 }));
    await turn();
    expect(store.isBehind(key)).toBe(true);
  });

  test('changed nothing: then there is nothing to wait for', async () => {
    const { cache, store, onCall } = await rig();
    onCall(() => ok(cart(5)));
    await cache.client.patch(WIDGETS, key, patch);
    expect(store.isBehind(key)).toBe(false);
  });

  test('as a dry run wrote nothing', async () => {
    const { cache, store, onCall } = await rig();
    onCall(() => ok(cart(12)));
    await cache.client.patch(WIDGETS, key, patch, { dryRun: true });
    expect(store.isBehind(key)).toBe(false);
  });

  test('to a subresource counts by the version in its answer', async () => {
    const { cache, store, onCall } = await rig();
    onCall(() => ok({ kind: 'Scale', metadata: { name: 'cart', resourceVersion: '12' } }));
    await cache.client.subresource(WIDGETS, key, { name: 'scale', body: {} });
    expect(store.isBehind(key)).toBe(true);
  });

  test('under a name that the server made up is known from the answer', async () => {
    const { cache, store, onCall } = await rig([]);
    onCall(() => ok(cart(12)));
    await cache.client.create(WIDGETS, {
      apiVersion: 'client.example.com/v1',
      kind: 'Widget',
      metadata: { namespace: 'shop', generateName: 'ca' },
    });
    expect(store.isBehind(key)).toBe(true);
  });

  test('in another namespace, or of another kind, wakes no key', async () => {
    const { cache, store, onCall } = await rig([], { namespace: 'shop' });
    onCall(() => ok(aWidget({ name: 'cart', namespace: 'bank', version: 12 })));
    await cache.client.patch(WIDGETS, { ...key, namespace: 'bank' }, patch);
    onCall(() => ok({ ...cart(12), kind: 'Gadget' }));
    await cache.client.patch(GADGETS, { namespace: '', name: 'cart' }, patch);
    expect([store.isBehind({ ...key, namespace: 'bank' }), store.isBehind(key), store.isListBehind()]).toEqual([false, false, false]);
  });
});

describe('a deletion that was accepted', () => {
  test.each([
    { name: 'gone', line: deleted({ name: 'cart', version: 13 }), reason: 'nothing held it' },
    { name: 'on its way', line: modified({ name: 'cart', version: 13, deleting: true }), reason: 'a finalizer holds it' },
  ])('is behind until the object is $name: $reason', async ({ line }) => {
    const { cache, store, transport, onCall } = await rig();
    onCall(() => ok({ kind: 'Status', status: 'Success' }));
    await cache.client.delete(WIDGETS, key);
    expect(store.isBehind(key)).toBe(true);
    transport.lastWatch.send(bookmark(12));
    await turn();
    expect(store.isBehind(key)).toBe(true);
    transport.lastWatch.send(line);
    await turn();
    expect(store.isBehind(key)).toBe(false);
  });

  test('another object of that name is not the one', async () => {
    const { cache, store, transport, onCall } = await rig();
    onCall(() => ok({ kind: 'Status', status: 'Success' }));
    await cache.client.delete(WIDGETS, key, { preconditions: { uid: 'uid-cart' } });
    transport.lastWatch.send(added({ name: 'cart', version: 14, uid: 'another' }));
    await turn();
    expect(store.isBehind(key)).toBe(false);
  });

  test('of what we had just created is behind until both are shown', async () => {
    const { cache, store, transport, onCall } = await rig([]);
    onCall(({ method }) => (method === 'POST' ? ok(cart(12)) : ok({ kind: 'Status', status: 'Success' })));
    await cache.client.create(WIDGETS, cart(0));
    await cache.client.delete(WIDGETS, key);
    transport.lastWatch.send(added({ name: 'cart', version: 12 }));
    await turn();
    expect(store.isBehind(key)).toBe(true);
    transport.lastWatch.send(deleted({ name: 'cart', version: 13 }));
    await turn();
    expect(store.isBehind(key)).toBe(false);
  });

  test('of an object never seen needs a live read', async () => {
    const { cache, store, transport, onCall } = await rig([]);
    onCall(({ method }) => (method === 'DELETE' ? ok({ kind: 'Status', status: 'Success' }) : failure(404, 'NotFound')));
    const deleting = cache.client.delete(WIDGETS, key);
    await deleting;
    await turn();
    expect(transport.requests.at(-1)).toMatchObject({ method: 'GET', accept: 'metadata' });
    expect(store.isBehind(key)).toBe(false);
  });
});

describe('a write whose answer never came', () => {
  test.each([
    { name: 'a broken connection', fail: lose },
    { name: 'a 500', fail: () => failure(500, 'InternalError') },
    { name: 'a 504', fail: () => failure(504, 'Timeout') },
  ])('after $name: is behind until a later read is shown', async ({ fail }) => {
    const { cache, store, transport, onCall } = await rig();
    onCall(({ method }) => (method === 'GET' ? ok(cart(14)) : fail()));
    await expect(cache.client.patch(WIDGETS, key, patch)).rejects.toBeInstanceOf(PlatformError);
    expect(store.isBehind(key)).toBe(true);
    await turn();
    transport.lastWatch.send(modified({ name: 'cart', version: 12 }));
    await turn();
    expect(store.isBehind(key)).toBe(true);
    transport.lastWatch.send(modified({ name: 'cart', version: 14 }));
    await turn();
    expect(store.isBehind(key)).toBe(false);
  });

  test('did not happen: the read finds the version that is shown', async () => {
    const { cache, store, onCall } = await rig();
    onCall(({ method }) => (method === 'GET' ? ok(cart(5)) : lose()));
    await expect(cache.client.patch(WIDGETS, key, patch)).rejects.toBeInstanceOf(PlatformError);
    await turn();
    expect(store.isBehind(key)).toBe(false);
  });

  test('created nothing: there is nothing to wait for', async () => {
    const { cache, store, onCall } = await rig([]);
    const { promise, resolve } = Promise.withResolvers<ApiResponse>();
    onCall(({ method }) => (method === 'GET' ? promise : lose()));
    await expect(cache.client.create(WIDGETS, cart(0))).rejects.toBeInstanceOf(PlatformError);
    await turn();
    expect([store.isBehind(key), store.isListBehind()]).toEqual([true, true]);
    resolve(failure(404, 'NotFound'));
    await turn();
    expect([store.isBehind(key), store.isListBehind()]).toEqual([false, false]);
  });

  test('deleted the object: behind until it is gone from the store', async () => {
    const { cache, store, transport, onCall } = await rig();
    onCall(({ method }) => (method === 'GET' ? failure(404, 'NotFound') : lose()));
    await expect(cache.client.delete(WIDGETS, key)).rejects.toBeInstanceOf(PlatformError);
    await turn();
    expect(store.isBehind(key)).toBe(true);
    transport.lastWatch.send(deleted({ name: 'cart', version: 13 }));
    await turn();
    expect(store.isBehind(key)).toBe(false);
  });

  test('stays unknown through an outage, and is looked up after it', async () => {
    const { cache, store, clock, transport, onCall } = await rig();
    onCall(lose);
    await expect(cache.client.patch(WIDGETS, key, patch)).rejects.toBeInstanceOf(PlatformError);
    await clock.advance(10_000);
    expect(store.isBehind(key)).toBe(true);
    const tries = transport.requests.length;
    expect(tries).toBeLessThan(12);
    onCall(() => ok(cart(5)));
    await clock.advance(60_000);
    expect(store.isBehind(key)).toBe(false);
    const reads = transport.requests.length;
    await clock.advance(60_000);
    expect(transport.requests).toHaveLength(reads);
  });

  test('and is lost a second time is read a second time', async () => {
    const { cache, store, onCall } = await rig();
    const first = Promise.withResolvers<ApiResponse>();
    let reads = 0;
    onCall(({ method }) => {
      if (method !== 'GET') return lose();
      return ++reads === 1 ? first.promise : ok(cart(20));
    });
    await expect(cache.client.patch(WIDGETS, key, patch)).rejects.toBeInstanceOf(PlatformError);
    await turn();
    await expect(cache.client.patch(WIDGETS, key, patch)).rejects.toBeInstanceOf(PlatformError);
    first.resolve(ok(cart(5)));
    await turn();
    expect([reads, store.isBehind(key)]).toEqual([2, true]);
  });

  test('to an object that we may not read is settled by the next list', async () => {
    const { cache, store, transport, clock, onCall } = await rig();
    onCall(({ method }) => (method === 'GET' ? failure(403, 'Forbidden') : lose()));
    await expect(cache.client.patch(WIDGETS, key, patch)).rejects.toBeInstanceOf(PlatformError);
    await clock.advance(1_000);
    expect(store.isBehind(key)).toBe(true);
    transport.lastWatch.send(errorLine(410, 'Expired'));
    await clock.advance(1_000);
    expect(store.isBehind(key)).toBe(false);
  });
});

test('a list that was under way when the answer was lost settles nothing', async () => {
  const { cache, store, transport, clock, onCall } = await rig();
  onCall(({ method }) => (method === 'GET' ? failure(403, 'Forbidden') : lose()));
  const { promise, resolve } = Promise.withResolvers<ApiResponse>();
  const answer = transport.answer;
  transport.answer = (request) => (request.path.endsWith('/widgets') ? promise : answer(request));
  transport.lastWatch.send(errorLine(410, 'Expired'));
  await clock.advance(1_000);
  await expect(cache.client.patch(WIDGETS, key, patch)).rejects.toBeInstanceOf(PlatformError);
  resolve(aList(30, [cart(5)]));
  await clock.advance(1_000);
  expect(store.isBehind(key)).toBe(true);
});

describe('no write is waited for without end', () => {
  test('a watch that ends without having shown it is followed by a list', async () => {
    const { cache, store, transport, clock, onCall } = await rig([], { labelSelector: 'app=web' });
    onCall(() => ok(cart(12)));
    await cache.client.patch(WIDGETS, key, patch);
    transport.lastWatch.end();
    await clock.advance(1_000);
    expect(store.isBehind(key)).toBe(true);
    const answer = transport.answer;
    transport.answer = (request) => (request.method === 'GET' ? aList(30, []) : answer(request));
    await clock.advance(300_000);
    transport.lastWatch.end();
    await clock.advance(1_000);
    expect(store.isBehind(key)).toBe(false);
  });

  test('versions that a restored server will never reach are forgotten with it', async () => {
    const { cache, store, transport, clock, onCall } = await rig();
    onCall(() => ok(cart(500)));
    await cache.client.patch(WIDGETS, key, patch);
    transport.lastWatch.send(bookmark(400));
    await turn();
    transport.answer = () => aList(20, [cart(5)]);
    transport.lastWatch.send(errorLine(410, 'Expired'));
    await clock.advance(120_000);
    expect(store.isBehind(key)).toBe(false);
  });
});

describe('lists that are behind', () => {
  const byApp = (object: Widget): readonly string[] => [object.metadata.labels?.['app'] ?? 'none'];
  const web = { index: 'app', value: 'web' };
  const db = { index: 'app', value: 'db' };

  test('by what was created and is not shown yet, in flight included', async () => {
    const { cache, store, transport, onCall } = await rig([], { indexes: { app: byApp } });
    const { promise, resolve } = Promise.withResolvers<ApiResponse>();
    onCall(() => promise);
    const creating = cache.client.create(WIDGETS, cart(0, { labels: { app: 'web' } }));
    expect([store.isListBehind(), store.isListBehind(web), store.isListBehind(db)]).toEqual([true, true, false]);
    resolve(ok(cart(12, { labels: { app: 'web' } })));
    await creating;
    expect([store.isListBehind(), store.isListBehind(web), store.isListBehind(db)]).toEqual([true, true, false]);
    transport.lastWatch.send(added({ name: 'cart', version: 12, labels: { app: 'web' } }));
    await turn();
    expect([store.isListBehind(), store.isListBehind(web), store.isListBehind(db)]).toEqual([false, false, false]);
  });

  test('both where an object was and where it went', async () => {
    const { cache, store, onCall } = await rig([cart(5, { labels: { app: 'web' } })], { indexes: { app: byApp } });
    onCall(() => ok(cart(12, { labels: { app: 'db' } })));
    await cache.client.patch(WIDGETS, key, patch);
    expect([store.isListBehind(web), store.isListBehind(db), store.isListBehind({ index: 'app', value: 'none' })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('not by what the selector leaves out', async () => {
    const { cache, store, onCall } = await rig([], { labelSelector: 'app=web' });
    onCall(() => ok(cart(12, { labels: { app: 'db' } })));
    await cache.client.create(WIDGETS, cart(0, { labels: { app: 'db' } }));
    expect(store.isListBehind()).toBe(false);
  });

  test('by a draft that the index cannot place', async () => {
    const { cache, store, onCall } = await rig([], { indexes: { phase: (object) => [(object as Required<Widget>).status.phase ?? ''] } });
    const { promise, resolve } = Promise.withResolvers<ApiResponse>();
    onCall(() => promise);
    const creating = cache.client.create(WIDGETS, cart(0));
    expect(store.isListBehind({ index: 'phase', value: 'Ready' })).toBe(true);
    resolve(failure(409, 'AlreadyExists'));
    await expect(creating).rejects.toMatchObject({ code: 'AlreadyExists' });
    expect(store.isListBehind()).toBe(false);
  });
});
