import { request as undici } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { seededRandom, silent } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi } from '../memory-api.ts';
import { serveApi } from './serve-api.ts';

const TOKEN = 'open-sesame';
const MAPS = '/api/v1/namespaces/default/configmaps';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Asked {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function aServer() {
  const api = createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) });
  const server = await serveApi({ api, token: TOKEN, log: silent });
  onTestFinished(async () => {
    await server.close();
    api.close();
  });
  return async (path: string, { method = 'GET', headers = {}, body }: Asked = {}) => {
    const type = method === 'GET' ? {} : { 'content-type': method === 'PATCH' ? 'application/json-patch+json' : 'application/json' };
    const answer = await undici(server.url + path, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, ...type, ...headers },
      body: body ?? null,
    });
    return { code: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> };
  };
}

const nested = (levels: number, open: string, close: string): string => open.repeat(levels) + close.repeat(levels);

describe('a body of 100,000 levels', () => {
  test.each([
    { reason: 'lists', body: nested(100_000, '[', ']') },
    { reason: 'objects', body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` },
    { reason: 'that never end', body: '['.repeat(100_000) },
    { reason: 'within an object', body: `{"metadata":{"name":"a"},"data":${nested(100_000, '[', ']')}}` },
    { reason: 'of YAML', body: nested(100_000, '[', ']'), headers: { 'content-type': 'application/yaml' } },
    {
      reason: 'of YAML lines',
      body: Array.from({ length: 1_500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      headers: { 'content-type': 'application/yaml' },
    },
    { reason: 'in a patch', method: 'PATCH' as const, path: `${MAPS}/a`, body: nested(100_000, '[', ']') },
  ])('is a bad request: $reason', async ({ body, headers = {}, method = 'POST' as const, path = MAPS }) => {
    const call = await aServer();
    const answer = await call(path, { method, body, headers });
    expect(answer).toMatchObject({ code: 400, body: { kind: 'Status', reason: 'BadRequest', code: 400 } });
    expect((await call('/api/v1/namespaces')).code).toBe(200);
  });

  test('cannot be made by the operations of a patch either', async () => {
    const call = await aServer();
    await call(MAPS, { method: 'POST', body: '{"metadata":{"name":"a"},"data":{"x":"1"}}' });
    const wrap = [
      { op: 'add', path: '/y', value: {} },
      { op: 'move', from: '/data', path: '/y/data' },
      { op: 'move', from: '/y', path: '/data' },
    ];
    const body = JSON.stringify(Array.from({ length: 3_000 }, () => wrap).flat());
    expect((await call(`${MAPS}/a`, { method: 'PATCH', body })).code).toBe(422);
    const long = JSON.stringify([{ op: 'add', path: '/data'.repeat(100_000), value: 1 }]);
    expect((await call(`${MAPS}/a`, { method: 'PATCH', body: long })).code).toBe(422);
  });

  test('braces in texts are no levels', async () => {
    const call = await aServer();
    const body = JSON.stringify({ metadata: { name: 'a' }, data: { x: '{["\\'.repeat(2_000) } });
    expect((await call(MAPS, { method: 'POST', body })).code).toBe(201);
  });
});

const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

describe('what every object of JavaScript inherits is nothing here', () => {
  test.each(INHERITED)('Accept: %s', async (name) => {
    const call = await aServer();
    for (const accept of [name, `application/json;as=${name}`, `application/json;as=${name};g=${name};v=${name}`]) {
      expect(await call(MAPS, { headers: { accept } })).toMatchObject({ code: 406, body: { reason: 'NotAcceptable' } });
    }
  });

  test.each(INHERITED)('Content-Type: %s', async (name) => {
    const call = await aServer();
    const answer = await call(MAPS, { method: 'POST', headers: { 'content-type': name }, body: '{}' });
    expect(answer).toMatchObject({ code: 415, body: { reason: 'UnsupportedMediaType' } });
  });

  test.each(INHERITED)('the path /%s', async (name) => {
    const call = await aServer();
    for (const path of [`/${name}`, `/api/${name}/${name}`, `/api/v1/${name}`, `${MAPS}/${name}`])
      expect(await call(path)).toMatchObject({ code: 404, body: { reason: 'NotFound' } });
  });

  test.each(INHERITED)('the key %s of a ConfigMap is a key', async (name) => {
    const call = await aServer();
    const body = `{"metadata":{"name":"a","labels":{"a":"b"}},"data":{${JSON.stringify(name)}:"x"}}`;
    expect((await call(MAPS, { method: 'POST', body })).code).toBe(201);
    const patch = JSON.stringify([{ op: 'remove', path: `/data/${name}` }]);
    const data = async (): Promise<string> => JSON.stringify((await call(`${MAPS}/a`)).body['data']);
    expect(await data()).toBe(`{${JSON.stringify(name)}:"x"}`);
    const merge = { 'content-type': 'application/merge-patch+json' };
    await call(`${MAPS}/a`, { method: 'PATCH', headers: merge, body: `{"data":{${JSON.stringify(name)}:"y"}}` });
    expect(await data()).toBe(`{${JSON.stringify(name)}:"y"}`);
    expect((await call(`${MAPS}/a`, { method: 'PATCH', body: patch })).code).toBe(200);
    expect((await call(`${MAPS}/a`, { method: 'PATCH', body: patch })).code).toBe(422);
    expect((await call(`${MAPS}?labelSelector=${name}`)).body['items']).toBeOneOf([undefined, []]);
  });

  test.each(INHERITED)('format and property %s of a CRD', async (name) => {
    const call = await aServer();
    const own = (spec: object): string =>
      JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'odds.example.org' },
        spec: {
          group: 'example.org',
          names: { kind: 'Odd', plural: 'odds', singular: 'odd', listKind: 'OddList' },
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
        },
      }).replaceAll('"NAME"', JSON.stringify(name));
    // A property of that name is too odd for any CRD; a format need not be known.
    const property = name === '__proto__' ? 'proto' : name;
    const spec = { type: 'object', required: [property], properties: { [property]: { type: 'string', format: 'NAME' } } };
    expect((await call(CRDS, { method: 'POST', body: own(spec) })).code).toBe(201);
    const odds = '/apis/example.org/v1/namespaces/default/odds';
    const odd = (spec: string): string => `{"apiVersion":"example.org/v1","kind":"Odd","metadata":{"name":"a"},"spec":${spec}}`;
    expect(await call(odds, { method: 'POST', body: odd('{}') })).toMatchObject({ code: 422, body: { reason: 'Invalid' } });
    expect((await call(odds, { method: 'POST', body: odd(`{${JSON.stringify(property)}:"x"}`) })).code).toBe(201);
  });
});

describe('a path that is not served is not found', () => {
  test.each([
    { reason: 'in a form that cannot be had', asked: { headers: { accept: 'application/vnd.kubernetes.protobuf' } } },
    { reason: 'with a body of an unknown form', asked: { method: 'POST' as const, headers: { 'content-type': 'text/plain' }, body: 'x' } },
    {
      reason: 'with a patch of an unknown form',
      asked: { method: 'PATCH' as const, headers: { 'content-type': 'application/apply-patch+yaml' }, body: 'a: b' },
    },
  ])('$reason', async ({ asked }) => {
    const call = await aServer();
    for (const path of ['/apis/metrics.k8s.io/v1beta1/nodes', '/api/v1/namespaces/default/gadgets/a'])
      expect(await call(path, asked)).toMatchObject({ code: 404, body: { reason: 'NotFound' } });
    expect([406, 415]).toContain((await call(`${MAPS}/none`, asked)).code);
  });
});
