import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../base/index.ts';
import type { TokenRequest } from '../../kube/builtin/index.ts';
import type { Status } from '../../kube/meta.ts';
import { ADMIN_TOKEN, aGuardedApi, type GuardedApi } from '../testing/guarded-api.ts';
import { createSigner, newSigningKey } from './jwt.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const pod = { metadata: { name: 'web' }, spec: { serviceAccountName: 'robot', nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] } };

async function withAccount(): Promise<GuardedApi> {
  const guarded = aGuardedApi();
  await guarded.system.create(ACCOUNTS, { metadata: { name: 'robot' } });
  return guarded;
}

async function issue({ system }: GuardedApi, spec: TokenRequest['spec'] = {}): Promise<string> {
  const made = (await system.create(`${ACCOUNTS}/robot/token`, { spec })) as unknown as TokenRequest;
  return made.status!.token;
}

interface Reviewed {
  readonly authenticated?: boolean;
  readonly audiences?: readonly string[];
  readonly user?: { readonly username?: string; readonly extra?: Readonly<Record<string, readonly string[]>> };
}

async function review({ system }: GuardedApi, token: string, audiences?: readonly string[]): Promise<Reviewed> {
  const spec = { token, ...(audiences && { audiences }) };
  const made = await system.create('/apis/authentication.k8s.io/v1/tokenreviews', { spec });
  return made.status as Reviewed;
}

const isGood = async (guarded: GuardedApi, token: string): Promise<boolean> => (await review(guarded, token)).authenticated === true;

