import { describe, expect, test } from 'vitest';
import { hasCode, PlatformError } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createClient } from './api-client.ts';
import type { KubeClient } from './client.ts';
import { ApiError } from './errors.ts';
import { collect } from '../testing/collect.ts';
import { failure, ScriptedTransport } from '../testing/scripted-transport.ts';
import { added, aList, aWidget, GADGETS, WIDGETS } from '../testing/widget.ts';
import type { ApiRequest, ApiResponse } from './transport.ts';

const key = { namespace: 'shop', name: 'cart' };
const cart = aWidget({ name: 'cart', version: 7 });
const ok = (body: unknown): ApiResponse => ({ code: 200, body });

function scripted(answer: (request: ApiRequest) => ApiResponse): { client: KubeClient; transport: ScriptedTransport } {
  const transport = new ScriptedTransport();
  transport.answer = answer;
  return { client: createClient(transport), transport };
}

describe('what goes over the wire', () => {
  const CASES: readonly { name: string; reason: string; call: (client: KubeClient) => Promise<unknown>; want: ApiRequest }[] = [
    {
      name: 'get',
      reason: 'a namespaced object has its namespace in the path',
      call: (client) => client.get(WIDGETS, key),
      want: { method: 'GET', path: '/apis/client.example.com/v1/namespaces/shop/widgets/cart' },
    },
    {
      name: 'get of a cluster-scoped object',
      reason: 'there is no namespace to name',
      call: (client) => client.get(GADGETS, { namespace: '', name: 'g' }),
      want: { method: 'GET', path: '/apis/client.example.com/v1/gadgets/g' },
    },
    {
      name: 'get of a core kind',
      reason: 'the core group lives under /api',
      call: (client) => client.get({ ...WIDGETS, group: '', plural: 'pods' }, key),
      want: { method: 'GET', path: '/api/v1/namespaces/shop/pods/cart' },
    },
    {
      name: 'log',
      reason: 'a text, with both bounds',
      call: (client) => client.log(key, { container: 'app', previous: true, tailLines: 20, limitBytes: 4096 }),
      want: {
        method: 'GET',
        path: '/api/v1/namespaces/shop/pods/cart/log',
        query: { container: 'app', tailLines: '20', limitBytes: '4096', previous: 'true' },
        accept: 'text',
      },
    },
    {
      name: 'create',
      reason: 'options of the write are its query',
      call: (client) => client.create(WIDGETS, cart, { dryRun: true, fieldValidation: 'Strict' }),
      want: {
        method: 'POST',
        path: '/apis/client.example.com/v1/namespaces/shop/widgets',
        query: { dryRun: 'All', fieldValidation: 'Strict' },
        body: cart,
      },
    },
    {
      name: 'update',
      reason: 'the object says where it is',
      call: (client) => client.update(WIDGETS, cart),
      want: { method: 'PUT', path: '/apis/client.example.com/v1/namespaces/shop/widgets/cart', query: {}, body: cart },
    },
    {
      name: 'updateStatus',
      reason: 'status is a subresource',
      call: (client) => client.updateStatus(WIDGETS, cart),
      want: { method: 'PUT', path: '/apis/client.example.com/v1/namespaces/shop/widgets/cart/status', query: {}, body: cart },
    },
    {
      name: 'patch',
      reason: 'the form of the patch is its content type',
      call: (client) => client.patch(WIDGETS, key, { type: 'strategic', body: { spec: {} } }),
      want: {
        method: 'PATCH',
        path: '/apis/client.example.com/v1/namespaces/shop/widgets/cart',
        contentType: 'application/strategic-merge-patch+json',
        query: {},
        body: { spec: {} },
      },
    },
    {
      name: 'patchStatus',
      reason: 'JSON patches are lists',
      call: (client) => client.patchStatus(WIDGETS, key, { type: 'json', body: [{ op: 'remove', path: '/status' }] }),
      want: {
        method: 'PATCH',
        path: '/apis/client.example.com/v1/namespaces/shop/widgets/cart/status',
        contentType: 'application/json-patch+json',
        query: {},
        body: [{ op: 'remove', path: '/status' }],
      },
    },
    {
      name: 'delete',
      reason: 'preconditions and propagation go in the body',
      call: (client) =>
        client.delete(WIDGETS, key, { preconditions: { uid: 'u' }, propagationPolicy: 'Background', gracePeriodSeconds: 0 }),
      want: {
        method: 'DELETE',
        path: '/apis/client.example.com/v1/namespaces/shop/widgets/cart',
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          preconditions: { uid: 'u' },
          propagationPolicy: 'Background',
          gracePeriodSeconds: 0,
        },
      },
    },
    {
      name: 'token',
      reason: 'the API creates tokens',
      call: (client) => client.subresource(WIDGETS, key, { name: 'token', body: { a: 1 } }),
      want: { method: 'POST', path: '/apis/client.example.com/v1/namespaces/shop/widgets/cart/token', query: {}, body: { a: 1 } },
    },
    {
      name: 'scale',
      reason: 'the API replaces a scale',
      call: (client) => client.subresource(WIDGETS, key, { name: 'scale', body: { a: 1 } }),
      want: { method: 'PUT', path: '/apis/client.example.com/v1/namespaces/shop/widgets/cart/scale', query: {}, body: { a: 1 } },
    },
    {
      name: 'metadata only',
      reason: 'the server is asked not to send the rest',
      call: (client) => client.get(WIDGETS, key, { metadataOnly: true }),
      want: { method: 'GET', path: '/apis/client.example.com/v1/namespaces/shop/widgets/cart', accept: 'metadata' },
    },
  ];
  test.each(CASES)('$name: $reason', async ({ call, want }) => {
    const { client, transport } = scripted(() => ok(cart));
    await call(client);
    expect(transport.requests).toEqual([want]);
  });
});

