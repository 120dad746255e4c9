import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../base/index.ts';
import { httpServer, sendJson, type HttpServer } from '../kube/testing/http-server.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { httpSource, type HttpSource, type HttpSourceOptions } from './http-source.ts';
import { openMonitoring, type MonitoringPlaces } from './open-monitoring.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function serve(answer: Parameters<typeof httpServer>[0]): Promise<HttpServer> {
  const server = await httpServer(answer);
  closers.push(() => server.close());
  return server;
}

function open(options: Omit<HttpSourceOptions, 'clock'>, clock = new ManualClock()): HttpSource {
  const source = httpSource({ ...options, clock });
  closers.push(() => source.close());
  return source;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sickbay-monitoring-'));
  closers.push(() => rmSync(path, { recursive: true }));
  return path;
}

const never = new AbortController().signal;
const REQUEST = { path: '/api', query: [['q', 'a b&c="d"']] } as const;

describe('a server over HTTP', () => {
  test('is asked under the path of its address', async () => {
    const server = await serve((_, response) => sendJson(response, 200, { a: '🚑' }));
    expect(await open({ url: `${server.url}/prometheus/` }).get(REQUEST, never)).toEqual({ code: 200, text: '{"a":"🚑"}' });
    expect(server.arrived[0]?.url).toBe('/prometheus/api?q=a%20b%26c%3D%22d%22');
    expect(server.arrived[0]?.headers.authorization).toBeUndefined();
  });

  test('[EM-266] is shown the token of a file, and a new one after a refusal', async () => {
    const path = join(folder(), 'token');
    writeFileSync(path, 'first\n');
    const server = await serve(({ headers }, response) => sendJson(response, headers.authorization === 'Bearer second' ? 200 : 401, {}));
    const source = open({ url: server.url, tokenFile: path });
    expect((await source.get(REQUEST, never)).code).toBe(401);
    writeFileSync(path, 'second\n');
    expect((await source.get(REQUEST, never)).code).toBe(200);
    expect(server.arrived.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
  });

  test('a token or an authority that cannot be read makes one answer fail, and the next one not', async () => {
    const server = await serve((_, response) => sendJson(response, 200, {}));
    const path = join(folder(), 'file');
    const withToken = open({ url: server.url, tokenFile: path });
    const withCa = open({ url: server.url, caFile: path });
    await expect(withToken.get(REQUEST, never)).rejects.toThrow(`reading the token in ${path}`);
    await expect(withCa.get(REQUEST, never)).rejects.toThrow(`reading the authorities in ${path}`);
    writeFileSync(path, 'x');
    expect((await withToken.get(REQUEST, never)).code).toBe(200);
    expect((await withCa.get(REQUEST, never)).code).toBe(200);
  });

  test('redirects are not followed', async () => {
    const server = await serve((_, response) => response.writeHead(302, { location: '/api' }).end());
    expect((await open({ url: server.url }).get(REQUEST, never)).code).toBe(302);
    expect(server.arrived).toHaveLength(1);
  });

  test('more than 10 MB are not read', async () => {
    let sent = 0;
    const server = await serve((_, response) => {
      const piece = Buffer.alloc(1024 * 1024, 32);
      const more = (): void => {
        if (response.destroyed || sent >= 40) return void response.end();
        sent++;
        response.write(piece, more);
      };
      more();
    });
    await expect(open({ url: server.url }).get(REQUEST, never)).rejects.toThrow('the answer is larger than 10 MB');
    expect(sent).toBeLessThan(40);
  });

  test('ends when it is aborted', async () => {
    const server = await serve(() => undefined);
    const stop = new AbortController();
    const asked = open({ url: server.url }).get(REQUEST, stop.signal);
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });
});

describe('which sources are configured', () => {
  const places: MonitoringPlaces = { prometheusEnabled: true, alertManagerEnabled: true, connectionTimeoutMs: SECOND };
  const urls = { prometheusUrl: 'http://127.0.0.1:1', alertManagerUrl: 'http://127.0.0.1:1' };
  const opened = (more: Partial<MonitoringPlaces>) => {
    const monitoring = openMonitoring({ ...places, ...more }, { clock: new ManualClock(), steady: new ManualClock() });
    closers.push(() => monitoring.close());
    return [monitoring.alertmanager !== undefined, monitoring.prometheus !== undefined];
  };

  test.each<[string, Partial<MonitoringPlaces>, readonly [boolean, boolean]]>([
    ['no source without an address', {}, [false, false]],
    ['both by default', urls, [true, true]],
    ['[EM-118] not Prometheus when it is switched off', { ...urls, prometheusEnabled: false }, [true, false]],
    ['[EM-119] not Alertmanager when it is switched off', { ...urls, alertManagerEnabled: false }, [false, true]],
  ])('%s', (_, more, want) => expect(opened(more)).toEqual(want));

  test('[EM-266] both are shown the token', async () => {
    const tokenFile = join(folder(), 'token');
    writeFileSync(tokenFile, 'secret\n');
    const server = await serve(({ headers }, response) => sendJson(response, headers.authorization === 'Bearer secret' ? 200 : 401, []));
    const steady = new ManualClock();
    const here = { prometheusUrl: server.url, alertManagerUrl: server.url, tokenFile };
    const monitoring = openMonitoring({ ...places, ...here }, { clock: steady, steady });
    closers.push(() => monitoring.close());
    await monitoring.alertmanager?.firing({ alertname: 'X' });
    await monitoring.prometheus?.range({ query: 'x', from: steady.now(), to: steady.now(), stepMs: MINUTE });
    expect(server.arrived.map(({ url, headers }) => [url?.split('?')[0], headers.authorization])).toEqual([
      ['/api/v2/alerts', 'Bearer secret'],
      ['/api/v1/query_range', 'Bearer secret'],
    ]);
  });

  test('answers and silence arrive where they are asked', async () => {
    const server = await serve(({ url }, response) =>
      sendJson(response, 200, url.startsWith('/api/v2/alerts') ? [] : { status: 'success', data: { resultType: 'matrix', result: [] } }),
    );
    const steady = new ManualClock();
    const here = { prometheusUrl: server.url, alertManagerUrl: server.url };
    const monitoring = openMonitoring({ ...places, ...here }, { clock: steady, steady });
    closers.push(() => monitoring.close());
    expect(await monitoring.alertmanager?.firing({ alertname: 'X' })).toEqual({ kind: 'value', value: [] });
    const window = { from: steady.now(), to: steady.now(), stepMs: MINUTE };
    expect(await monitoring.prometheus?.range({ query: 'x', ...window })).toEqual({ kind: 'value', value: [] });
  });
});
