import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { seededRandom, silent, turn } from '../../base/index.ts';
import type { Transport, WatchLine } from '../../kube/client/transport.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi, type MemoryApi, type MemoryApiOptions } from '../memory-api.ts';
import { rawClient } from '../testing/raw-client.ts';
import type { FrontLimits, Listener } from './listen.ts';
import { serveApi } from './serve-api.ts';

const TOKEN = 'open-sesame';
const NAMESPACES = '/api/v1/namespaces';

interface Rig {
  readonly api: MemoryApi;
  readonly server: Listener;
}

async function served(options: Partial<MemoryApiOptions> = {}, limits: Partial<FrontLimits> = {}): Promise<Rig> {
  const api = createMemoryApi({ clock: new ManualClock(), random: seededRandom(1), ...options });
  const server = await serveApi({ api, token: TOKEN, log: silent, limits });
  onTestFinished(async () => {
    api.close();
    await server.close();
  });
  return { api, server };
}

const head = (line: string, ...fields: readonly string[]): string =>
  [line, 'host: x', `authorization: Bearer ${TOKEN}`, 'content-type: application/json', ...fields, '', ''].join('\r\n');

const namesIn = async (api: Transport): Promise<readonly string[]> => {
  const { body } = await api.request({ method: 'GET', path: NAMESPACES });
  return (body as { readonly items: readonly { readonly metadata: { readonly name: string } }[] }).items.map(
    ({ metadata }) => metadata.name,
  );
};

/** Sockets of both sides in this process. */
const openSockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'half' } });

describe('a client that closes its half', () => {
  test.each([
    { when: 'in the middle of the request line', text: 'POST /api/v1/na' },
    { when: 'in the middle of the headers', text: `POST ${NAMESPACES} HTTP/1.1\r\nhost: x\r\nauthor` },
    { when: 'before the body', text: head(`POST ${NAMESPACES} HTTP/1.1`, `content-length: ${body.length}`) },
    {
      when: 'in the middle of the body',
      text: head(`POST ${NAMESPACES} HTTP/1.1`, `content-length: ${body.length}`) + body.slice(0, -3),
    },
    {
      when: 'in the middle of the body, where what came is a whole object',
      text: head(`POST ${NAMESPACES} HTTP/1.1`, `content-length: ${body.length + 1}`) + body,
    },
    {
      when: 'in the middle of a body in chunks',
      text: `${head(`POST ${NAMESPACES} HTTP/1.1`, 'transfer-encoding: chunked')}${body.length.toString(16)}\r\n${body}\r\n`,
    },
  ])('$when is told that it is no request, or nothing, and nothing is written', async ({ text }) => {
    const { api, server } = await served();
    const before = openSockets();
    const client = await rawClient(server.url, text);
    client.socket.end();
    expect(await client.ended()).toMatch(/^(HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n\r\n)?$/);
    expect(await namesIn(api)).not.toContain('half');
    const again = await rawClient(server.url, head('GET /version HTTP/1.1', 'connection: close'));
    expect(await again.ended()).toMatch(/^HTTP\/1\.1 200 OK/);
    await expect.poll(openSockets).toBe(before);
  });

  test('of a watch, ends it', async () => {
    const { api, server } = await served();
    const before = openSockets();
    const client = await rawClient(server.url, head(`GET ${NAMESPACES}?watch=true HTTP/1.1`));
    await once(client.socket, 'data');
    client.socket.end();
    expect(await client.ended()).toMatch(/^HTTP\/1\.1 200 OK[^]*"ADDED"/);
    expect((await api.request({ method: 'POST', path: NAMESPACES, body: JSON.parse(body) as unknown })).code).toBe(201);
    await expect.poll(openSockets).toBe(before);
  });
});