describe('paths that would address something else', () => {
  test.each([
    { name: '', reason: 'that is the collection' },
    { name: '..', reason: 'a proxy may resolve it' },
    { name: 'a/status', reason: 'that is a subresource' },
    { name: 'a%2fb', reason: 'it may be decoded on the way' },
  ])('refuses the name $name: $reason', async ({ name }) => {
    const { client, transport } = scripted(() => ok(cart));
    await expect(client.delete(WIDGETS, { namespace: 'shop', name })).rejects.toMatchObject({ code: 'BadRequest', retry: 'never' });
    expect(transport.requests).toEqual([]);
  });

  test('refuses an object of a namespaced kind without namespace', async () => {
    const { client } = scripted(() => ok(cart));
    await expect(client.get(WIDGETS, { namespace: '', name: 'cart' })).rejects.toMatchObject({ code: 'BadRequest' });
    await expect(
      client.create(WIDGETS, { apiVersion: 'client.example.com/v1', kind: 'Widget', metadata: { name: 'cart' } }),
    ).rejects.toMatchObject({
      code: 'BadRequest',
    });
  });
});

describe('logs', () => {
  const options = { container: 'app', tailLines: 2, limitBytes: 8 };
  const logOf = (answer: ApiResponse): Promise<string> => scripted(() => answer).client.log(key, options);

  test('are the text, and no more of it than was asked for', async () => {
    expect(await logOf({ code: 200, body: 'panic\n', mediaType: 'text/plain' })).toBe('panic\n');
    expect(await logOf({ code: 200, body: 'very long panic\n', mediaType: 'text/plain' })).toBe('g panic\n');
  });

  test('that cannot be read are a failure, never an empty log', async () =>
    expect(await logOf(failure(403, 'Forbidden')).catch((error: unknown) => hasCode(error, 'Forbidden'))).toBe(true));
});

