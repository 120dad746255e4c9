import { describe, expect, onTestFinished, test } from 'vitest';
import { PlatformError, seededRandom, turn } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createClient } from '../client/api-client.ts';
import type { Cache, Change, Keep, Store } from './cache.ts';
import { createCache } from './create-cache.ts';
import { errorLine, failure, ScriptedTransport } from '../testing/scripted-transport.ts';
import { added, aList, aWidget, bookmark, deleted, modified, WIDGETS, type Widget } from '../testing/widget.ts';
import type { ApiResponse } from '../client/transport.ts';

interface Rig {
  readonly transport: ScriptedTransport;
  readonly clock: ManualClock;
  readonly cache: Cache;
  readonly store: Store<Widget>;
  readonly changes: string[];
  stop(): Promise<void>;
}

/** A running cache of widgets over a scripted server that lists `list` first. */
async function follow(list: ApiResponse = aList(10, []), keep?: Keep<Widget>): Promise<Rig> {
  const transport = new ScriptedTransport();
  transport.answer = () => list;
  const clock = new ManualClock();
  const cache = createCache({ client: createClient(transport), clock, random: seededRandom(1) });
  const store = cache.store({ resource: WIDGETS, ...(keep ? { keep } : {}) });
  const changes: string[] = [];
  store.onChange((change) => changes.push(textOf(change)));
  const ended = new AbortController();
  const running = cache.run(ended.signal);
  const stop = async (): Promise<void> => {
    ended.abort(new Error('the test is over'));
    await running;
  };
  onTestFinished(stop);
  await turn();
  return { transport, clock, cache, store, changes, stop };
}

const textOf = (change: Change<Widget>): string => {
  const { name, uid, resourceVersion } = change.object.metadata;
  const before = change.kind === 'put' && change.before ? ` after ${change.before.metadata.resourceVersion}` : '';
  return `${change.kind} ${name} ${uid} ${resourceVersion}${before}`;
};

const names = (store: Store<Widget>): string[] => store.list().map((object) => object.metadata.name);

describe('following a kind', () => {
  test('lists, then watches from the version of the list', async () => {
    const { transport, store, changes } = await follow(aList(10, [aWidget({ name: 'b', version: 3 }), aWidget({ name: 'a', version: 7 })]));
    expect(names(store)).toEqual(['a', 'b']);
    expect(changes).toEqual(['put a uid-a 7', 'put b uid-b 3']);
    expect(transport.lastWatch.request.query).toMatchObject({ watch: 'true', resourceVersion: '10' });
  });

  test('a watch that ended leaves no listener: its signal is aborted too', async () => {
    const { transport } = await follow();
    const { lastWatch } = transport;
    expect(lastWatch.signal.aborted).toBe(false);
    lastWatch.end();
    await turn();
    expect(lastWatch.signal.aborted).toBe(true);
  });

  test('takes what the watch shows, in order', async () => {
    const { transport, store, changes } = await follow(aList(10, [aWidget({ name: 'a', version: 7 })]));
    changes.length = 0;
    transport.lastWatch.send(added({ name: 'b', version: 11 }), modified({ name: 'a', version: 12 }), deleted({ name: 'b', version: 13 }));
    await turn();
    expect(changes).toEqual(['put b uid-b 11', 'put a uid-a 12 after 7', 'gone b uid-b 11']);
    expect(names(store)).toEqual(['a']);
    expect(store.size).toBe(1);
  });

  test('another object of the same name comes as gone and put, also without a DELETED between them', async () => {
    const { transport, changes } = await follow(aList(10, [aWidget({ name: 'a', version: 7, uid: 'old' })]));
    changes.length = 0;
    transport.lastWatch.send(added({ name: 'a', version: 12, uid: 'new' }));
    await turn();
    expect(changes).toEqual(['gone a old 7', 'put a new 12']);
  });

  test('a DELETED of another object of that name removes nothing', async () => {
    const { transport, store } = await follow(aList(10, [aWidget({ name: 'a', version: 7, uid: 'new' })]));
    transport.lastWatch.send(deleted({ name: 'a', version: 11, uid: 'old' }));
    await turn();
    expect(store.size).toBe(1);
  });

  test('an object does not go back to a version before the one shown', async () => {
    const { transport, store } = await follow(aList(10, [aWidget({ name: 'a', version: 9 })]));
    transport.lastWatch.send(modified({ name: 'a', version: 8 }));
    await turn();
    expect(store.get({ namespace: 'shop', name: 'a' })?.metadata.resourceVersion).toBe('9');
  });

  test('a listener that throws does not keep a change from other listeners', async () => {
    const { transport, store, changes } = await follow();
    store.onChange(() => {
      throw new Error('a mistake');
    });
    const heard: string[] = [];
    const stop = store.onChange((change) => heard.push(textOf(change)));
    transport.lastWatch.send(added({ name: 'a', version: 11 }));
    await turn();
    stop();
    transport.lastWatch.send(modified({ name: 'a', version: 12 }));
    await turn();
    expect(heard).toEqual(['put a uid-a 11']);
    expect(changes).toEqual(['put a uid-a 11', 'put a uid-a 12 after 11']);
  });
});

