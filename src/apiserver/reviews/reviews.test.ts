import { describe, expect, test } from 'vitest';
import type { Status } from '../../kube/meta.ts';
import type { ApiResponse } from '../../kube/client/transport.ts';
import { aGuardedApi, aUser, type GuardedApi } from '../testing/guarded-api.ts';

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const pods = { verb: 'get', resource: 'pods', namespace: 'default' };

const told = ({ code, body }: ApiResponse): string =>
  code < 300 ? JSON.stringify((body as { readonly status: unknown }).status) : `${code} ${(body as Status).message}`;

/** A server where `anna` may read pods. */
async function withAnna(): Promise<GuardedApi> {
  const guarded = aGuardedApi();
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await guarded.system.create(`${rbac}/clusterroles`, {
    metadata: { name: 'pods' },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
  });
  await guarded.system.create(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'pods' },
    roleRef: { kind: 'ClusterRole', name: 'pods' },
    subjects: [{ kind: 'User', name: 'anna' }],
  });
  return guarded;
}

describe('access reviews', () => {
  test.each<[string, string, unknown, string]>([
    [
      'may they: yes',
      'subjectaccessreviews',
      { spec: { user: 'anna', resourceAttributes: pods } },
      '{"allowed":true,"reason":"RBAC: allowed by ClusterRoleBinding \\"pods\\" of ClusterRole \\"pods\\" to User \\"anna\\""}',
    ],
    ['may they: no', 'subjectaccessreviews', { spec: { user: 'bert', resourceAttributes: pods } }, '{"allowed":false}'],
    ['may I: as this process, always', 'selfsubjectaccessreviews', { spec: { resourceAttributes: pods } }, '{"allowed":true}'],
    [
      'may they here',
      'namespaces/default/localsubjectaccessreviews',
      { spec: { user: 'bert', resourceAttributes: pods } },
      '{"allowed":false}',
    ],
    [
      'about no user',
      'subjectaccessreviews',
      { spec: { resourceAttributes: pods } },
      '422 .authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
    ],
    [
      'about nothing',
      'selfsubjectaccessreviews',
      {},
      '422 .authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ],
    [
      'about another namespace',
      'namespaces/kube-system/localsubjectaccessreviews',
      { spec: { user: 'x', resourceAttributes: pods } },
      '422 .authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "default": must match metadata.namespace',
    ],
    [
      'nowhere',
      'localsubjectaccessreviews',
      { spec: { user: 'x', resourceAttributes: pods } },
      '404 the server could not find the requested resource',
    ],
    [
      'somewhere',
      'namespaces/default/subjectaccessreviews',
      { spec: { user: 'x', resourceAttributes: pods } },
      '404 the server could not find the requested resource',
    ],
    ['what may I, nowhere', 'selfsubjectrulesreviews', { spec: {} }, '400 no namespace on request'],
  ])('%s', async (_title, path, body, want) => {
    const { system } = await withAnna();
    expect(told(await system.call('POST', `${AUTHORIZATION}/${path}`, body))).toBe(want);
  });

  test('are not for everybody, but those about oneself are', async () => {
    const guarded = await withAnna();
    const ask = async (path: string, spec: object): Promise<number> =>
      (await guarded.as('bert').call('POST', `${AUTHORIZATION}/${path}`, { spec })).code;
    expect(await ask('subjectaccessreviews', { user: 'anna', resourceAttributes: pods })).toBe(403);
    expect(await ask('namespaces/default/localsubjectaccessreviews', { user: 'anna', resourceAttributes: pods })).toBe(403);
    expect(await ask('selfsubjectaccessreviews', { resourceAttributes: pods })).toBe(201);
    expect(await ask('selfsubjectrulesreviews', { namespace: 'default' })).toBe(201);
  });

  test('what names no member of a question does not change it', async () => {
    const { system } = await withAnna();
    const odd = { ...pods, kind: 'path', path: '/', __proto__: { verb: '*' } };
    const answer = await system.call('POST', `${AUTHORIZATION}/subjectaccessreviews`, { spec: { user: 'anna', resourceAttributes: odd } });
    expect(told(answer)).toContain('"allowed":true');
  });
});

describe('who a user is', () => {
  test('oneself', async () => {
    const answer = await aGuardedApi()
      .as(aUser('anna', ['ops']))
      .call('POST', `${AUTHENTICATION}/selfsubjectreviews`, {});
    expect(told(answer)).toBe('{"userInfo":{"username":"anna","groups":["ops","system:authenticated"]}}');
  });

  test.each<[string, unknown, string]>([
    ['an unknown token', { spec: { token: 'x' } }, '{"user":{},"error":"invalid bearer token"}'],
    ['no token', {}, '400 token is required for TokenReview in authentication'],
    ['no object', [], "400 the object provided is unrecognized (must be of type TokenReview): couldn't get version/kind"],
    ['a token that is a number', { spec: { token: 7 } }, '400 TokenReview in version "v1" cannot be handled as a TokenReview'],
  ])('%s', async (_title, body, want) => {
    expect(told(await aGuardedApi().system.call('POST', `${AUTHENTICATION}/tokenreviews`, body))).toContain(want);
  });
});

test('questions are asked by creating them, and are kept nowhere', async () => {
  const { system, api } = aGuardedApi();
  const before = api.resourceVersion;
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
    expect((await system.call(method, `${AUTHENTICATION}/selfsubjectreviews`)).code).toBe(405);
  }
  await system.create(`${AUTHENTICATION}/selfsubjectreviews`, {});
  expect(api.resourceVersion).toBe(before);
  expect((await system.get(`${AUTHENTICATION}/selfsubjectreviews/x`)).code).toBe(404);
});

test('clients are told of them', async () => {
  const { system } = aGuardedApi();
  const { resources } = (await system.get(AUTHORIZATION)).body as {
    readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
  };
  expect(resources.map(({ name, verbs }) => `${name} ${verbs.join()}`)).toEqual([
    'localsubjectaccessreviews create',
    'selfsubjectaccessreviews create',
    'selfsubjectrulesreviews create',
    'subjectaccessreviews create',
  ]);
});
