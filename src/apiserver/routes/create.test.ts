import { describe, expect, test } from 'vitest';
import { aServer, objectOf, statusOf } from '../testing/harness.ts';
import { aWidget, widgets } from '../testing/widget.ts';

const W = widgets();

describe('create', () => {
  test('answers with what was stored: defaults in, unknown fields and status out', async () => {
    const server = await aServer();
    const answer = await server.call('POST', W, { ...aWidget('a', { spec: { bogus: 1 }, status: { phase: 'A' } }), extra: 1 });
    expect(answer).toMatchObject({ code: 201, warnings: ['unknown field "spec.bogus"', 'unknown field "extra"'] });
    expect(answer.body).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: {
        name: 'a',
        namespace: 'default',
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        resourceVersion: server.api.resourceVersion,
        generation: 1,
        creationTimestamp: '2026-11-15T03:00:00Z',
      },
      spec: { color: 'red', size: 3 },
    });
    expect(objectOf(await server.get(`${W}/a`))).toBe(answer.body);
  });

  test('shares frozen objects and leaves the caller’s own alone', async () => {
    const server = await aServer();
    const body = aWidget('a', { metadata: { labels: { x: 'y' } } });
    const stored = await server.create(W, body);
    expect(Object.isFrozen(stored) && Object.isFrozen(stored.metadata.labels)).toBe(true);
    expect(Object.isFrozen(body) || Object.isFrozen(body.metadata)).toBe(false);
    (body.metadata as { labels: Record<string, string> }).labels.x = 'changed';
    expect(objectOf(await server.get(`${W}/a`)).metadata.labels).toEqual({ x: 'y' });
  });

  test('makes names by chance, and another when one is taken', async () => {
    const taken = await aServer();
    const first = await taken.create(W, { ...aWidget(''), metadata: { generateName: 'w-' } });
    expect(first.metadata.name).toMatch(/^w-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    const long = await taken.create(W, { ...aWidget(''), metadata: { generateName: 'x'.repeat(70) } });
    expect(long.metadata.name).toHaveLength(63);
    const next = await taken.create(W, { ...aWidget(''), metadata: { generateName: 'w-' } });
    expect(next.metadata.name).not.toBe(first.metadata.name);
  });

  test('a dry run judges and keeps nothing', async () => {
    const server = await aServer();
    const before = server.api.resourceVersion;
    const tried = await server.create(W, aWidget('a'), { dryRun: 'All' });
    expect(tried.metadata).not.toHaveProperty('resourceVersion');
    expect((await server.call('POST', W, aWidget('a', { spec: { color: 'green' } }), { dryRun: 'All' })).code).toBe(422);
    expect((await server.get(`${W}/a`)).code).toBe(404);
    expect(server.api.resourceVersion).toBe(before);
  });

  test.each([
    {
      reason: 'a name that is taken',
      body: aWidget('taken'),
      code: 409,
      why: 'AlreadyExists',
      says: 'widgets.example.com "taken" already exists',
    },
    {
      reason: 'a namespace that does not exist',
      path: widgets('nope'),
      body: aWidget('a'),
      code: 404,
      why: 'NotFound',
      says: 'namespaces "nope" not found',
    },
    {
      reason: 'unknown fields, strictly',
      body: aWidget('a', { spec: { bogus: 1 } }),
      query: { fieldValidation: 'Strict' },
      code: 400,
      why: 'BadRequest',
      says: 'strict decoding error: unknown field "spec.bogus"',
    },
    { reason: 'no kind at all', body: {}, code: 400, why: 'BadRequest', says: "Object 'Kind' is missing" },
    { reason: 'nothing at all', body: undefined, code: 400, why: 'BadRequest', says: 'cannot unmarshal null' },
    {
      reason: 'an unknown kind',
      path: '/apis/example.com/v1/namespaces/default/gadgets',
      body: {},
      code: 404,
      why: 'NotFound',
      says: 'could not find the requested resource',
    },
    {
      reason: 'an unknown group',
      path: '/apis/nope/v1/gadgets',
      body: {},
      code: 404,
      why: 'NotFound',
      says: 'could not find the requested resource',
    },
    { reason: 'no path', path: '/', body: {}, code: 404, why: 'NotFound', says: 'could not find the requested resource' },
    {
      reason: 'a status',
      path: `${W}/a/status`,
      body: aWidget('a'),
      code: 405,
      why: 'MethodNotAllowed',
      says: 'create is not supported',
    },
    {
      reason: 'a timeout that is none',
      body: aWidget('a'),
      query: { timeout: 'soon' },
      code: 400,
      why: 'BadRequest',
      says: 'invalid timeout',
    },
    { reason: 'a long manager', body: aWidget('a'), query: { fieldManager: 'x'.repeat(129) }, code: 422, why: 'Invalid', says: 'Too long' },
    {
      reason: 'an odd manager',
      body: aWidget('a'),
      query: { fieldManager: 'a\u0001' },
      code: 422,
      why: 'Invalid',
      says: 'invalid character',
    },
    {
      reason: 'an object that has a name already',
      path: '/api/v1/namespaces/default/configmaps/a',
      body: { metadata: { name: 'a' } },
      code: 405,
      why: 'MethodNotAllowed',
      says: 'create is not supported',
    },
  ])('refuses $reason, and nothing is half-written', async ({ path = W, body, query, code, why, says }) => {
    const server = await aServer();
    await server.create(W, aWidget('taken'));
    const before = server.api.resourceVersion;
    const answer = await server.call('POST', path, body, query);
    expect(answer.code).toBe(code);
    expect(statusOf(answer)).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason: why });
    expect(statusOf(answer).message).toContain(says);
    expect(server.api.resourceVersion).toBe(before);
    expect(await server.names(W)).toEqual(['taken']);
  });

  test('the same seed makes the same identities', async () => {
    const [one, other] = await Promise.all([aServer(), aServer()]);
    expect((await one.create(W, aWidget('a'))).metadata.uid).toBe((await other.create(W, aWidget('a'))).metadata.uid);
  });

  test('a secret’s plain text is kept encoded', async () => {
    const server = await aServer();
    const secret = await server.create('/api/v1/namespaces/default/secrets', { metadata: { name: 's' }, stringData: { a: 'b' } });
    expect(secret).toMatchObject({ type: 'Opaque', data: { a: 'Yg==' } });
    expect(secret).not.toHaveProperty('stringData');
  });
});
