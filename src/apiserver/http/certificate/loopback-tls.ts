import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { after, HOUR, toTime, type Instant } from '../../../base/index.ts';
import type { Tls } from '../listen.ts';
import { issueCertificate } from './issue-certificate.ts';

const AUTHORITY = 'sickbay-local-ca';
const SERVER = 'sickbay-local';
/** The clocks of this machine's programs are one, but it may have been set back. */
const EARLIER_MS = HOUR;
/** Longer than any run lasts: each makes a certificate of its own. */
const VALID_MS = 10 * 365 * 24 * HOUR;

/**
 * A certificate for a server on loopback, and the authority that signed it, which is what clients are given. Both are new in every run and only in
 * memory: nothing that is left on a disk can stand in for this server.
 */
export function loopbackTls(now: Instant, host = '127.0.0.1'): Tls {
  const authority = newKey();
  const server = newKey();
  const times = { notBefore: toTime(after(now, -EARLIER_MS)), notAfter: toTime(after(now, VALID_MS)) };
  const signed = { ...times, issuer: AUTHORITY, signer: authority.privateKey };
  const hosts = [...new Set([host, '127.0.0.1', '::1', 'localhost'])];
  return {
    ca: issueCertificate({ ...signed, subject: AUTHORITY, publicKey: authority.publicKey }),
    cert: issueCertificate({ ...signed, subject: SERVER, publicKey: server.publicKey, hosts }),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function newKey(): Keys {
  const privateKey = createPrivateKey(
    generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }).privateKey,
  );
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
