import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ourRights } from '../../admission/index.ts';
import { Namespace } from '../../api/builtin/index.ts';
import { ADMIN, createMemoryApi, newSigningKey, type MemoryApi, type User } from '../../apiserver/index.ts';
import { MINUTE, seededRandom, silent } from '../../base/index.ts';
import { createClient, type Transport } from '../../kube/index.ts';
import { AccessReviews, startHttpServer, TokenCallers } from '../../server/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { bindPeopleRole } from '../../testkit/with-role.ts';
import type { Gateway } from '../gateway.ts';
import { noGatewayMetrics } from '../gateway-metrics.ts';
import { signalRoutes } from '../signal-routes.ts';
import { reviewedSenders } from './reviewed-senders.ts';
import type { Senders } from './senders.ts';

const SYSTEM = 'sickbay-system';
const PATH = '/api/v1/signals/prometheus';
const SOURCE: User = { username: 'alertmanager', groups: ['system:authenticated'] };
const STRANGER: User = { username: 'sam', groups: ['system:authenticated'] };

let api: MemoryApi;
beforeAll(async () => {
  const tokens = [
    { token: 'admin-token', user: ADMIN },
    { token: 'source-token', user: SOURCE },
    { token: 'stranger-token', user: STRANGER },
  ];
  api = createMemoryApi({
    clock: new ManualClock(),
    random: seededRandom(1),
    rights: { tokens, signingKey: newSigningKey(), ...ourRights() },
  });
  const admin = createClient(api);
  await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM } });
  await bindPeopleRole(admin, { user: SOURCE.username, role: 'sickbay-signal-source', namespaces: [SYSTEM] });
});
afterAll(() => api.close());

/** Senders on an API server with real tokens and roles. */
function reviewed(transport: Transport = api, clock = new ManualClock()): Senders {
  const client = createClient(transport);
  const connect = () => {
    throw new Error('signals are not sent with the rights of the sender');
  };
  return reviewedSenders(new TokenCallers({ client, clock, reviews: new AccessReviews({ client, clock }), connect }), SYSTEM);
}

async function serving(senders: Senders): Promise<{ readonly url: string; readonly received: unknown[]; readonly log: string[] }> {
  const received: unknown[] = [];
  const log: string[] = [];
  const gateway: Gateway = { receive: (body) => (received.push(body), Promise.resolve({ code: 201, body: {} })) };
  const write = (...line: readonly unknown[]): void => void log.push(JSON.stringify(line));
  const server = await startHttpServer({
    routes: [signalRoutes(gateway, noGatewayMetrics, senders)],
    log: { ...silent, debug: write, info: write, warn: write, error: write },
  });
  onTestFinished(() => server.close());
  return { url: `http://127.0.0.1:${server.port}`, received, log };
}

const post = (url: string, authorization?: string) =>
  request(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...(authorization && { authorization }) } });

describe('senders whose tokens the Kubernetes API reviews', () => {
  test.each([
    { as: 'Bearer source-token', code: 201, reason: 'the user has the role sickbay-signal-source' },
    { as: 'Bearer admin-token', code: 201, reason: 'an administrator has every right' },
    { as: 'Bearer stranger-token', code: 403, detail: /sam may not send signals: bind the ClusterRole sickbay-signal-source/ },
    { as: 'Bearer made-up-token', code: 401, detail: /does not know the bearer token/ },
    { as: 'Basic c291cmNlLXRva2Vu', code: 401, detail: /need a bearer token, in the header Authorization: set http_config\.authorization/ },
    { as: undefined, code: 401, detail: /need a bearer token/ },
  ])('$as: $code', async ({ as, code, detail }) => {
    const { url, received, log } = await serving(reviewed());
    const answer = await post(url + PATH, as);
    const text = await answer.body.text();
    expect(answer.statusCode).toBe(code);
    expect(received).toHaveLength(code === 201 ? 1 : 0);
    expect(text + log.join()).not.toMatch(/(source|admin|stranger|made-up)-token/);
    if (!detail) return;
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.headers['www-authenticate']).toBe(code === 401 ? 'Bearer realm="sickbay"' : undefined);
    expect(JSON.parse(text)).toMatchObject({ status: code, instance: PATH, detail: expect.stringMatching(detail) as string });
  });

  test('a path and a type that are not served say nothing more to senders that are not known', async () => {
    const { url } = await serving(reviewed());
    for (const path of [`${PATH}/`, '/api/v1/signals/smoke', '/api/v1/signals/kubernetes-event']) {
      const answer = await post(url + path);
      await answer.body.dump();
      expect(answer.statusCode).toBe(401);
    }
  });

  test('both answers are believed for a minute, and no longer', async () => {
    const clock = new ManualClock();
    const asked: string[] = [];
    const counting: Transport = {
      request: (sent) => (asked.push(sent.path), api.request(sent)),
      watch: (sent, signal) => api.watch(sent, signal),
    };
    const senders = reviewed(counting, clock);
    for (let times = 0; times < 3; times++) await senders.judge('Bearer source-token');
    expect(asked).toHaveLength(2);
    clock.jump(MINUTE);
    await senders.judge('Bearer source-token');
    expect(asked).toHaveLength(4);
  });

  test('an API server that cannot be asked makes the sender repeat the webhook', async () => {
    const down: Transport = {
      request: () => Promise.reject(new Error('connection refused')),
      watch: () => Promise.reject(new Error('down')),
    };
    const { url, received } = await serving(reviewed(down));
    const answer = await post(url + PATH, 'Bearer source-token');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '10']);
    expect(await answer.body.json()).toMatchObject({ detail: expect.stringContaining('cannot be reviewed') as string });
    expect(received).toEqual([]);
  });
});
