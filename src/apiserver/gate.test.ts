import { request as undici } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Status } from '../kube/meta.ts';
import { silent } from '../base/index.ts';
import { serveApi } from './http/index.ts';
import { ADMIN_TOKEN, aGuardedApi, type GuardedApi } from './testing/guarded-api.ts';

const PODS = '/api/v1/namespaces/default/pods';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

interface Answer {
  readonly code: number;
  readonly body: Status & Record<string, unknown>;
}

interface Ask {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

interface Served extends GuardedApi {
  ask(path: string, how?: Ask): Promise<Answer>;
}

async function served(): Promise<Served> {
  const guarded = aGuardedApi();
  const { url, close } = await serveApi({ gate: guarded.api.gate, log: silent });
  onTestFinished(close);
  const ask: Served['ask'] = async (path, { method = 'GET', headers = {}, body } = {}) => {
    const answer = await undici(url + path, { method, headers, ...(body !== undefined && { body }) });
    const text = await answer.body.text();
    return { code: answer.statusCode, body: (text.startsWith('{') ? JSON.parse(text) : { message: text }) as Answer['body'] };
  };
  return { ...guarded, ask };
}

const bearer = (token: string): { readonly authorization: string } => ({ authorization: `Bearer ${token}` });
const admin = bearer(ADMIN_TOKEN);

/** Lets a user read pods in `default`. */
async function allowPods({ system }: GuardedApi, user: string): Promise<void> {
  await system.create(`${RBAC}/namespaces/default/roles`, {
    metadata: { name: 'pods' },
    rules: [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }],
  });
  await system.create(`${RBAC}/namespaces/default/rolebindings`, {
    metadata: { name: 'pods' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'pods' },
    subjects: [{ kind: 'User', name: user }],
  });
}

describe('who asks', () => {
  test.each<[string, Ask['headers'], number]>([
    ['the administrator', admin, 200],
    ['a client with another token', bearer('wrong'), 401],
    ['the token as a password, which is anonymous', { authorization: `Basic ${Buffer.from(`a:${ADMIN_TOKEN}`).toString('base64')}` }, 403],
    ['a client with an unknown scheme, which is anonymous', { authorization: `Token ${ADMIN_TOKEN}` }, 403],
    ['a client without credentials', {}, 403],
  ])('%s', async (_title, headers, code) => {
    const { ask } = await served();
    expect((await ask(PODS, { headers: headers ?? {} })).code).toBe(code);
  });

  test('an anonymous client can read the health and the version of the server, and nothing else', async () => {
    const { ask } = await served();
    for (const path of ['/healthz', '/livez', '/readyz', '/version']) expect((await ask(path)).code).toBe(200);
    for (const path of ['/api', '/apis', '/openapi/v3', '/', '/metrics', PODS]) expect((await ask(path)).code).toBe(403);
    expect((await ask('/api')).body.message).toBe('forbidden: User "system:anonymous" cannot get path "/api"');
  });

  test.each<[string, Ask, number]>([
    ['a method that is none', { method: 'OPTIONS' }, 405],
    ['a body in a form that is none', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }, 415],
    ['an answer that cannot be given', { headers: { accept: 'image/png' } }, 406],
    ['a body that cannot be read', { method: 'POST', body: '{' }, 400],
  ])('who has no right is not told about %s', async (_title, how, code) => {
    const { ask } = await served();
    expect((await ask(PODS, how)).code).toBe(403);
    expect((await ask(PODS, { ...how, headers: { ...how.headers, ...admin } })).code).toBe(code);
  });

  test('an account, with the token that it was issued', async () => {
    const server = await served();
    await server.system.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
    await allowPods(server, 'system:serviceaccount:default:robot');
    const made = await server.ask('/api/v1/namespaces/default/serviceaccounts/robot/token', { method: 'POST', headers: admin, body: '{}' });
    const headers = bearer((made.body['status'] as unknown as { readonly token: string }).token);
    expect((await server.ask(PODS, { headers })).code).toBe(200);
    const who = await server.ask('/apis/authentication.k8s.io/v1/selfsubjectreviews', { method: 'POST', headers, body: '{}' });
    expect(who.body['status']).toMatchObject({ userInfo: { username: 'system:serviceaccount:default:robot' } });
    const refused = await server.ask(PODS.replace('default', 'kube-system'), { headers });
    expect([refused.code, refused.body.reason, refused.body.message]).toEqual([
      403,
      'Forbidden',
      'pods is forbidden: User "system:serviceaccount:default:robot" cannot list resource "pods" in API group "" in the namespace "kube-system"',
    ]);
  });

  test('the administrator as another user, in several groups', async () => {
    const server = await served();
    const headers = { ...admin, 'impersonate-user': 'anna', 'impersonate-group': ['a', 'b, c'] };
    const who = await server.ask('/apis/authentication.k8s.io/v1/selfsubjectreviews', { method: 'POST', headers, body: '{}' });
    expect(who.body['status']).toEqual({ userInfo: { username: 'anna', groups: ['a', 'b, c', 'system:authenticated'] } });
    expect((await server.ask(PODS, { headers })).code).toBe(403);
    await allowPods(server, 'anna');
    expect((await server.ask(PODS, { headers })).code).toBe(200);
  });

  test('no user impersonates another without the right to', async () => {
    const server = await served();
    await allowPods(server, 'anna');
    for (const headers of [{ 'impersonate-user': 'anna' }, { ...admin, 'impersonate-user': 'x', 'impersonate-group': 'y' }]) {
      const { code } = await server.ask(PODS, { headers });
      expect(code).toBe(403);
    }
    expect((await server.ask(PODS, { headers: { ...admin, 'impersonate-group': 'system:masters' } })).code).toBe(400);
  });
});