describe('lists', () => {
  const names = (items: readonly { metadata: { name: string } }[]): string[] => items.map((item) => item.metadata.name);

  test('reads all pages at the version of the first', async () => {
    const { client, transport } = scripted(({ query }) =>
      query?.['continue'] === 'p2' ? aList(9, [aWidget({ name: 'b', version: 2 })]) : aList(9, [aWidget({ name: 'a', version: 1 })], 'p2'),
    );
    const list = await client.list(WIDGETS, { labelSelector: 'app=x', resourceVersion: '0', pageSize: 1 });
    expect(names(list.items)).toEqual(['a', 'b']);
    expect(list.resourceVersion).toBe('9');
    expect(transport.requests.map((request) => request.query)).toEqual([
      { labelSelector: 'app=x', limit: '1', resourceVersion: '0' },
      { labelSelector: 'app=x', limit: '1', continue: 'p2' },
    ]);
  });

  test('starts over, in one piece, when a page is gone', async () => {
    const { client, transport } = scripted(({ query }) => {
      if (query?.['continue'] !== undefined) return failure(410, 'Expired');
      return query?.['limit'] === undefined
        ? aList(20, [aWidget({ name: 'c', version: 3 })])
        : aList(9, [aWidget({ name: 'a', version: 1 })], 'p2');
    });
    const list = await client.list(WIDGETS);
    expect(names(list.items)).toEqual(['c']);
    expect(list.resourceVersion).toBe('20');
    expect(transport.requests).toHaveLength(3);
  });

  test('gives a 410 that comes again to the caller', async () => {
    const { client, transport } = scripted(() => failure(410, 'Expired'));
    await expect(client.list(WIDGETS)).rejects.toMatchObject({ code: 'Gone' });
    expect(transport.requests).toHaveLength(2);
  });

  test('names the kind that lists of built-in kinds leave out', async () => {
    const { kind: _, apiVersion: __, ...bare } = cart;
    const { client } = scripted(() => aList(9, [bare as typeof cart]));
    const [item] = (await client.list(WIDGETS)).items;
    expect(item).toMatchObject({ apiVersion: 'client.example.com/v1', kind: 'Widget', metadata: { name: 'cart' } });
  });

  test('takes a null for an empty list', async () => {
    const { client } = scripted(() => ok({ kind: 'WidgetList', metadata: { resourceVersion: '3' }, items: null }));
    expect(await client.list(WIDGETS)).toEqual({ items: [], resourceVersion: '3' });
  });

  test('keeps no more than metadata when no more was asked for, whatever the server sends', async () => {
    const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: cart.metadata };
    const { client } = scripted(() => aList(9, [cart, partial]));
    const list = await client.list(WIDGETS, { metadataOnly: true });
    const want = { apiVersion: 'client.example.com/v1', kind: 'Widget', metadata: cart.metadata };
    expect(list.items).toEqual([want, want]);
  });

  test('trims objects as they come', async () => {
    const { client } = scripted(() => aList(9, [cart]));
    const list = await client.list(WIDGETS, { trim: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }) });
    expect(list.items[0]?.spec).toBeUndefined();
  });
});

describe('answers that are failures', () => {
  test('a Status becomes an ApiError with the status whole', async () => {
    const { client } = scripted(() => failure(409, 'AlreadyExists'));
    const error = await client.create(WIDGETS, cart).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'AlreadyExists', httpCode: 409, status: { reason: 'AlreadyExists' } });
  });

  test("a proxy's page becomes an ApiError by its code", async () => {
    const { client } = scripted(() => ({ code: 502, body: '<html>bad gateway</html>', retryAfterSeconds: 3 }));
    const error = await client.get(WIDGETS, key).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'Unavailable', httpCode: 502, status: { details: { retryAfterSeconds: 3 } } });
    expect((error as Error).message).toContain('bad gateway');
  });

  test('success without an object is a lost reply', async () => {
    const { client } = scripted(() => ok('welcome to the hotel network'));
    await expect(client.get(WIDGETS, key)).rejects.toMatchObject({ code: 'Unavailable' });
    await expect(client.list(WIDGETS)).rejects.toMatchObject({ code: 'Unavailable' });
  });

  test('a broken connection is Unavailable, with its cause', async () => {
    const cause = new Error('socket hang up');
    const { client } = scripted(() => {
      throw cause;
    });
    await expect(client.get(WIDGETS, key)).rejects.toMatchObject({ code: 'Unavailable', cause });
  });
});

test('hands warnings on', async () => {
  const heard: string[] = [];
  const transport = new ScriptedTransport();
  transport.answer = () => ({ ...ok(cart), warnings: ['v1beta1 is deprecated'] });
  const client = createClient(transport, { onWarning: (warning, request) => heard.push(`${request.method} ${warning}`) });
  await client.get(WIDGETS, key);
  expect(heard).toEqual(['GET v1beta1 is deprecated']);
});

