import { describe, expect, onTestFinished, test } from 'vitest';
import { seededRandom, silent, turn, type Logger } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createClient } from '../client/api-client.ts';
import type { Cache, Store } from './cache.ts';
import { createCache } from './create-cache.ts';
import { errorLine, failure, ScriptedTransport } from '../testing/scripted-transport.ts';
import { added, aList, aWidget, WIDGETS, type Widget } from '../testing/widget.ts';
import type { ApiResponse } from '../client/transport.ts';

interface Rig {
  readonly transport: ScriptedTransport;
  readonly clock: ManualClock;
  readonly cache: Cache;
  readonly store: Store<Widget>;
  readonly said: string[];
}

const NOT_SERVED = failure(404, 'NotFound');
const key = { namespace: 'shop', name: 'a' };

/** A running cache of a kind that may not be installed, over a server that first answers with `list`. */
async function follow(list: ApiResponse): Promise<Rig> {
  const transport = new ScriptedTransport();
  transport.answer = () => list;
  const clock = new ManualClock();
  const said: string[] = [];
  const log: Logger = {
    ...silent,
    debug: (message) => void said.push(`debug ${message}`),
    info: (message) => void said.push(`info ${message}`),
    warn: (message) => void said.push(`warn ${message}`),
    with: () => log,
  };
  const cache = createCache({ client: createClient(transport), clock, random: seededRandom(1), log });
  const store = cache.store({ resource: WIDGETS, isOptional: true });
  const ended = new AbortController();
  const running = cache.run(ended.signal);
  onTestFinished(async () => {
    ended.abort(new Error('the test is over'));
    await running;
  });
  await turn();
  return { transport, clock, cache, store, said };
}

const names = (store: Store<Widget>): string[] => store.list().map((object) => object.metadata.name);

describe('a kind that may not be installed', () => {
  test('counts as read and empty as long as it is not', async () => {
    const { cache, store } = await follow(NOT_SERVED);
    await cache.synced(new AbortController().signal);
    expect([store.unreadable, store.size]).toEqual([undefined, 0]);
  });

  test('is requested with growing delays, and logged once', async () => {
    const { transport, clock, said } = await follow(NOT_SERVED);
    await clock.advance(600_000);
    const before = transport.requests.length;
    await clock.advance(600_000);
    expect(transport.requests.length - before).toBeGreaterThanOrEqual(8);
    expect(transport.requests.length - before).toBeLessThanOrEqual(22);
    expect(said).toEqual(['debug the kind is not installed; it is followed as soon as it is']);
  });

  test('is followed as soon as it is installed', async () => {
    const { transport, clock, store } = await follow(NOT_SERVED);
    await clock.advance(600_000);
    transport.answer = () => aList(10, [aWidget({ name: 'a', version: 1 })]);
    await clock.advance(60_000);
    expect(names(store)).toEqual(['a']);
    transport.lastWatch.send(added({ name: 'b', version: 11 }));
    await turn();
    expect(names(store)).toEqual(['a', 'b']);
  });

  test('an outage that follows is retried as fast as any other', async () => {
    const { transport, clock, store } = await follow(aList(10, []));
    transport.answer = () => NOT_SERVED;
    transport.lastWatch.send(errorLine(410, 'Expired'));
    await clock.advance(600_000);
    transport.answer = () => aList(20, []);
    await clock.advance(120_000);
    transport.lastWatch.end(new Error('connection reset'));
    await clock.advance(1_000);
    expect(transport.lastWatch.open).toBe(true);
    expect(store.unreadable).toBeUndefined();
  });

  test('may not be read: that is no absence', async () => {
    const { store, said } = await follow(failure(403, 'Forbidden'));
    expect(store.unreadable).toContain('Forbidden');
    expect(said).toEqual(['warn listing again']);
  });

  test('was forbidden and is then not there: it is readable, and empty', async () => {
    const { transport, clock, store } = await follow(failure(403, 'Forbidden'));
    transport.answer = () => NOT_SERVED;
    await clock.advance(60_000);
    expect([store.unreadable, store.size]).toEqual([undefined, 0]);
  });

  test('an outage of the server says nothing about it', async () => {
    const { store, transport, clock, said } = await follow(aList(10, [aWidget({ name: 'a', version: 1 })]));
    transport.answer = () => failure(503, 'ServiceUnavailable');
    transport.lastWatch.send(errorLine(410, 'Expired'));
    await clock.advance(5_000);
    expect(names(store)).toEqual(['a']);
    expect(said.some((line) => line.startsWith('info'))).toBe(false);
  });
});

describe('a kind that is taken away', () => {
  test('takes its objects with it, and tells so', async () => {
    const { transport, clock, store } = await follow(aList(10, [aWidget({ name: 'b', version: 2 }), aWidget({ name: 'a', version: 1 })]));
    const gone: string[] = [];
    store.onChange(({ kind, object }) => gone.push(`${kind} ${object.metadata.name}`));
    transport.answer = () => NOT_SERVED;
    transport.lastWatch.send(errorLine(404, 'NotFound'));
    await clock.advance(5_000);
    expect(gone).toEqual(['gone a', 'gone b']);
    expect([store.unreadable, store.size]).toEqual([undefined, 0]);
  });

  test('leaves no pass waiting for a write that can never be shown', async () => {
    const { cache, transport, clock, store } = await follow(aList(10, [aWidget({ name: 'a', version: 1 })]));
    let settled = 0;
    store.onSettled(() => settled++);
    transport.answer = () => ({ code: 200, body: aWidget({ name: 'a', version: 12 }) });
    await cache.client.patch(WIDGETS, key, { type: 'merge', body: {} });
    expect(store.isBehind(key)).toBe(true);
    const before = settled;
    transport.answer = () => NOT_SERVED;
    transport.lastWatch.send(errorLine(404, 'NotFound'));
    await clock.advance(5_000);
    expect(store.isBehind(key)).toBe(false);
    expect(settled).toBeGreaterThan(before);
  });

  test('but what was written after it was asked for is waited for: it may be there by now', async () => {
    const { cache, transport, clock, store } = await follow(NOT_SERVED);
    const answer = Promise.withResolvers<ApiResponse>();
    transport.answer = ({ method }) => (method === 'GET' ? answer.promise : { code: 201, body: aWidget({ name: 'a', version: 12 }) });
    await clock.advance(60_000);
    await cache.client.create(WIDGETS, aWidget({ name: 'a', version: 0 }));
    answer.resolve(NOT_SERVED);
    await turn();
    expect(store.isBehind(key)).toBe(true);
  });
});

describe('two readers', () => {
  test('must agree on whether the kind may be missing', async () => {
    const { cache } = await follow(aList(10, []));
    expect(() => cache.store({ resource: WIDGETS })).toThrow('two readers disagree on whether the kind may be missing');
    expect(() => cache.store({ resource: WIDGETS, isOptional: true })).not.toThrow();
  });
});
