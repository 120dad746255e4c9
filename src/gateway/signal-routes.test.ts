import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silent } from '../base/index.ts';
import { healthRoutes, ping, startHttpServer } from '../server/index.ts';
import type { Gateway, Reply } from './gateway.ts';
import { signalRoutes } from './signal-routes.ts';
import { aRig } from './testing/gateway-harness.ts';
import { AN_ALERT, anAlert, aWebhook } from './testing/webhook.ts';

const PATH = '/api/v1/signals/prometheus';

async function serving(gateway: Gateway): Promise<string> {
  const health = healthRoutes({ livez: [ping], readyz: [ping] }, silent);
  const server = await startHttpServer({ routes: [health, signalRoutes(gateway)], log: silent });
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${server.port}`;
}

/** A gateway that answers everything in one way, and keeps what it was given. */
function stub(reply: Reply = { code: 201, body: { status: 'created' } }): { gateway: Gateway; received: unknown[] } {
  const received: unknown[] = [];
  return { received, gateway: { receive: (body) => (received.push(body), Promise.resolve(reply)) } };
}

const post = (url: string, body: string, contentType = 'application/json') =>
  request(url, { method: 'POST', body, headers: { 'content-type': contentType } });

describe('the listener', () => {
  test('[CO-003] receives every alert of a webhook of Alertmanager', async () => {
    const rig = await aRig();
    const url = await serving(rig.gateway);
    const answer = await post(url + PATH, JSON.stringify(aWebhook([AN_ALERT, anAlert({ deployment: 'other' })])));
    expect(answer.statusCode).toBe(207);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(await answer.body.json()).toMatchObject({ results: [{ status: 'created' }, { status: 'created' }], summary: { total: 2 } });
    expect((await rig.requests()).map(({ spec }) => spec.targetResource.name).toSorted()).toEqual(['checkout', 'other']);
  });

  test('serves health beside it', async () => {
    const url = await serving(stub().gateway);
    const answer = await request(`${url}/readyz`);
    expect([answer.statusCode, await answer.body.text()]).toEqual([200, 'ok']);
  });

  test.each(['application/json', 'Application/JSON; charset=utf-8', 'application/json;charset=utf-8'])('reads %s', async (contentType) => {
    const { gateway, received } = stub();
    const answer = await post((await serving(gateway)) + PATH, '{"text":"größe 🚑"}', contentType);
    await answer.body.dump();
    expect(received).toEqual([{ text: 'größe 🚑' }]);
  });

  test('takes 4 MiB', async () => {
    const { gateway, received } = stub();
    const answer = await post((await serving(gateway)) + PATH, JSON.stringify('x'.repeat(4 * 1024 * 1024 - 2)));
    await answer.body.dump();
    expect([answer.statusCode, received.length]).toEqual([201, 1]);
  });

  test.each([429, 503])('says when to come back with a %d', async (code) => {
    const answer = await post((await serving(stub({ code, body: {} }).gateway)) + PATH, '{}');
    await answer.body.dump();
    expect(answer.headers).toMatchObject({ 'retry-after': '10', 'content-type': 'application/problem+json' });
  });
});

describe('the other sources', () => {
  test('[CO-004] a Kubernetes Event is received at a path of its own', async () => {
    const rig = await aRig();
    const url = await serving(rig.gateway);
    const event = {
      kind: 'Event',
      type: 'Warning',
      reason: 'BackOff',
      involvedObject: { kind: 'Pod', namespace: 'shop', name: 'checkout-1-a' },
      lastTimestamp: '2026-11-15T03:00:00Z',
    };
    const answer = await post(`${url}/api/v1/signals/kubernetes-event`, JSON.stringify(event));
    expect([answer.statusCode, await answer.body.json()]).toMatchObject([201, { status: 'created' }]);
    expect((await rig.requests()).map(({ spec }) => spec.signalName)).toEqual(['BackOff']);
  });

  test('a problem names the path that was asked for', async () => {
    const url = await serving((await aRig()).gateway);
    const answer = await post(`${url}/api/v1/signals/kubernetes-event`, '{"type":"Normal"}');
    expect(await answer.body.json()).toMatchObject({ status: 400, instance: '/api/v1/signals/kubernetes-event' });
  });

  test('a body with more alerts than are accepted at once is refused as a whole', async () => {
    const rig = await aRig();
    const url = await serving(rig.behind(rig.api, { maxAlerts: 2 }));
    const answer = await post(url + PATH, JSON.stringify(aWebhook([AN_ALERT, AN_ALERT, AN_ALERT])));
    expect([answer.statusCode, await answer.body.json()]).toMatchObject([413, { detail: expect.stringContaining('3 entries') as unknown }]);
    expect(await rig.requests()).toEqual([]);
  });
});

describe('what never reaches the gateway', () => {
  const large = JSON.stringify('x'.repeat(4 * 1024 * 1024));
  const cases = [
    { reason: 'malformed JSON', code: 400, type: 'validation-error', body: '{"version":' },
    { reason: '100,000 levels', code: 400, type: 'validation-error', body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` },
    { reason: 'a key twice', code: 400, type: 'validation-error', body: '{"version":"4","alerts":[],"version":"3"}' },
    { reason: 'a number beyond any double', code: 400, type: 'validation-error', body: '{"version":"4","truncatedAlerts":1e999}' },
    { reason: 'nothing at all', code: 400, type: 'validation-error', body: '' },
    { reason: 'another path', code: 404, type: 'not-found', path: '/api/v1/signals/smoke' },
    { reason: 'another method', code: 405, type: 'method-not-allowed', method: 'PUT' },
    { reason: 'a look', code: 405, type: 'method-not-allowed', method: 'GET' },
    { reason: 'more than 4 MiB', code: 413, type: 'payload-too-large', body: large },
    { reason: 'a form', code: 415, type: 'unsupported-media-type', contentType: 'application/x-www-form-urlencoded' },
    { reason: 'a type that only begins alike', code: 415, type: 'unsupported-media-type', contentType: 'application/json-patch+json' },
    { reason: 'no type', code: 415, type: 'unsupported-media-type', contentType: '' },
  ] as const;
  test.each(cases)('$reason: $code', async ({ code, type, ...asked }) => {
    const { gateway, received } = stub();
    const { path, method, body, contentType } = { path: PATH, method: 'POST', body: '{}', contentType: 'application/json', ...asked };
    const headers = contentType === '' ? {} : { 'content-type': contentType };
    const answer = await request((await serving(gateway)) + path, { method, headers, body: method === 'GET' ? null : body });
    expect(answer.statusCode).toBe(code);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    const problem = (await answer.body.json()) as Readonly<Record<string, unknown>>;
    expect(problem).toMatchObject({ type: `https://kubernaut.ai/problems/${type}`, status: code, instance: path });
    expect([problem['title'], problem['detail']]).not.toContain(undefined);
    expect(received).toEqual([]);
    if (code === 405) expect(answer.headers['allow']).toBe('POST');
  });
});
