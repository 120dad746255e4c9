import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PlatformError } from '../../base/index.ts';
import { bearer, type HttpConfig } from './http-config.ts';
import { httpTransport, isCollection, type HttpTransport } from './http-transport.ts';
import { collect } from '../testing/collect.ts';
import { httpServer, sendJson, type Arrived, type HttpServer } from '../testing/http-server.ts';
import { added } from '../testing/widget.ts';
import type { ApiRequest, WatchLine, WatchStream } from '../client/transport.ts';

const GET: ApiRequest = { method: 'GET', path: '/api/v1/pods' };
const never = new AbortController().signal;

interface Rig {
  readonly server: HttpServer;
  readonly transport: HttpTransport;
}

async function serve(answer: (request: Arrived, response: ServerResponse) => void, config: Partial<HttpConfig> = {}): Promise<Rig> {
  const server = await httpServer(answer);
  const transport = httpTransport({ ...config, server: server.url + (config.server ?? '') });
  onTestFinished(async () => {
    await transport.close();
    await server.close();
  });
  return { server, transport };
}

const ok = (_request: Arrived, response: ServerResponse): void => sendJson(response, 200, { fine: true });

describe('requests', () => {
  test('carry path, query, headers and body', async () => {
    const { server, transport } = await serve(ok, { identity: bearer('t0ken') });
    const body = { spec: { text: 'größe 🚑' } };
    await transport.request({
      method: 'PATCH',
      path: '/apis/g/v1/namespaces/n/things/a b#c?',
      query: { labelSelector: 'app in (a,b),x!=y', limit: '500' },
      contentType: 'application/merge-patch+json',
      body,
    });
    const [arrived] = server.arrived;
    expect(arrived).toMatchObject({
      method: 'PATCH',
      url: '/apis/g/v1/namespaces/n/things/a%20b%23c%3F?labelSelector=app%20in%20(a%2Cb)%2Cx!%3Dy&limit=500',
      headers: {
        authorization: 'Bearer t0ken',
        'content-type': 'application/merge-patch+json',
        accept: 'application/json',
        'user-agent': 'sickbay',
      },
    });
    expect(JSON.parse(arrived?.body ?? '')).toEqual(body);
  });

  test('read a text as it is, where a text is asked for', async () => {
    const { server, transport } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('panic: nil map\n{"level":"fatal"}\n');
    });
    const log = await transport.request({ ...GET, path: '/api/v1/namespaces/n/pods/p/log', accept: 'text' });
    expect(log).toEqual({ code: 200, body: 'panic: nil map\n{"level":"fatal"}\n', mediaType: 'text/plain' });
    expect(server.arrived[0]?.headers['accept']).toBe('text/plain,*/*');
    await expect(transport.request(GET)).rejects.toThrow('is not JSON');
  });

  test('read the failure of a text as the Status that it is', async () => {
    const status = { kind: 'Status', reason: 'BadRequest', message: 'container "app" is waiting to start' };
    const { transport } = await serve((_request, response) => sendJson(response, 400, status));
    expect(await transport.request({ ...GET, accept: 'text' })).toEqual({ code: 400, body: status });
  });

  test("go below the path in the server's address", async () => {
    const { server, transport } = await serve(ok, { server: '/k8s/clusters/c-1/' });
    await transport.request(GET);
    expect(server.arrived[0]?.url).toBe('/k8s/clusters/c-1/api/v1/pods');
  });

  test('share connections', async () => {
    const { server, transport } = await serve(ok);
    for (let i = 0; i < 20; i++) await transport.request(GET);
    // Two, since undici leaves a connection alone for one turn after an answer.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test('open no more connections than allowed', async () => {
    const { server, transport } = await serve(ok, { limits: { connections: 3 } });
    await Promise.all(Array.from({ length: 30 }, () => transport.request(GET)));
    expect(server.connections()).toBeLessThanOrEqual(3);
    expect(server.arrived).toHaveLength(30);
  });

  test.each([
    { path: '/api/v1/pods', accept: 'PartialObjectMetadataList' },
    { path: '/apis/apps/v1/namespaces/n/deployments', accept: 'PartialObjectMetadataList' },
    { path: '/api/v1/namespaces', accept: 'PartialObjectMetadataList' },
    { path: '/api/v1/namespaces/n', accept: 'PartialObjectMetadata' },
    { path: '/apis/apps/v1/namespaces/n/deployments/d', accept: 'PartialObjectMetadata' },
    { path: '/apis/apps/v1/deployments/d', accept: 'PartialObjectMetadata' },
  ])('for metadata of $path ask for $accept', async ({ path, accept }) => {
    const { server, transport } = await serve(ok);
    await transport.request({ method: 'GET', path, accept: 'metadata' });
    expect(server.arrived[0]?.headers.accept).toBe(`application/json;g=meta.k8s.io;v=v1;as=${accept},application/json`);
    expect(isCollection(path)).toBe(accept.endsWith('List'));
  });
});

