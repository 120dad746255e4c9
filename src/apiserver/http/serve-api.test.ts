import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request as undici } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { CustomResourceDefinition, Deployment, Namespace } from '../../kube/builtin/index.ts';
import type { Draft, KubeObject, Status } from '../../kube/meta.ts';
import type { Resource } from '../../kube/resource.ts';
import { PlatformError, seededRandom, silent, type Fields, type Logger } from '../../base/index.ts';
import { bearer, createCache, createClient, httpTransport, loadConfig, objectPath } from '../../kube/index.ts';
import type { ApiRequest, ApiResponse, HttpConfig, HttpTransport, KubeClient, Transport, WatchLine } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi, type MemoryApi } from '../memory-api.ts';
import { WIDGET_CRD } from '../testing/widget.ts';
import { kubeconfigText } from './kubeconfig-text.ts';
import { serveApi } from './serve-api.ts';

const TOKEN = 'open-sesame';
const never = new AbortController().signal;

interface Rig {
  readonly api: MemoryApi;
  readonly url: string;
  readonly transport: HttpTransport;
  readonly client: KubeClient;
}

async function served(api: Transport, log: Logger = silent): Promise<Omit<Rig, 'api'>> {
  const server = await serveApi({ api, token: TOKEN, log });
  const transport = connected({ server: server.url, identity: bearer(TOKEN) });
  onTestFinished(() => server.close());
  return { url: server.url, transport, client: createClient(transport) };
}

function connected(config: HttpConfig): HttpTransport {
  const transport = httpTransport(config);
  onTestFinished(() => transport.close());
  return transport;
}

async function memoryServed(): Promise<Rig> {
  const api = createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) });
  onTestFinished(() => api.close());
  await createClient(api).create(CustomResourceDefinition, WIDGET_CRD as unknown as Draft<CustomResourceDefinition>);
  return { api, ...(await served(api)) };
}

/** An API that answers everything in one way, and keeps what it was asked. */
function stub(answer: ApiResponse | Error): { api: Transport; asked: ApiRequest[] } {
  const asked: ApiRequest[] = [];
  const request = (asking: ApiRequest): Promise<ApiResponse> => {
    asked.push(asking);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { api: { request, watch: request }, asked };
}

interface Widget extends KubeObject {
  readonly spec: { readonly color: string };
  readonly status?: { readonly phase?: string };
}
const Widget: Resource<Widget> = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };
const redWidget = (name: string): Draft<Widget> => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec: { color: 'red' },
});
const key = { namespace: 'default', name: 'w-1' };