describe('a token of an account', () => {
  test('says who it is', async () => {
    const guarded = await withAccount();
    const answer = await review(guarded, await issue(guarded));
    expect(answer).toMatchObject({
      authenticated: true,
      audiences: ['https://kubernetes.default.svc'],
      user: {
        username: 'system:serviceaccount:default:robot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      },
    });
  });

  test('lasts an hour, unless another time is asked for, and not a second longer', async () => {
    const guarded = await withAccount();
    const [usual, short] = [await issue(guarded), await issue(guarded, { expirationSeconds: 600 })];
    await guarded.clock.advance(10 * MINUTE - SECOND);
    expect(await isGood(guarded, short)).toBe(true);
    await guarded.clock.advance(SECOND);
    expect(await isGood(guarded, short)).toBe(false);
    await guarded.clock.advance(50 * MINUTE - SECOND);
    expect(await isGood(guarded, usual)).toBe(true);
    await guarded.clock.advance(SECOND);
    expect(await isGood(guarded, usual)).toBe(false);
  });

  test('for others is not for us', async () => {
    const guarded = await withAccount();
    const token = await issue(guarded, { audiences: ['vault', 'https://kubernetes.default.svc'] });
    expect(await review(guarded, token, ['vault', 'x'])).toMatchObject({ authenticated: true, audiences: ['vault'] });
    expect((await review(guarded, token, ['x'])).authenticated).toBeUndefined();
    const theirs = await issue(guarded, { audiences: ['vault'] });
    expect(await isGood(guarded, theirs)).toBe(false);
    const { code } = await guarded.with({ authorization: `Bearer ${theirs}` }, { method: 'GET', path: '/api' });
    expect(code).toBe(401);
  });

  test('dies with its account, and does not come back with another of the name', async () => {
    const guarded = await withAccount();
    const token = await issue(guarded);
    expect(await isGood(guarded, token)).toBe(true);
    await guarded.system.remove(`${ACCOUNTS}/robot`);
    expect(await isGood(guarded, token)).toBe(false);
    await guarded.system.create(ACCOUNTS, { metadata: { name: 'robot' } });
    expect(await isGood(guarded, token)).toBe(false);
  });

  test('that is bound to a pod dies with it, and says which pod and node', async () => {
    const guarded = await withAccount();
    await guarded.system.create('/api/v1/nodes', { metadata: { name: 'n1' } });
    const { metadata } = await guarded.system.create('/api/v1/namespaces/default/pods', pod);
    const token = await issue(guarded, { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: metadata.uid } });
    const { extra } = (await review(guarded, token)).user!;
    expect(extra).toMatchObject({
      'authentication.kubernetes.io/pod-name': ['web'],
      'authentication.kubernetes.io/pod-uid': [metadata.uid],
      'authentication.kubernetes.io/node-name': ['n1'],
    });
    await guarded.system.remove('/api/v1/namespaces/default/pods/web', undefined, { gracePeriodSeconds: '0' });
    expect(await isGood(guarded, token)).toBe(false);
  });

  test('that is bound to a Secret is refused at once when the Secret is gone', async () => {
    const guarded = await withAccount();
    await guarded.system.create('/api/v1/namespaces/default/secrets', { metadata: { name: 'held' } });
    const token = await issue(guarded, { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'held' } });
    const ask = (): Promise<{ code: number }> => guarded.with({ authorization: `Bearer ${token}` }, { method: 'GET', path: '/version' });
    expect([(await ask()).code, (await ask()).code]).toEqual([200, 200]);
    await guarded.system.remove('/api/v1/namespaces/default/secrets/held');
    expect((await ask()).code).toBe(401);
  });

  test.each([
    ['of another account', { kind: 'Pod', name: 'web' }, 400],
    ['of another identity', { kind: 'Secret', name: 'held', uid: 'other' }, 409],
    ['that is not there', { kind: 'Secret', name: 'none' }, 404],
    ['of a kind that tokens are not bound to', { kind: 'ConfigMap', name: 'x' }, 400],
  ])('is not bound to an object %s', async (_title, reference, code) => {
    const guarded = await withAccount();
    await guarded.system.create('/api/v1/namespaces/default/pods', { ...pod, spec: { ...pod.spec, serviceAccountName: 'other' } });
    await guarded.system.create('/api/v1/namespaces/default/secrets', { metadata: { name: 'held' } });
    const answer = await guarded.system.call('POST', `${ACCOUNTS}/robot/token`, {
      spec: { boundObjectRef: { apiVersion: 'v1', ...reference } },
    });
    expect(answer.code).toBe(code);
  });

  test.each([
    ['too short', { expirationSeconds: 599 }, 422],
    ['too long', { expirationSeconds: 2 ** 32 + 1 }, 422],
    ['of no number', { expirationSeconds: 'long' }, 400],
  ])('is not issued for a time %s', async (_title, spec, code) => {
    const { system } = await withAccount();
    expect((await system.call('POST', `${ACCOUNTS}/robot/token`, { spec })).code).toBe(code);
  });

  test('signed with our key, but with claims that are not ours, is worth nothing', async () => {
    const signingKey = newSigningKey();
    const guarded = aGuardedApi({ signingKey });
    const { metadata } = await guarded.system.create(ACCOUNTS, { metadata: { name: 'robot' } });
    const good = {
      iss: 'https://kubernetes.default.svc',
      aud: ['https://kubernetes.default.svc'],
      exp: 4e9,
      nbf: 0,
      iat: 0,
      jti: 'x',
      sub: 'system:serviceaccount:default:robot',
      'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'robot', uid: metadata.uid } },
    };
    const sign = (claims: object): string => createSigner(signingKey).sign({ ...good, ...claims });
    expect(await isGood(guarded, sign({}))).toBe(true);
    for (const bad of [
      { iss: 'https://elsewhere' },
      { aud: 'https://kubernetes.default.svc' },
      { aud: [] },
      { exp: '4000000000' },
      { exp: undefined },
      { nbf: 4e9 },
      { sub: 'system:serviceaccount:default:admin' },
      { 'kubernetes.io': undefined },
      { 'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'robot' } } },
      { 'kubernetes.io': { namespace: 'kube-system', serviceaccount: { name: 'robot', uid: metadata.uid } } },
    ]) {
      expect([bad, await isGood(guarded, sign(bad))]).toEqual([bad, false]);
    }
  });

  test('cannot be had from a server without a key', async () => {
    const guarded = aGuardedApi({ signingKey: undefined as unknown as string });
    await guarded.system.create(ACCOUNTS, { metadata: { name: 'robot' } });
    const { code, body } = await guarded.system.call('POST', `${ACCOUNTS}/robot/token`, {});
    expect([code, (body as Status).reason]).toEqual([404, 'NotFound']);
  });
});

describe('the token of the administrator', () => {
  test('is known, for this server only', async () => {
    const guarded = aGuardedApi();
    expect(await review(guarded, ADMIN_TOKEN)).toMatchObject({
      authenticated: true,
      user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
    });
    expect((await review(guarded, ADMIN_TOKEN, ['vault'])).authenticated).toBeUndefined();
  });

  test('may not be empty', () => {
    expect(() => aGuardedApi({ tokens: [{ token: '', user: { username: 'x', groups: [] } }] })).toThrow(
      'an empty token would let everybody in',
    );
  });
});