describe('what is kept', () => {
  const list = aList(10, [aWidget({ name: 'a', version: 7, colour: 'blue' })]);

  test('whole: all but managedFields, frozen', async () => {
    const { store } = await follow(list);
    const [kept] = store.list();
    expect(kept?.spec?.colour).toBe('blue');
    expect(kept?.metadata).not.toHaveProperty('managedFields');
    expect(Object.isFrozen(kept?.spec)).toBe(true);
    expect(Object.isFrozen(kept?.metadata)).toBe(true);
  });

  test('what was served is left as it was', async () => {
    const served = aWidget({ name: 'a', version: 7 });
    await follow(aList(10, [served]));
    expect(served.metadata).toHaveProperty('managedFields');
    expect(Object.isFrozen(served)).toBe(false);
  });

  test('metadata: the server is asked for no more, in lists and watches', async () => {
    const { transport, store } = await follow(list, 'metadata');
    const partial = { ...aWidget({ name: 'b', version: 11 }), apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
    transport.lastWatch.send({ type: 'ADDED', object: partial });
    await turn();
    expect(store.list().map(({ apiVersion, kind, spec }) => ({ apiVersion, kind, spec }))).toEqual([
      { apiVersion: 'client.example.com/v1', kind: 'Widget', spec: undefined },
      { apiVersion: 'client.example.com/v1', kind: 'Widget', spec: undefined },
    ]);
    expect([transport.requests[0]?.accept, transport.lastWatch.request.accept]).toEqual(['metadata', 'metadata']);
  });

  test('a function keeps what it returns, from lists and watches', async () => {
    const { transport, store } = await follow(list, (object) => ({ ...object, spec: { colour: object.spec?.colour ?? '' } }));
    transport.lastWatch.send(added({ name: 'b', version: 11 }));
    await turn();
    expect(store.list().map((object) => object.spec)).toEqual([{ colour: 'blue' }, { colour: 'red' }]);
  });
});

describe('when the watch ends', () => {
  test('it resumes at once from the last version seen, bookmarks included', async () => {
    const { transport } = await follow();
    transport.lastWatch.send(added({ name: 'a', version: 11 }), bookmark(40));
    transport.lastWatch.end();
    await turn();
    expect(transport.watches).toHaveLength(2);
    expect(transport.lastWatch.request.query?.['resourceVersion']).toBe('40');
    expect(transport.requests).toHaveLength(1);
  });

  test('a server that ends every watch at once is not asked in a hot loop', async () => {
    const { transport, clock } = await follow();
    const watchesAfter = async (ms: number): Promise<number> => {
      for (let step = 0; step < 100; step++) {
        if (transport.lastWatch.open) transport.lastWatch.end();
        await clock.advance(ms / 100);
      }
      return transport.watches.length;
    };
    expect(await watchesAfter(60_000)).toBeLessThan(15);
  });

  test('a server that lists well but calls every version too old is not asked in a hot loop', async () => {
    const { transport, clock } = await follow();
    let version = 10;
    transport.answer = () => aList(++version, []);
    transport.refuseWatch = () => failure(410, 'Expired');
    transport.lastWatch.end();
    await clock.advance(60_000);
    expect(transport.requests.length).toBeGreaterThan(2);
    expect(transport.requests.length).toBeLessThan(15);
  });

  test('a broken connection resumes after a pause that grows, and shrinks again after a good watch', async () => {
    const { transport, clock } = await follow();
    const pauses: number[] = [];
    const breakAndMeasure = async (): Promise<void> => {
      const before = transport.watches.length;
      transport.lastWatch.end(new Error('connection reset'));
      let waited = 0;
      while (transport.watches.length === before) await clock.advance((waited += 50) && 50);
      pauses.push(waited);
    };
    for (let i = 0; i < 6; i++) await breakAndMeasure();
    expect(pauses.at(-1)).toBeGreaterThan(8 * (pauses[0] ?? 0));
    await clock.advance(60_000);
    await breakAndMeasure();
    expect(pauses.at(-1)).toBeLessThanOrEqual(300);
    expect(transport.requests).toHaveLength(1);
  });

  test('the pauses never grow beyond half a minute', async () => {
    const { transport, clock } = await follow();
    transport.refuseWatch = () => {
      throw new Error('refused');
    };
    let asked = 0;
    transport.refuseWatch = () => {
      asked++;
      throw new Error('connection refused');
    };
    transport.lastWatch.end();
    await clock.advance(600_000);
    const before = asked;
    await clock.advance(300_000);
    expect(asked - before).toBeGreaterThanOrEqual(10);
  });

  test.each([
    { name: 'an ERROR line', refuse: false },
    { name: 'a refusal', refuse: true },
  ])('410 as $name: lists again and tells only what differs', async ({ refuse }) => {
    const { transport, clock, store, changes } = await follow(
      aList(10, [aWidget({ name: 'a', version: 1 }), aWidget({ name: 'b', version: 2 }), aWidget({ name: 'c', version: 3, uid: 'old' })]),
    );
    changes.length = 0;
    const next = [aWidget({ name: 'a', version: 1 }), aWidget({ name: 'c', version: 33, uid: 'new' }), aWidget({ name: 'd', version: 34 })];
    transport.answer = () => aList(50, next);
    if (refuse) transport.refuseWatch = ({ query }) => (query?.['resourceVersion'] === '10' ? failure(410, 'Expired') : undefined);
    else transport.lastWatch.send(errorLine(410, 'Expired'));
    const kept = store.get({ namespace: 'shop', name: 'a' });
    transport.lastWatch.end();
    await clock.advance(2_000);
    expect(changes).toEqual(['gone b uid-b 2', 'gone c old 3', 'put c new 33', 'put d uid-d 34']);
    expect(store.get({ namespace: 'shop', name: 'a' })).toBe(kept);
    expect(transport.lastWatch.request.query?.['resourceVersion']).toBe('50');
  });

  test('a stream that cannot be read is not resumed where it broke, but listed again', async () => {
    const { transport, clock } = await follow();
    transport.lastWatch.end(new PlatformError('Internal', 'reading a watch: unexpected token'));
    await clock.advance(1_000);
    expect(transport.requests).toHaveLength(2);
  });

  test('a truncated stream is resumed', async () => {
    const { transport, clock } = await follow();
    transport.lastWatch.end(new PlatformError('Unavailable', 'the watch ended in the middle of a line'));
    await clock.advance(1_000);
    expect(transport.requests).toHaveLength(1);
    expect(transport.watches).toHaveLength(2);
  });

  test.each([429, 500, 503])('%i in place of a watch is resumed later, without a list', async (code) => {
    const { transport, clock } = await follow();
    transport.refuseWatch = () => failure(code, '');
    transport.lastWatch.end();
    await clock.advance(5_000);
    transport.refuseWatch = () => undefined;
    await clock.advance(30_000);
    expect(transport.lastWatch.open).toBe(true);
    expect(transport.requests).toHaveLength(1);
  });
});

describe('a stream that loses an event without a word', () => {
  const key = { namespace: 'shop', name: 'a' };
  const patch = { type: 'merge', body: {} } as const;

  /** Widget `a` is at version 12 on the server and at 7 in the store; writes are answered with `refusal`. */
  async function withLostEvent(refusal: ApiResponse): Promise<Rig & { lists: () => number; write: () => Promise<void> }> {
    const rig = await follow(aList(10, [aWidget({ name: 'a', version: 7 })]));
    await rig.clock.advance(180_000);
    const { transport } = rig;
    transport.answer = ({ method }) => (method === 'GET' ? aList(20, [aWidget({ name: 'a', version: 12 })]) : refusal);
    const write = async (): Promise<void> => {
      await rig.cache.client.patchStatus(WIDGETS, key, patch).catch(() => undefined);
      await turn();
    };
    return { ...rig, write, lists: () => transport.requests.filter(({ method }) => method === 'GET').length };
  }

  const patchTestFailed = failure(422, 'Invalid');
  const badField = { code: 422, body: { ...(failure(422, 'Invalid').body as object), details: { name: 'a' } } };

  test.each([
    { name: 'as a conflict', refusal: failure(409, 'Conflict') },
    { name: 'as gone', refusal: failure(404, 'NotFound') },
    { name: 'as existing', refusal: failure(409, 'AlreadyExists') },
    { name: 'as a patch that does not fit', refusal: patchTestFailed },
  ])('writes refused $name, while our copy stands still, make it list again', async ({ refusal }) => {
    const { write, clock, store, lists, transport } = await withLostEvent(refusal);
    await write();
    expect(lists()).toBe(1);
    await clock.advance(10_000);
    await write();
    await clock.advance(1_000);
    expect(lists()).toBe(2);
    expect(store.get(key)?.metadata.resourceVersion).toBe('12');
    expect(transport.watches.map(({ open }) => open)).toEqual([false, true]);
    expect(transport.lastWatch.request.query?.['resourceVersion']).toBe('20');
  });

  test.each([
    { name: 'for want of permission', refusal: failure(403, 'Forbidden') },
    { name: 'for a bad field', refusal: badField },
    { name: 'for too many requests', refusal: failure(429, 'TooManyRequests') },
  ])('writes refused $name say nothing about our copy', async ({ refusal }) => {
    const { write, clock, lists } = await withLostEvent(refusal);
    for (let i = 0; i < 10; i++) {
      await write();
      await clock.advance(5_000);
    }
    expect(lists()).toBe(1);
  });

  test('refusals that a list cannot explain do not make it list all the time', async () => {
    const { write, clock, lists } = await withLostEvent(failure(409, 'Conflict'));
    for (let i = 0; i < 60; i++) {
      await write();
      await clock.advance(5_000);
    }
    expect(lists()).toBeLessThanOrEqual(4);
  });

  test('a list is repeated after a while even without writes', async () => {
    const { clock, lists, transport, store } = await withLostEvent(failure(409, 'Conflict'));
    await clock.advance(300_000);
    transport.lastWatch.end();
    await clock.advance(1_000);
    expect(lists()).toBe(1);
    await clock.advance(600_000);
    transport.lastWatch.end();
    await clock.advance(1_000);
    expect(lists()).toBe(2);
    expect(store.get(key)?.metadata.resourceVersion).toBe('12');
  });

  test.each([
    {
      how: 'is refused',
      ends: ({ transport }: Rig) => {
        transport.refuseWatch = () => failure(503, 'ServiceUnavailable');
        transport.lastWatch.end();
      },
    },
    { how: 'ends in an ERROR line', ends: ({ transport }: Rig) => transport.lastWatch.send(errorLine(500, 'InternalError')) },
    { how: 'breaks', ends: ({ transport }: Rig) => transport.lastWatch.end(new Error('connection reset')) },
  ])('a list is repeated after a while also where every watch $how', async ({ ends }) => {
    const rig = await withLostEvent(failure(409, 'Conflict'));
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 5_000) {
        if (rig.transport.lastWatch.open) ends(rig);
        await rig.clock.advance(5_000);
      }
    };
    await pass(700_000);
    expect(rig.lists()).toBe(1);
    await pass(60_000);
    expect(rig.lists()).toBe(2);
    expect(rig.store.get(key)?.metadata.resourceVersion).toBe('12');
    await pass(700_000);
    expect(rig.lists()).toBe(2);
  });
});

