import { request } from 'undici';
import { expect, test } from 'vitest';
import { silent } from '../base/index.ts';
import { healthRoutes, ping, startHttpServer } from './index.ts';
import { isForUs } from './own-host.ts';

test.each([
  { listening: '127.0.0.1', header: '127.0.0.1:8080', want: true },
  { listening: '127.0.0.1', header: 'localhost:8080', want: true },
  { listening: '127.0.0.1', header: 'LOCALHOST', want: true },
  { listening: '127.0.0.1', header: '[::1]:8080', want: true },
  { listening: '127.0.0.1', header: undefined, want: true },
  { listening: '127.0.0.1', header: 'evil.example.org', want: false },
  { listening: '127.0.0.1', header: 'evil.example.org:8080', want: false },
  { listening: '127.0.0.1', header: 'localhost.evil.example.org', want: false },
  { listening: '127.0.0.1', header: '127.0.0.1.evil.example.org', want: false },
  { listening: '127.0.0.1', header: '192.0.2.1', want: false },
  { listening: '127.0.0.1', header: 'a b', want: false },
  { listening: '0.0.0.0', header: 'sickbay.sickbay-system.svc:8080', want: true },
  { listening: '192.0.2.1', header: 'sickbay.example.org', want: true },
])('on $listening, Host $header: $want', ({ listening, header, want }) => expect(isForUs(listening, header)).toBe(want));

test('a page of another site gets nothing, whatever it asks for', async () => {
  const server = await startHttpServer({ routes: [healthRoutes({ livez: [ping], readyz: [ping] }, silent)], log: silent });
  try {
    for (const [path, method] of [
      ['/readyz', 'GET'],
      ['/metrics', 'GET'],
      ['/api/v1/signals/prometheus', 'POST'],
    ] as const) {
      const answer = await request(`http://127.0.0.1:${server.port}${path}`, { method, headers: { host: 'evil.example.org' } });
      expect(answer.statusCode).toBe(403);
      expect(await answer.body.text()).toMatch(/^forbidden: the Host header/);
    }
    const own = await request(`http://127.0.0.1:${server.port}/readyz`, { headers: { host: 'localhost' } });
    expect(await own.body.text()).toBe('ok');
  } finally {
    await server.close();
  }
});
