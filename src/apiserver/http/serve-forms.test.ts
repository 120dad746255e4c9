import { request as undici } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { seededRandom, silent } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi, type MemoryApiOptions } from '../memory-api.ts';
import type { LogLine } from '../routes/log.ts';
import { serveApi } from './serve-api.ts';

const TOKEN = 'open-sesame';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';

interface Answer {
  readonly code: number;
  readonly type: string;
  readonly warnings: readonly string[];
  readonly text: string;
}

interface Asked {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

type Call = (path: string, asked?: Asked) => Promise<Answer>;

async function aServer(options: Partial<MemoryApiOptions> = {}): Promise<{ readonly call: Call; readonly url: string }> {
  const api = createMemoryApi({ clock: new ManualClock(), random: seededRandom(1), ...options });
  const server = await serveApi({ api, token: TOKEN, log: silent });
  onTestFinished(async () => {
    await server.close();
    api.close();
  });
  const call: Call = async (path, { method = 'GET', headers = {}, body } = {}) => {
    const authorization = `Bearer ${TOKEN}`;
    const answer = await undici(server.url + path, { method, headers: { authorization, ...headers }, body: body ?? null });
    const { warning = [] } = answer.headers;
    return {
      code: answer.statusCode,
      type: String(answer.headers['content-type']),
      warnings: [warning].flat(),
      text: await answer.body.text(),
    };
  };
  return { call, url: server.url };
}

const post = (type: string, body: string | Buffer): Asked => ({ method: 'POST', headers: { 'content-type': type }, body });

describe('bodies', () => {
  const YAML = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: "1"\n';

  test('in YAML', async () => {
    const { call } = await aServer();
    expect((await call(CONFIG_MAPS, post('application/yaml', YAML))).code).toBe(201);
    expect(JSON.parse((await call(`${CONFIG_MAPS}/a`)).text)).toMatchObject({ data: { x: '1' } });
  });

  test('in protobuf', async () => {
    const { call } = await aServer();
    const sent = '6b3873000a0f0a02763112094e616d657370616365121c0a140a0473686f7012001a0022002a0032003800420012001a020a001a002200';
    expect((await call('/api/v1/namespaces', post('application/vnd.kubernetes.protobuf', Buffer.from(sent, 'hex')))).code).toBe(201);
    expect((await call('/api/v1/namespaces/shop')).code).toBe(200);
  });

  const TWICE = '{"metadata":{"name":"a"},"data":{"k":"1","k":"2"},"foo":1}';
  const SAID = ['299 - "duplicate field \\"data.k\\""', '299 - "unknown field \\"foo\\""'];
  const REFUSED =
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.k", unknown field "foo"';
  test.each([
    ['Strict', 400, [], REFUSED],
    ['Warn', 201, SAID, undefined],
    ['', 201, SAID, undefined],
    ['Ignore', 201, [], undefined],
  ] as const)('with duplicate fields and unknown fields: %s', async (fieldValidation, code, warnings, message) => {
    const { call } = await aServer();
    const answer = await call(`${CONFIG_MAPS}?fieldValidation=${fieldValidation}`, post('application/json', TWICE));
    const { data, message: said } = JSON.parse(answer.text) as { readonly data?: object; readonly message?: string };
    expect([answer.code, answer.warnings.flatMap((line) => line.split(/, (?=299)/)), said]).toEqual([code, warnings, message]);
    if (code === 201) expect(data).toEqual({ k: '2' });
  });

  test('in YAML with keys twice', async () => {
    const { call } = await aServer();
    const { code, text } = await call(`${CONFIG_MAPS}?fieldValidation=Strict`, post('application/yaml', `${YAML}  x: "2"\n`));
    const { message } = JSON.parse(text) as { readonly message: string };
    expect([code, message]).toEqual([
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  line 6: key "x" already set in map',
    ]);
  });

  test('a patch with fields twice', async () => {
    const { call } = await aServer();
    await call(CONFIG_MAPS, post('application/yaml', YAML));
    const headers = { 'content-type': 'application/merge-patch+json' };
    const patch = { method: 'PATCH', headers, body: '{"data":{"y":"1","y":"2"}}' } as const;
    expect((await call(`${CONFIG_MAPS}/a?fieldValidation=Strict`, patch)).code).toBe(422);
    expect((await call(`${CONFIG_MAPS}/a`, patch)).warnings).toEqual(['299 - "duplicate field \\"data.y\\""']);
  });
});

describe('answers', () => {
  test('in YAML', async () => {
    const { call } = await aServer();
    const { type, text } = await call('/api/v1/namespaces/default', { headers: { accept: 'application/yaml' } });
    expect(type).toBe('application/yaml');
    expect(parse(text)).toMatchObject({ kind: 'Namespace', metadata: { name: 'default' } });
  });

  test('as a table', async () => {
    const { call } = await aServer();
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
    const { type, text } = await call('/api/v1/namespaces', { headers: { accept } });
    expect(type).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({ kind: 'Table', rows: [{ cells: ['default', 'Active', '0s'] }, {}, {}, {}] });
  });

  test('all groups in one document, which says so', async () => {
    const { call } = await aServer();
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    expect((await call('/apis', { headers: { accept: `${accept},application/json` } })).type).toBe(accept);
    expect((await call('/apis')).type).toBe('application/json');
  });

  test('health is a word', async () => {
    const { call } = await aServer();
    expect(await call('/readyz')).toMatchObject({ code: 200, type: 'text/plain; charset=utf-8', text: 'ok' });
  });
});

describe('a log', () => {
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: 'x' }] } };
  const line = (text: string): LogLine => ({ at: 0 as LogLine['at'], text });

  test('is plain text', async () => {
    const { call } = await aServer({ logsOf: () => ({ lines: [line('größe\n')], following: none }) });
    await call(PODS, post('application/json', JSON.stringify(pod)));
    expect(await call(`${PODS}/p/log`)).toMatchObject({ code: 200, type: 'text/plain', text: 'größe\n' });
  });

  async function* none(): AsyncGenerator<readonly LogLine[], undefined> {}

  test('comes as it is written', async () => {
    async function* more(): AsyncGenerator<readonly LogLine[], undefined> {
      yield await Promise.resolve([line('b\n')]);
      yield [line('c\n')];
    }
    const { call } = await aServer({ logsOf: () => ({ lines: [line('a\n')], following: more }) });
    await call(PODS, post('application/json', JSON.stringify(pod)));
    expect((await call(`${PODS}/p/log?follow=true`)).text).toBe('a\nb\nc\n');
  });

  test('is left alone when its reader has gone', async () => {
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    const waits: AsyncIterable<readonly LogLine[], undefined> = {
      [Symbol.asyncIterator]: () => ({
        next: () => left.then(() => ({ done: true, value: undefined }) as const),
        return: () => (leave(), Promise.resolve({ done: true, value: undefined } as const)),
      }),
    };
    const { call, url } = await aServer({ logsOf: () => ({ lines: [line('a\n')], following: () => waits }) });
    await call(PODS, post('application/json', JSON.stringify(pod)));
    const answer = await undici(`${url}${PODS}/p/log?follow=true`, { headers: { authorization: `Bearer ${TOKEN}` } });
    for await (const chunk of answer.body) {
      expect(String(chunk)).toBe('a\n');
      break;
    }
    answer.body.destroy();
    await left;
  });
});