describe('a server that goes back in time', () => {
  test('is not followed at first, and is once it insists', async () => {
    const { transport, clock, store } = await follow(aList(100, [aWidget({ name: 'a', version: 90 })]));
    transport.answer = () => aList(50, []);
    transport.lastWatch.send(errorLine(410, 'Expired'));
    await clock.advance(1_000);
    expect(names(store)).toEqual(['a']);
    await clock.advance(120_000);
    expect(names(store)).toEqual([]);
    expect(transport.lastWatch.request.query?.['resourceVersion']).toBe('50');
  });

  test('that knows no version as new as ours is listed again', async () => {
    const { transport, clock } = await follow();
    const tooLarge = failure(504, 'Timeout');
    const body = {
      ...(tooLarge.body as object),
      details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
    };
    transport.refuseWatch = () => (transport.requests.length === 1 ? { code: 504, body } : undefined);
    transport.lastWatch.end();
    await clock.advance(5_000);
    expect(transport.requests).toHaveLength(2);
    expect(transport.lastWatch.open).toBe(true);
  });
});

describe('a kind that cannot be read', () => {
  test.each([
    { code: 403, reason: 'Forbidden' },
    { code: 404, reason: 'NotFound' },
  ])('$code is said, does not hold up the others, and heals', async ({ code, reason }) => {
    const { transport, clock, cache, store } = await follow(failure(code, reason));
    await cache.synced(new AbortController().signal);
    expect(store.unreadable).toContain(reason);
    transport.answer = () => aList(10, [aWidget({ name: 'a', version: 1 })]);
    await clock.advance(180_000);
    expect(store.unreadable).toBeUndefined();
    expect(names(store)).toEqual(['a']);
  });

  test('what was read before stays', async () => {
    const { transport, clock, store } = await follow(aList(10, [aWidget({ name: 'a', version: 1 })]));
    transport.answer = () => failure(403, 'Forbidden');
    transport.lastWatch.send(errorLine(403, 'Forbidden'));
    await clock.advance(1_000);
    expect(store.unreadable).toContain('Forbidden');
    expect(names(store)).toEqual(['a']);
  });

  test('an outage is no such thing', async () => {
    const { store, cache, clock, transport } = await follow(failure(503, 'ServiceUnavailable'));
    let synced = false;
    const wait = cache.synced(new AbortController().signal).then(() => (synced = true));
    await clock.advance(60_000);
    expect([store.unreadable, synced]).toEqual([undefined, false]);
    transport.answer = () => aList(10, []);
    await clock.advance(60_000);
    await wait;
    expect(synced).toBe(true);
  });
});

describe('ending', () => {
  test('leaves no wait and no open watch behind', async () => {
    const rig = await follow();
    await rig.stop();
    expect(rig.transport.lastWatch.open).toBe(false);
    expect(rig.clock.waiting).toBe(0);
  });

  test('works in the middle of a pause', async () => {
    const rig = await follow(failure(500, 'InternalError'));
    expect(rig.clock.waiting).toBe(1);
    await rig.stop();
    expect(rig.clock.waiting).toBe(0);
  });

  test('a caller that waits for the first list is notified', async () => {
    const { cache } = await follow(failure(500, 'InternalError'));
    const impatient = new AbortController();
    const wait = cache.synced(impatient.signal).catch((error: unknown) => error);
    impatient.abort(new Error('enough'));
    expect(await wait).toMatchObject({ message: 'enough' });
  });
});
