import { beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { accountIdentity } from './account-identity.ts';
import type { KubeClient, SubresourceWrite } from '../client/client.ts';
import { bearer, type IdentitySource } from '../http/http-config.ts';

let asked: { readonly key: object; readonly write: SubresourceWrite }[];
let clock: ManualClock;
let identity: IdentitySource;
let refusal: Error | undefined;

beforeEach(() => {
  asked = [];
  refusal = undefined;
  clock = new ManualClock();
  const subresource: KubeClient['subresource'] = (_, key, write) => {
    asked.push({ key, write });
    return refusal ? Promise.reject(refusal) : Promise.resolve({ status: { token: `token-${asked.length}` } });
  };
  identity = accountIdentity({ client: { subresource } as KubeClient, account: { namespace: 'system', name: 'owner' }, clock });
});

test('a token of the account is asked for, for an hour', async () => {
  expect(await identity(false)).toEqual(bearer('token-1'));
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: HOUR / 1_000 } };
  expect(asked).toEqual([{ key: { namespace: 'system', name: 'owner' }, write: { name: 'token', body } }]);
});

test('it serves for half of its time, and then there is another', async () => {
  const first = await identity(false);
  await clock.advance(30 * MINUTE - 1);
  expect(identity(false)).toBe(first);
  await clock.advance(1);
  expect(await identity(false)).toEqual(bearer('token-2'));
});

test('one that the server does not believe is not shown again', async () => {
  await identity(false);
  expect(await identity(true)).toEqual(bearer('token-2'));
});

test('requests that come at the same time share one', async () => {
  await Promise.all([identity(false), identity(false), identity(true)]);
  expect(asked).toHaveLength(1);
});

test('a refusal is for the caller only, and the next call asks again', async () => {
  refusal = new Error('not allowed');
  await expect(Promise.resolve(identity(false))).rejects.toThrow('not allowed');
  refusal = undefined;
  expect(await identity(false)).toEqual(bearer('token-2'));
});