describe('retry', () => {
  const client = (transport: ScriptedTransport, clock = new ManualClock()): KubeClient =>
    createClient(transport, { retry: { clock, retries: 2 } });

  test('waits as told and sends again what was put off', async () => {
    const clock = new ManualClock();
    const transport = new ScriptedTransport();
    transport.answer = () => (transport.requests.length < 2 ? failure(429, 'TooManyRequests', { retryAfterSeconds: 5 }) : ok(cart));
    const got = client(transport, clock).get(WIDGETS, key);
    await clock.advance(4_999);
    expect(transport.requests).toHaveLength(1);
    await clock.advance(1);
    expect((await got).metadata.name).toBe('cart');
  });

  test('ends after the retries it was given', async () => {
    const clock = new ManualClock();
    const transport = new ScriptedTransport();
    transport.answer = () => failure(503, 'ServiceUnavailable', { retryAfterSeconds: 1 });
    const got = client(transport, clock)
      .get(WIDGETS, key)
      .catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(hasCode(await got, 'Unavailable')).toBe(true);
    expect(transport.requests).toHaveLength(3);
  });

  test.each([
    { name: 'a 429 that names no time', answer: failure(429, 'TooManyRequests'), reason: 'the server did not say when' },
    { name: 'a 500', answer: failure(500, 'InternalError', { retryAfterSeconds: 1 }), reason: 'it may have been executed' },
    { name: 'a 504', answer: failure(504, 'Timeout', { retryAfterSeconds: 1 }), reason: 'it may have been executed' },
  ])('sends $name never again: $reason', async ({ answer }) => {
    const transport = new ScriptedTransport();
    transport.answer = () => answer;
    await expect(client(transport).create(WIDGETS, cart)).rejects.toBeInstanceOf(ApiError);
    expect(transport.requests).toHaveLength(1);
  });

  test('a request is not delayed unless the server asks for it', async () => {
    const { client: plain, transport } = scripted(() => failure(429, 'TooManyRequests', { retryAfterSeconds: 1 }));
    await expect(plain.get(WIDGETS, key)).rejects.toMatchObject({ code: 'TooManyRequests' });
    expect(transport.requests).toHaveLength(1);
  });
});

describe('watches', () => {
  const never = new AbortController().signal;

  test('asks for bookmarks and hands lines on in batches', async () => {
    const { client, transport } = scripted(() => ok(cart));
    const lines = await client.watch(WIDGETS, { namespace: 'shop', resourceVersion: '5', timeoutSeconds: 60, metadataOnly: true }, never);
    transport.lastWatch.send(added({ name: 'a', version: 6 }), added({ name: 'b', version: 7 }));
    transport.lastWatch.end();
    const batches = await collect(lines);
    expect(batches.map((batch) => batch.map((line) => line.object.metadata.name))).toEqual([['a', 'b']]);
    expect(transport.lastWatch.request).toEqual({
      method: 'GET',
      path: '/apis/client.example.com/v1/namespaces/shop/widgets',
      query: { watch: 'true', allowWatchBookmarks: 'true', resourceVersion: '5', timeoutSeconds: '60' },
      accept: 'metadata',
    });
  });

  test('throws what the server refuses with', async () => {
    const { client, transport } = scripted(() => ok(cart));
    transport.refuseWatch = () => failure(410, 'Expired');
    await expect(client.watch(WIDGETS, { resourceVersion: '5' }, never)).rejects.toMatchObject({ code: 'Gone' });
  });

  test('turns a broken stream into Unavailable, and leaves what is foreseen as it is', async () => {
    const { client, transport } = scripted(() => ok(cart));
    const read = async (error: Error): Promise<unknown> => {
      const lines = await client.watch(WIDGETS, { resourceVersion: '5' }, never);
      transport.lastWatch.end(error);
      return collect(lines).catch((thrown: unknown) => thrown);
    };
    expect(await read(new Error('reset'))).toMatchObject({ code: 'Unavailable' });
    expect(await read(new PlatformError('Internal', 'malformed'))).toMatchObject({ code: 'Internal' });
  });

  test('tells the server when the reader leaves early', async () => {
    const { client, transport } = scripted(() => ok(cart));
    const lines = await client.watch(WIDGETS, { resourceVersion: '5' }, never);
    transport.lastWatch.send(added({ name: 'a', version: 6 }));
    for await (const _ of lines) break;
    expect(transport.lastWatch.open).toBe(false);
  });
});
