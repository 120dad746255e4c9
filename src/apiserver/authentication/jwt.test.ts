import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PlatformError } from '../../base/index.ts';
import { createSigner, newSigningKey } from './jwt.ts';

const key = newSigningKey();
const signer = createSigner(key);
const claims = { sub: 'anna', exp: 7 };
const token = signer.sign(claims);
const [header = '', payload = '', signature = ''] = token.split('.');
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a signed token', () => {
  test('says what was signed', () => {
    expect(signer.read(token)).toEqual(claims);
  });

  test('is known after a restart with the same key', () => {
    expect(createSigner(key).read(token)).toEqual(claims);
  });

  test('names its algorithm and its key', () => {
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'ES256', kid: expect.any(String) as string });
  });

  const flip = (text: string, at: number): string => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
  const hmac = (head: string): string =>
    createHmac('sha256', createPublicKey(key).export({ type: 'spki', format: 'pem' }))
      .update(`${head}.${payload}`)
      .digest('base64url');
  const ownSignature = (head: string): string =>
    sign('sha256', Buffer.from(`${head}.${payload}`), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  const hs256 = encode({ alg: 'HS256' });

  test.each([
    ['with other claims', `${header}.${encode({ ...claims, sub: 'root' })}.${signature}`],
    ['with another signature', `${header}.${payload}.${flip(signature, 5)}`],
    ['with a changed header', `${encode({ alg: 'ES256', kid: 'x' })}.${payload}.${signature}`],
    ['of another key', createSigner(newSigningKey()).sign(claims)],
    ['without algorithm', `${encode({ alg: 'none' })}.${payload}.`],
    ['without algorithm, but with the signature', `${encode({ alg: 'none' })}.${payload}.${signature}`],
    ['of our own key under another algorithm', `${hs256}.${payload}.${ownSignature(hs256)}`],
    ['without signature', `${header}.${payload}.`],
    ['signed with the public key as a secret', `${hs256}.${payload}.${hmac(hs256)}`],
    ['signed as a secret under our own header', `${header}.${payload}.${hmac(header)}`],
    ['with a signature of zeros', `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`],
    ['with an empty part too many', `${token}.`],
    ['cut', token.slice(0, -1)],
    ['with padding', `${token}==`],
    ['in the other base64', token.replaceAll('-', '+').replaceAll('_', '/').concat('=')],
    ['of nothing', '..'],
    ['empty', ''],
    ['of three words', 'a.b.c'],
  ])('is worth nothing %s', (_title, forged) => {
    expect(signer.read(forged)).toBeUndefined();
  });
});

describe('a key', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  test.each([
    ['empty', ''],
    ['a word', 'secret'],
    ['of another sort', rsa],
    ['of another curve', p384],
  ])('that is %s is refused with what to do', (_title, pem) => {
    expect(() => createSigner(pem)).toThrow(PlatformError);
    expect(() => createSigner(pem)).toThrow(/P-256.*delete it/);
  });
});
