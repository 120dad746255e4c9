import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { isObject, PlatformError, type JsonObject } from '../../base/index.ts';

/** Signs claims and verifies them. Only ES256 is used, and only signatures of this server's own key are accepted. */
export interface Signer {
  sign(claims: JsonObject): string;
  /** The claims of a token that this key signed; undefined for any other token. */
  read(token: string): JsonObject | undefined;
}

/** A new key for tokens, as PEM; the caller keeps it, so that tokens stay valid when the process restarts. */
export const newSigningKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The signer of a key in PEM. */
export function createSigner(pem: string): Signer {
  const privateKey = readKey(pem);
  const publicKey = createPublicKey(privateKey);
  const kid = encode(
    createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest(),
  );
  const header = encode(JSON.stringify({ alg: 'ES256', kid }));
  return {
    sign(claims) {
      const text = `${header}.${encode(JSON.stringify(claims))}`;
      return `${text}.${encode(sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }))}`;
    },
    read: (token) => readToken(token, publicKey),
  };
}

function readKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch (error) {
    throw refused(error);
  }
  throw refused();
}

const refused = (cause?: unknown): PlatformError =>
  new PlatformError('Invalid', 'reading the key that signs tokens: it must be a P-256 key in PEM; delete it to get a new one', {
    retry: 'never',
    cause,
  });

/** Verifies the signature before it reads the claims; of the header only the algorithm is read, which must be ES256. */
function readToken(token: string, key: KeyObject): JsonObject | undefined {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || jsonIn(header)?.['alg'] !== 'ES256') return undefined;
  const bytes = decode(signature);
  const signed = Buffer.from(`${header}.${payload}`);
  return bytes && verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes) ? jsonIn(payload) : undefined;
}

function jsonIn(part: string): JsonObject | undefined {
  const bytes = decode(part);
  if (!bytes) return undefined;
  try {
    const value = JSON.parse(bytes.toString()) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const encode = (data: string | Buffer): string => Buffer.from(data).toString('base64url');

/** Undefined unless the text is the canonical encoding of its bytes, so that no two texts are the same token. */
function decode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === text ? bytes : undefined;
}