describe('what they may', () => {
  test('is judged before the body is read', async () => {
    const { ask } = await served();
    const answer = await ask(PODS, { method: 'POST', body: '{ this is no JSON' });
    expect(answer.code).toBe(403);
  });

  test('is judged for what is done, however the path is written', async () => {
    const server = await served();
    await allowPods(server, 'anna');
    const headers = { ...admin, 'impersonate-user': 'anna' };
    await server.system.create('/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
    for (const path of [
      '/api/v1/namespaces/default/secrets/s',
      '/api/v1//namespaces/default/secrets/s',
      '/api/v1/namespaces/default/secrets/s/',
      '/api/v1/namespaces/default/pods/../secrets/s',
      '/api/v1/namespaces/default/%73ecrets/s',
      '/api/v1/namespaces/default/pods%2F..%2Fsecrets/s',
      '/api/v1/namespaces/default/secrets?watch=true',
      '/api/v1/secrets',
      '/API/v1/namespaces/default/secrets/s',
    ]) {
      const { code } = await server.ask(path, { headers });
      expect([path, code < 300]).toEqual([path, false]);
    }
  });

  test('ends with the right: not for watches that run, as on kube-apiserver', async () => {
    const server = await served();
    await allowPods(server, 'anna');
    const stop = new AbortController();
    const request = { method: 'GET', path: PODS, query: { watch: 'true' } } as const;
    const user = { username: 'anna', groups: [] };
    const started = await server.api.gate.admit(user, request).watch(request, stop.signal);
    await server.system.remove(`${RBAC}/namespaces/default/rolebindings/pods`);
    await server.system.create(PODS, { metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    if (!('lines' in started)) throw new Error('the watch was refused');
    for await (const [line] of started.lines) {
      expect(line?.object.metadata.name).toBe('web');
      break;
    }
    stop.abort();
    expect(() => server.api.gate.admit(user, request)).toThrow(/cannot watch resource "pods"/);
  });

  test('may be asked for', async () => {
    const server = await served();
    await allowPods(server, 'anna');
    const headers = { ...admin, 'impersonate-user': 'anna' };
    const body = JSON.stringify({ spec: { namespace: 'default' } });
    const rules = await server.ask('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { method: 'POST', headers, body });
    expect(rules.body['status']).toMatchObject({ incomplete: false });
    expect((rules.body['status'] as unknown as { readonly resourceRules: readonly object[] }).resourceRules).toContainEqual({
      verbs: ['get', 'list', 'watch'],
      apiGroups: [''],
      resources: ['pods'],
    });
  });
});

test('without tokens the gate refuses every client', async () => {
  const { api } = aGuardedApi({ tokens: [] });
  expect(() => api.gate.identify({ authorization: [`Bearer ${ADMIN_TOKEN}`] })).toThrow('Unauthorized');
});

test('this process itself is not asked', async () => {
  const { system } = aGuardedApi();
  expect((await system.get(PODS)).code).toBe(200);
  const may = await system.create('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    spec: { resourceAttributes: { verb: 'delete', resource: 'nodes' } },
  });
  expect(may.status).toEqual({ allowed: true });
});