describe('a client that takes its time', () => {
  const short = { headMs: 100, requestMs: 200, checkMs: 20 };

  test.each([
    { over: 'the headers', text: 'GET /version HTTP/1.1\r\nhost: x\r\n' },
    { over: 'the body', text: `${head(`POST ${NAMESPACES} HTTP/1.1`, `content-length: ${body.length}`)}{` },
  ])('over $over is asked to hurry no more', async ({ text }) => {
    const { api, server } = await served({}, short);
    const client = await rawClient(server.url, text);
    expect(await client.ended()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(await namesIn(api)).not.toContain('half');
  });

  test('over reading a watch is not cut off by that', async () => {
    const { server } = await served({}, short);
    const client = await rawClient(server.url, head(`GET ${NAMESPACES}?watch=true&timeoutSeconds=1 HTTP/1.1`));
    const slow = await rawClient(server.url, 'GET /version HTTP/1.1\r\n');
    await slow.ended();
    expect(client.socket.readableEnded).toBe(false);
    client.socket.destroy();
  });
});

describe('a watcher that does not read', () => {
  const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
  const text = 'x'.repeat(20_000);
  const WRITES = 1_500;

  const create = async (api: Transport, from: number, to: number): Promise<void> => {
    for (let i = from; i < to; i++) {
      const { code } = await api.request({ method: 'POST', path: CONFIGMAPS, body: { metadata: { name: `c-${i}` }, data: { text } } });
      expect(code).toBe(201);
      if (i % 10 === 0) await turn();
    }
  };

  /** The lines of a whole answer in chunks. */
  const linesOf = (answer: string): readonly WatchLine[] => {
    const [, chunks = ''] = answer.split(/\r\n\r\n(.*)/s);
    expect(chunks.endsWith('\r\n0\r\n\r\n')).toBe(true);
    const texts = chunks.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/g, '');
    return texts
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as WatchLine);
  };

  test('is ended when it is too far behind, and goes on without a gap', async () => {
    const { api, server } = await served({ watchBacklog: 100, watchHistory: 10_000 });
    const watch = (version: string): string =>
      head(`GET ${CONFIGMAPS}?watch=true&resourceVersion=${version} HTTP/1.1`, 'connection: close');
    const client = await rawClient(server.url, watch(api.resourceVersion), { paused: true });
    await create(api, 0, WRITES);
    const seen = linesOf(await client.ended());
    expect(seen.length).toBeGreaterThan(100);
    expect(seen.length).toBeLessThan(WRITES);
    const { resourceVersion } = seen.at(-1)!.object.metadata;
    const stream = await api.watch(
      { method: 'GET', path: CONFIGMAPS, query: { watch: '1', resourceVersion, timeoutSeconds: '1' } },
      AbortSignal.abort(),
    );
    if (!('lines' in stream)) throw new Error('the watch was refused');
    const rest: WatchLine[] = [];
    for await (const batch of stream.lines) rest.push(...batch);
    const names = [...seen, ...rest].map(({ object }) => object.metadata.name);
    expect(names).toEqual(Array.from({ length: WRITES }, (_, i) => `c-${i}`));
  });

  test('is hung up on when it takes nothing at all for too long', async () => {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', uid: text, resourceVersion: '1', creationTimestamp: '' } };
    async function* lines(): AsyncGenerator<readonly WatchLine[]> {
      for (;;) {
        yield Array.from({ length: 100 }, () => ({ type: 'ADDED', object }) as const);
        await turn();
      }
    }
    const api: Transport = {
      request: () => Promise.reject(new Error('not asked')),
      watch: (_request, signal) => {
        signal.addEventListener('abort', () => end());
        return Promise.resolve({ code: 200, lines: lines() });
      },
    };
    const server = await serveApi({ api, token: TOKEN, log: silent, limits: { patienceMs: 100 } });
    onTestFinished(() => server.close());
    const client = await rawClient(server.url, head(`GET ${CONFIGMAPS}?watch=true HTTP/1.1`), { paused: true });
    await ended;
    client.socket.destroy();
  });
});