describe('answers', () => {
  test('resolve whatever their code', async () => {
    const { transport } = await serve((_, response) => sendJson(response, 404, { kind: 'Status', code: 404 }));
    expect(await transport.request(GET)).toEqual({ code: 404, body: { kind: 'Status', code: 404 } });
  });

  test('bring warnings and the wait that was asked for', async () => {
    const headers = { warning: ['299 - "v1beta1 is \\"old\\""', '299 - "unknown field \\"spec.x\\""'], 'retry-after': '7' };
    const { transport } = await serve((_, response) => sendJson(response, 429, {}, headers));
    expect(await transport.request(GET)).toMatchObject({
      code: 429,
      warnings: ['v1beta1 is "old"', 'unknown field "spec.x"'],
      retryAfterSeconds: 7,
    });
  });

  test('a page with a failure is its text', async () => {
    const { transport } = await serve((_, response) => response.writeHead(502).end('<html>bad gateway</html>'));
    expect(await transport.request(GET)).toEqual({ code: 502, body: '<html>bad gateway</html>' });
  });

  test('success that cannot be read is a lost reply', async () => {
    const { transport } = await serve((_, response) => response.writeHead(200).end('{"metadata":'));
    await expect(transport.request(GET)).rejects.toMatchObject({ code: 'Unavailable' });
  });

  test('that break off reject', async () => {
    const { transport } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"a":1', () => response.destroy());
    });
    await expect(transport.request(GET)).rejects.toBeInstanceOf(Error);
  });

  test('that come in many pieces are put together', async () => {
    const text = JSON.stringify({ text: '🚑'.repeat(100_000) });
    const { transport } = await serve((_, response) => response.writeHead(200).end(text));
    expect((await transport.request(GET)).body).toEqual(JSON.parse(text));
  });

  test('that never come are given up', async () => {
    const { transport } = await serve(() => undefined, { limits: { answerMs: 20 } });
    await expect(transport.request(GET)).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
  });

  test('no server listens: rejects', async () => {
    const { server, transport } = await serve(ok);
    await server.close();
    await expect(transport.request(GET)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

test('a proxy is asked for a tunnel', async () => {
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push(request.url ?? '');
    const target = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const { transport, server } = await serve(ok, {
    proxyUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    identity: bearer('t'),
  });
  expect((await transport.request(GET)).body).toEqual({ fine: true });
  expect(tunnels).toEqual([new URL(server.url).host]);
  expect(server.arrived[0]?.headers.authorization).toBe('Bearer t');
});

describe('aborting', () => {
  test('ends a request under way', async () => {
    const ended = new AbortController();
    const { transport } = await serve(() => ended.abort(new Error('enough')));
    await expect(transport.request(GET, ended.signal)).rejects.toThrow('enough');
  });

  test('ends a request that waits for a connection, at once', async () => {
    const hold: ServerResponse[] = [];
    const arrivedFirst = Promise.withResolvers<void>();
    const { transport, server } = await serve((_, response) => void (hold.push(response), arrivedFirst.resolve()), {
      limits: { connections: 1 },
    });
    const first = transport.request(GET);
    await arrivedFirst.promise;
    const ended = new AbortController();
    const second = transport.request(GET, ended.signal);
    ended.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    for (const response of hold) sendJson(response, 200, {});
    await first;
    expect(server.arrived).toHaveLength(1);
  });

  test('before the start sends nothing', async () => {
    const { server, transport } = await serve(ok);
    await expect(transport.request(GET, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(server.arrived).toEqual([]);
  });

  test('closing rejects what is under way', async () => {
    const arrived = Promise.withResolvers<void>();
    const { transport } = await serve(() => arrived.resolve());
    const pending = transport.request(GET).catch((error: unknown) => error);
    await arrived.promise;
    await transport.close();
    expect(await pending).toBeInstanceOf(Error);
  });
});

describe('identity', () => {
  const authorizations = ({ server }: Rig): unknown[] => server.arrived.map(({ headers }) => headers.authorization);

  test('is asked for each request, and may change', async () => {
    let token = 'one';
    const rig = await serve(ok, { identity: () => bearer(token) });
    await rig.transport.request(GET);
    token = 'two';
    await rig.transport.request(GET);
    expect(authorizations(rig)).toEqual(['Bearer one', 'Bearer two']);
  });

  test('may be slow, and is notified of a refusal', async () => {
    const asked: boolean[] = [];
    const identity = async (refused: boolean): Promise<ReturnType<typeof bearer>> => {
      asked.push(refused);
      return bearer(refused ? 'fresh' : 'stale');
    };
    const answer = (request: Arrived, response: ServerResponse): void =>
      sendJson(response, request.headers.authorization === 'Bearer fresh' ? 200 : 401, {});
    const rig = await serve(answer, { identity });
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push((await rig.transport.request(GET)).code);
    expect(codes).toEqual([401, 200, 401]);
    expect(asked).toEqual([false, true, false]);
  });

  test('another certificate opens other connections and leaves running requests alone', async () => {
    const hold: ServerResponse[] = [];
    let cert = 'one';
    const rig = await serve(
      (request, response) => (request.url.endsWith('/slow') ? void hold.push(response) : sendJson(response, 200, {})),
      {
        identity: () => ({ cert, key: 'k' }),
      },
    );
    const slow = rig.transport.request({ method: 'GET', path: '/api/v1/slow' });
    await rig.transport.request(GET);
    cert = 'two';
    await rig.transport.request(GET);
    for (const response of hold) sendJson(response, 200, { slow: true });
    expect((await slow).body).toEqual({ slow: true });
    expect(rig.server.connections()).toBe(3);
  });

  test('that cannot be had sends nothing', async () => {
    const rig = await serve(ok, { identity: () => Promise.reject(new PlatformError('Unavailable', 'no token')) });
    await expect(rig.transport.request(GET)).rejects.toThrow('no token');
    expect(rig.server.arrived).toEqual([]);
  });
});

describe('watches', () => {
  const line = (name: string): string => `${JSON.stringify(added({ name, version: 1 }))}\n`;
  const namesIn = (batches: readonly (readonly WatchLine[])[]): string[] => batches.flat().map(({ object }) => object.metadata.name);
  const start = async (rig: Rig, signal = never): Promise<WatchStream> => {
    const answer = await rig.transport.watch({ ...GET, query: { watch: 'true' } }, signal);
    if (!('lines' in answer)) throw new Error(`refused with ${answer.code}`);
    return answer;
  };

  test('give lines however they were cut', async () => {
    const bytes = Buffer.from(line('größe') + line('🚑') + line('c'));
    const rig = await serve((_, response) => {
      response.writeHead(200);
      for (let i = 0; i < bytes.length; i += 7) response.write(bytes.subarray(i, i + 7));
      response.end();
    });
    expect(namesIn(await collect((await start(rig)).lines))).toEqual(['größe', '🚑', 'c']);
  });

  test('that are refused are answers', async () => {
    const { transport } = await serve((_, response) => sendJson(response, 410, { kind: 'Status', reason: 'Expired' }));
    expect(await transport.watch(GET, never)).toEqual({ code: 410, body: { kind: 'Status', reason: 'Expired' } });
  });

  test.each([
    { name: 'truncated in a line', end: (response: ServerResponse) => response.end('{"type":"ADD'), code: 'Unavailable' },
    { name: 'with a malformed line', end: (response: ServerResponse) => response.write('{"type":}\n'), code: 'Internal' },
    { name: 'cut off', end: (response: ServerResponse) => response.destroy(), code: 'UND_ERR_SOCKET' },
  ])('$name: gives what came before, then throws', async ({ end, code }) => {
    const rig = await serve((_, response) => {
      response.writeHead(200);
      response.write(line('a'), () => end(response));
    });
    const seen: WatchLine[] = [];
    const read = async (): Promise<void> => {
      for await (const batch of (await start(rig)).lines) seen.push(...batch);
    };
    await expect(read()).rejects.toMatchObject({ code });
    expect(namesIn([seen])).toEqual(['a']);
  });

  test('end without error when the reader aborts', async () => {
    const rig = await serve((_, response) => response.writeHead(200).write(line('a')));
    const ended = new AbortController();
    const seen: WatchLine[] = [];
    for await (const batch of (await start(rig, ended.signal)).lines) {
      seen.push(...batch);
      ended.abort();
    }
    expect(namesIn([seen])).toEqual(['a']);
  });

  test('close the connection when the reader stops', async () => {
    const closed = Promise.withResolvers<void>();
    const rig = await serve((_, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200).write(line('a'));
    });
    for await (const _ of (await start(rig)).lines) break;
    await closed.promise;
  });

  test('that fall silent are given up', async () => {
    const rig = await serve((_, response) => response.writeHead(200).write(line('a')), { limits: { watchIdleMs: 30 } });
    await expect(collect((await start(rig)).lines)).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' });
  });

  test('take no connection from calls', async () => {
    const rig = await serve(
      (request, response) => (request.url.includes('watch') ? response.writeHead(200).write(line('a')) : ok(request, response)),
      {
        limits: { connections: 1 },
      },
    );
    for (let i = 0; i < 3; i++) await start(rig);
    expect((await rig.transport.request(GET)).code).toBe(200);
  });

  test('do not run away from a slow reader, and lose nothing to it', async () => {
    const count = 3_000;
    const rig = await serve((_, response) => {
      response.writeHead(200);
      for (let i = 0; i < count; i++) response.write(line(`${i}-${'x'.repeat(2_000)}`));
      response.end();
    });
    let seen = 0;
    for await (const batch of (await start(rig)).lines) {
      for (const { object } of batch) expect(Number.parseInt(object.metadata.name, 10)).toBe(seen++);
      await new Promise<void>((resolve) => process.nextTick(resolve));
    }
    expect(seen).toBe(count);
  });
});