describe('through our own client', () => {
  test('an object is created, read, listed, changed and deleted', async () => {
    const { client } = await memoryServed();
    const created = await client.create(Widget, redWidget('w-1'));
    expect(created.metadata.uid).not.toBe('');
    expect(await client.get(Widget, key)).toEqual(created);
    await client.create(Widget, redWidget('w-2'));
    const listed = await client.list(Widget, { namespace: 'default', pageSize: 1 });
    expect(listed.items.map(({ metadata }) => metadata.name)).toEqual(['w-1', 'w-2']);
    const selected = await client.list(Widget, { fieldSelector: 'spec.color=blue' });
    expect(selected.items).toEqual([]);
    const labelled = await client.patch(Widget, key, {
      type: 'merge',
      body: { metadata: { labels: { 'a/b': 'c' } } },
    });
    expect(labelled.metadata.labels).toEqual({ 'a/b': 'c' });
    const tested = { type: 'json', body: [{ op: 'add', path: '/metadata/labels/more', value: 'm' }] } as const;
    expect((await client.patch(Widget, key, tested)).metadata.labels).toEqual({ 'a/b': 'c', more: 'm' });
    const pending = await client.patchStatus(Widget, key, { type: 'merge', body: { status: { phase: 'A' } } });
    expect(pending.status?.phase).toBe('A');
    await client.updateStatus(Widget, { ...pending, status: { phase: 'B' } });
    await expect(client.updateStatus(Widget, pending)).rejects.toMatchObject({ code: 'Conflict' });
    await client.delete(Widget, key, { preconditions: { uid: created.metadata.uid } });
    await expect(client.get(Widget, key)).rejects.toMatchObject({ code: 'NotFound' });
  });

  test('metadata alone is asked for and given', async () => {
    const { client, transport } = await memoryServed();
    await client.create(Widget, redWidget('w-1'));
    expect(Object.keys(await client.get(Widget, key, { metadataOnly: true }))).toEqual(['apiVersion', 'kind', 'metadata']);
    const one = await transport.request({ method: 'GET', path: objectPath(Widget, key), accept: 'metadata' });
    expect(one.body).toMatchObject({ kind: 'PartialObjectMetadata' });
    const path = '/apis/example.com/v1/widgets';
    expect((await transport.request({ method: 'GET', path, accept: 'metadata' })).body).toMatchObject({
      kind: 'PartialObjectMetadataList',
    });
  });

  test('a cache follows', async () => {
    const { client } = await memoryServed();
    const cache = createCache({ client, clock: new ManualClock(), random: seededRandom(1) });
    const store = cache.store({ resource: Namespace });
    const stop = new AbortController();
    const running = cache.run(stop.signal);
    await cache.synced(never);
    const seen = new Promise((resolve) => store.onChange(resolve));
    await cache.client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    await seen;
    expect(store.get({ namespace: '', name: 'shop' })?.status?.phase).toBe('Active');
    stop.abort();
    await running;
  });

  test('a kubeconfig leads to it', async () => {
    const { url } = await memoryServed();
    const folder = await mkdtemp(join(tmpdir(), 'serve-api-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const kubeconfig = join(folder, 'config');
    await writeFile(kubeconfig, kubeconfigText({ server: url, token: TOKEN }));
    const config = await loadConfig({ clock: new ManualClock(), kubeconfig });
    const client = createClient(connected(config));
    expect((await client.list(Namespace)).items.map(({ metadata }) => metadata.name)).toContain('kube-system');
  });
});

test('the token is nowhere but in the user of a kubeconfig', () => {
  const written = parse(kubeconfigText({ server: 'https://127.0.0.1:6443', token: 'a:b/c' })) as {
    clusters: [{ cluster: { server: string } }];
    users: unknown;
  };
  expect(written.clusters[0].cluster.server).toBe('https://127.0.0.1:6443');
  expect(written.users).toEqual([{ name: 'embedded', user: { token: 'a:b/c' } }]);
});

describe('a watch', () => {
  const shop = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

  /** Reads until as many lines are there, then hangs up. */
  async function take(lines: AsyncIterable<readonly WatchLine[]>, count: number): Promise<readonly string[]> {
    const seen: WatchLine[] = [];
    for await (const batch of lines) {
      seen.push(...batch);
      if (seen.length >= count) break;
    }
    return seen.map(({ type, object }) => `${type} ${object.metadata.name}`);
  }

  test('is accepted before anything happens, and goes on where one stopped', async () => {
    const { client } = await memoryServed();
    const { resourceVersion } = await client.list(Namespace);
    const lines = await client.watch(Namespace, { resourceVersion }, never);
    const first = await client.create(Namespace, shop('first'));
    expect(await take(lines, 1)).toEqual(['ADDED first']);
    await client.create(Namespace, shop('second'));
    const resumed = await client.watch(Namespace, { resourceVersion: first.metadata.resourceVersion }, never);
    expect(await take(resumed, 1)).toEqual(['ADDED second']);
  });

  test('from a version that is forgotten ends with 410', async () => {
    const { api, client } = await memoryServed();
    const { resourceVersion } = await client.list(Namespace);
    await client.create(Namespace, shop('first'));
    api.compact(api.resourceVersion);
    const lines = await client.watch(Namespace, { resourceVersion }, never);
    for await (const [line] of lines) expect(line).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  });

  test('that is refused is answered as any request', async () => {
    const { client } = await memoryServed();
    await expect(client.watch({ ...Namespace, plural: 'shops' }, { resourceVersion: '1' }, never)).rejects.toMatchObject({
      code: 'NotFound',
    });
  });

  test('that the server ends, ends for the client', async () => {
    const { api, client } = await memoryServed();
    const lines = await client.watch(Namespace, { resourceVersion: api.resourceVersion }, never);
    api.close();
    for await (const batch of lines) expect(batch).toEqual([]);
  });

  /** `ended` resolves when the API behind the socket is notified that its last watch has ended. */
  function watched(): { api: Transport; ended: Promise<void> } {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const watch: Transport['watch'] = (_request, signal) => {
      const over = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      async function* lines(): AsyncGenerator<readonly WatchLine[]> {
        yield [];
        await over;
        end();
      }
      return Promise.resolve({ code: 200, lines: lines() });
    };
    return { api: { request: () => Promise.reject(new Error('not asked')), watch }, ended };
  }

  test('that the client gives up, ends in the server', async () => {
    const { api, ended } = watched();
    const { client } = await served(api);
    const stop = new AbortController();
    await client.watch(Namespace, { resourceVersion: '1' }, stop.signal);
    stop.abort();
    await ended;
  });

  test('whose client closed its half of the connection, ends in the server', async () => {
    const { api, ended } = watched();
    const { url } = await served(api);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.end(`GET /api/v1/namespaces?watch=1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`);
    await ended;
  });

  test('ends when the listener closes', async () => {
    const { api, ended } = watched();
    const server = await serveApi({ api, token: TOKEN, log: silent });
    const client = createClient(connected({ server: server.url, identity: bearer(TOKEN) }));
    await client.watch(Namespace, { resourceVersion: '1' }, never);
    await server.close();
    await ended;
  });

  test('a slow reader gets every line', async () => {
    const text = 'x'.repeat(100_000);
    async function* lines(): AsyncGenerator<readonly WatchLine[]> {
      await Promise.resolve();
      for (let i = 0; i < 60; i++) {
        const metadata = { name: `n-${i}`, uid: text, resourceVersion: String(i), creationTimestamp: '' };
        yield [{ type: 'ADDED', object: { apiVersion: 'v1', kind: 'Namespace', metadata } }];
      }
    }
    const api: Transport = {
      request: () => Promise.reject(new Error('not asked')),
      watch: () => Promise.resolve({ code: 200, lines: lines() }),
    };
    const { client } = await served(api);
    expect(await take(await client.watch(Namespace, { resourceVersion: '1' }, never), 60)).toHaveLength(60);
  });
});

describe('what is refused', () => {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const path = '/api/v1/namespaces';
  const without = { 'content-type': 'application/json' };
  const cases = [
    { reason: 'no token', code: 401, says: 'Unauthorized', headers: without },
    { reason: 'another token', code: 401, says: 'Unauthorized', headers: { ...headers, authorization: `Bearer ${TOKEN}!` } },
    { reason: 'another scheme', code: 401, says: 'Unauthorized', headers: { ...headers, authorization: `Digest ${TOKEN}` } },
    {
      reason: 'the token as a password',
      code: 401,
      says: 'Unauthorized',
      headers: { ...headers, authorization: `Basic ${Buffer.from(`x:${TOKEN}`).toString('base64')}` },
    },
    { reason: 'a stranger is not told what is wrong with the rest', code: 401, says: 'Unauthorized', headers: without, path: '/%' },
    { reason: 'malformed JSON', code: 400, says: 'BadRequest', body: '{"kind":' },
    { reason: 'nothing where an object belongs', code: 400, says: 'BadRequest', body: '' },
    {
      reason: 'CBOR',
      code: 415,
      says: 'UnsupportedMediaType',
      headers: { ...headers, 'content-type': 'application/cbor' },
    },
    {
      reason: 'malformed YAML',
      code: 400,
      says: 'BadRequest',
      headers: { ...headers, 'content-type': 'application/yaml' },
      body: 'a: [1,\n b: }',
    },
    {
      reason: 'a patch that the server should merge',
      code: 415,
      says: 'UnsupportedMediaType',
      method: 'PATCH',
      path: `${path}/default`,
      headers: { ...headers, 'content-type': 'application/apply-patch+yaml' },
    },
    { reason: 'a patch without a form', code: 415, says: 'UnsupportedMediaType', method: 'PATCH', path: `${path}/default` },
    { reason: 'a method of no resource', code: 405, says: 'MethodNotAllowed', method: 'OPTIONS' },
    { reason: 'protobuf only', code: 406, says: 'NotAcceptable', headers: { ...headers, accept: 'application/vnd.kubernetes.protobuf' } },
    {
      reason: 'an old form of tables only',
      code: 406,
      says: 'NotAcceptable',
      headers: { ...headers, accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' },
    },
    { reason: 'a path that cannot be decoded', code: 400, says: 'BadRequest', path: `${path}/%e0%a4%a` },
    { reason: 'a slash that hides in a name', code: 400, says: 'BadRequest', method: 'GET', path: `${path}/default%2Fstatus` },
    { reason: 'a path that nothing serves', code: 404, says: 'NotFound', method: 'GET', path: '/nowhere' },
    { reason: 'more than 3 MiB', code: 413, says: 'RequestEntityTooLarge', body: JSON.stringify('x'.repeat(3 * 1024 * 1024)) },
  ] as const;
  test.each(cases)('$reason: $code', async ({ code, says, ...asked }) => {
    const { url } = await memoryServed();
    const given = { method: 'POST', path, headers, body: '{}', ...asked };
    const body = given.method === 'GET' ? null : given.body;
    const answer = await undici(url + given.path, { method: given.method, headers: given.headers, body });
    const status = (await answer.body.json()) as Status;
    expect([answer.statusCode, status]).toMatchObject([code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: says, code }]);
  });

  test('exactly 3 MiB is heard', async () => {
    const { url } = await memoryServed();
    const answer = await undici(url + path, { method: 'POST', headers, body: JSON.stringify('x'.repeat(3 * 1024 * 1024 - 2)) });
    expect(answer.statusCode).toBe(400);
    await answer.body.dump();
  });

  test.each(['0.0.0.0', '192.168.1.1', '::', 'example.com', '127.example.com', ''])('listening on %j', async (host) => {
    const { api } = stub({ code: 200, body: {} });
    await expect(serveApi({ api, token: TOKEN, host, log: silent })).rejects.toMatchObject({ code: 'Invalid' });
  });

  test('an empty token', async () => {
    const { api } = stub({ code: 200, body: {} });
    await expect(serveApi({ api, token: '', log: silent })).rejects.toMatchObject({ code: 'Invalid' });
  });

  test('a port that is taken', async () => {
    const { api } = stub({ code: 200, body: {} });
    const { url } = await served(api);
    await expect(serveApi({ api, token: TOKEN, port: Number(new URL(url).port), log: silent })).rejects.toThrow(/EADDRINUSE/);
  });
});

describe('a request arrives as it was sent', () => {
  const cases: readonly ApiRequest[] = [
    { method: 'GET', path: '/api/v1/namespaces/a b#c?', query: { labelSelector: 'app in (a,b),x!=y', limit: '500', continue: 'a+b&c=ü' } },
    { method: 'GET', path: '/api/v1/pods', query: {}, accept: 'metadata' },
    { method: 'GET', path: '/api/v1/namespaces/n/pods/p', query: {}, accept: 'metadata' },
    { method: 'POST', path: '/api/v1/namespaces', query: { dryRun: 'All' }, body: { metadata: { name: 'größe 🚑' } } },
    { method: 'PUT', path: '/api/v1/namespaces/n/status', query: {}, body: { a: [1, null, 'x'] } },
    { method: 'PATCH', path: '/api/v1/namespaces/n', query: {}, contentType: 'application/json-patch+json', body: [] },
    { method: 'PATCH', path: '/api/v1/namespaces/n', query: {}, contentType: 'application/merge-patch+json', body: {} },
    { method: 'PATCH', path: '/api/v1/namespaces/n', query: {}, contentType: 'application/strategic-merge-patch+json', body: {} },
    { method: 'DELETE', path: '/api/v1/namespaces/n', query: {}, body: { kind: 'DeleteOptions' } },
    { method: 'DELETE', path: '/api/v1/namespaces/n', query: { propagationPolicy: 'Orphan' } },
  ];
  test.each(cases)('$method $path $query', async (request) => {
    const { api, asked } = stub({ code: 200, body: {} });
    const { transport } = await served(api);
    await transport.request(request);
    expect(asked).toEqual([request]);
  });
});

describe('an answer arrives as it was given', () => {
  const cases: readonly ApiResponse[] = [
    { code: 201, body: { kind: 'Deployment', text: 'größe 🚑' } },
    { code: 200, body: {}, warnings: ['unknown field "spec.a\\b"', 'deprecated: größe 🚑'] },
    { code: 429, body: { kind: 'Status' }, retryAfterSeconds: 7 },
  ];
  test.each(cases)('$code $warnings $retryAfterSeconds', async (answer) => {
    const { transport } = await served(stub(answer).api);
    expect(await transport.request({ method: 'GET', path: '/api/v1/pods' })).toEqual(answer);
  });

  test('a warning cannot break out of its header', async () => {
    const { transport } = await served(stub({ code: 200, body: {}, warnings: ['a\r\nx-evil: 1'] }).api);
    const answer = await transport.request({ method: 'GET', path: '/api/v1/pods' });
    expect(answer.warnings).toEqual(['a  x-evil: 1']);
  });

  test('a request with an unknown result stays unknown to the client', async () => {
    const lines: Fields[] = [];
    const log: Logger = { ...silent, warn: (_message, fields = {}) => void lines.push(fields) };
    const { client } = await served(stub(new PlatformError('Unavailable', 'the reply was lost')).api, log);
    const creating = client.create(Deployment, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: key } as never);
    await expect(creating).rejects.toMatchObject({ code: 'Unavailable' });
    expect(lines).toMatchObject([{ method: 'POST', error: 'the reply was lost' }]);
  });
});
