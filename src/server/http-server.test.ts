import type { FastifyPluginCallback } from 'fastify';
import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { silent, type Fields, type Logger } from '../base/index.ts';
import { readBody } from '../kube/http/read-body.ts';
import { healthRoutes, ping, startHttpServer, type HealthChecks } from './index.ts';
import { metricsRoutes, type MetricsPage } from './metrics-routes.ts';

interface Served {
  readonly checks?: HealthChecks;
  readonly metrics?: MetricsPage;
  readonly routes?: readonly FastifyPluginCallback[];
  readonly log?: Logger;
}

async function serving({ checks, metrics, routes = [], log = silent }: Served, story: (url: string) => Promise<void>): Promise<void> {
  const health = healthRoutes(checks ?? { livez: [ping], readyz: [ping] }, log);
  const server = await startHttpServer({ routes: [health, ...(metrics ? [metricsRoutes(metrics)] : []), ...routes], log });
  try {
    expect(server.host).toBe('127.0.0.1');
    await story(`http://127.0.0.1:${server.port}`);
  } finally {
    await server.close();
  }
}

describe('the health server', () => {
  test('answers probes on loopback', async () => {
    await serving({}, async (url) => {
      const answer = await request(`${url}/readyz?verbose`);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
      expect(await answer.body.text()).toBe('[+]ping ok\nreadyz check passed\n');
    });
  });

  const cases = [
    { method: 'HEAD', path: '/livez', code: 200, body: '', reason: 'HEAD has no body' },
    { method: 'POST', path: '/livez', code: 405, body: 'method not allowed\n', reason: 'nothing can be changed here' },
    { method: 'GET', path: '/metrics', code: 404, body: '404 page not found\n', reason: 'no metrics were handed in' },
    { method: 'GET', path: '/../../etc/passwd', code: 404, body: '404 page not found\n', reason: 'there are no files' },
  ] as const;
  test.each(cases)('$method $path: $reason', async ({ method, path, code, body }) => {
    await serving({}, async (url) => {
      const answer = await request(url + path, { method });
      expect(answer.statusCode).toBe(code);
      expect(await answer.body.text()).toBe(body);
    });
  });

  test('serves metrics, and survives a page that throws', async () => {
    let works = true;
    const metrics = {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      metrics: () => (works ? Promise.resolve('sickbay_leader 1\n') : Promise.reject(new Error('x'))),
    };
    await serving({ metrics }, async (url) => {
      const answer = await request(`${url}/metrics`);
      expect(answer.headers['content-type']).toBe(metrics.contentType);
      expect(await answer.body.text()).toBe('sickbay_leader 1\n');
      works = false;
      const failed = await request(`${url}/metrics`);
      expect(failed.statusCode).toBe(500);
      expect(await failed.body.text()).toBe('internal server error\n');
    });
  });

  describe('routes of others', () => {
    const echo: FastifyPluginCallback = (app, _options, done) => {
      app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
      app.all('/echo/*', async ({ method, originalUrl, headers, raw }, reply) => {
        const body = await readBody(raw, 8);
        void reply.type('text/plain').header('x-more', 'y');
        const { pathname } = new URL(originalUrl, 'http://localhost');
        return [method, pathname, headers['content-type'], body?.toString() ?? 'too large'].join(' ');
      });
      done();
    };
    const echoed = async (url: string, body: string | null): Promise<string> => {
      const answer = await request(url, { method: 'PUT', body, headers: { 'content-type': 'text/x' } });
      expect(answer.headers['x-more']).toBe('y');
      return answer.body.text();
    };

    test('get what begins with their prefix, whatever the method', async () =>
      serving({ routes: [echo] }, async (url) => {
        expect(await echoed(`${url}/echo/a?b`, '12345678')).toBe('PUT /echo/a text/x 12345678');
        expect(await echoed(`${url}/echo/`, null)).toBe('PUT /echo/ text/x ');
        expect((await request(`${url}/echo`)).statusCode).toBe(404);
        expect((await request(`${url}/livez`)).statusCode).toBe(200);
      }));

    test('are told of a body above their limit, and the connection lives on', async () =>
      serving({ routes: [echo] }, async (url) => {
        expect(await echoed(`${url}/echo/`, '123456789')).toBe('PUT /echo/ text/x too large');
        expect(await echoed(`${url}/echo/`, 'x'.repeat(1_000_000))).toBe('PUT /echo/ text/x too large');
        expect(await echoed(`${url}/echo/`, '1')).toBe('PUT /echo/ text/x 1');
      }));

    test('do not wait for ever for a sender that hung up', async () => {
      const failed = new Promise<Fields>((resolve) => {
        const log: Logger = { ...silent, error: (_message, fields = {}) => resolve(fields) };
        void serving({ routes: [echo], log }, async (url) => {
          const socket = connect(Number(new URL(url).port), '127.0.0.1');
          socket.write('PUT /echo/ HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\n\r\n12', () => socket.destroy());
          await failed;
        });
      });
      expect(await failed).toMatchObject({ path: '/echo/' });
    });
  });

  test('logs why a check is not well', async () => {
    const lines: Fields[] = [];
    const log: Logger = { ...silent, warn: (_message, fields = {}) => void lines.push(fields) };
    const checks = { livez: [{ name: 'loop', check: () => 'stuck' }], readyz: [] };
    await serving({ checks, log }, async (url) => {
      const answer = await request(`${url}/livez`);
      await answer.body.dump();
    });
    expect(lines).toEqual([{ check: 'loop', reason: 'stuck' }]);
  });

  test('a port that is taken is an error, not a silence', async () => {
    await serving({}, async (url) => {
      const port = Number(new URL(url).port);
      await expect(startHttpServer({ port, routes: [], log: silent })).rejects.toThrow(/EADDRINUSE/);
    });
  });
});
