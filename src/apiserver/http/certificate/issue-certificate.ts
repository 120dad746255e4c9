import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { bits, boolean, implicit, integer, octets, oid, sequence, set, tagged, time, utf8 } from './der.ts';

/** A certificate to write. */
export interface CertificateRequest {
  /** The common names of its holder and of the one that signs it. */
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  /** The key that signs it. */
  readonly signer: KeyObject;
  /** ISO times. */
  readonly notBefore: string;
  readonly notAfter: string;
  /** DNS names and IP addresses of a server; a certificate without any signs others. */
  readonly hosts?: readonly string[];
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const VERSION_3 = tagged(0, integer(Buffer.from([2])));

/** Writes an X.509 certificate for keys on the curve P-256; PEM. */
export function issueCertificate(request: CertificateRequest): string {
  const key = spki(request.publicKey);
  const body = sequence(
    VERSION_3,
    // A serial number that no other certificate has: each has a key of its own.
    integer(digest(key).subarray(0, 16)),
    ECDSA_WITH_SHA256,
    named(request.issuer),
    sequence(time(request.notBefore), time(request.notAfter)),
    named(request.subject),
    key,
    tagged(3, sequence(...extensions(request, key))),
  );
  const signed = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, request.signer)));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const spki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const named = (name: string): Buffer => sequence(set(sequence(oid('2.5.4.3'), utf8(name))));

const CRITICAL = boolean(true);
const extension = (id: string, content: Uint8Array, ...critical: readonly Buffer[]): Buffer =>
  sequence(oid(id), ...critical, octets(content));

/** The bits of keyUsage: the first is digitalSignature, the sixth keyCertSign. */
const MAY_SIGN_DATA = bits(Buffer.from([0x80]), 7);
const MAY_SIGN_CERTIFICATES = bits(Buffer.from([0x04]), 2);
const SERVER = sequence(oid('1.3.6.1.5.5.7.3.1'));

function extensions({ hosts = [], signer }: CertificateRequest, key: Buffer): readonly Buffer[] {
  const isAuthority = hosts.length === 0;
  return [
    extension('2.5.29.19', isAuthority ? sequence(boolean(true)) : sequence(), CRITICAL),
    extension('2.5.29.15', isAuthority ? MAY_SIGN_CERTIFICATES : MAY_SIGN_DATA, CRITICAL),
    extension('2.5.29.14', octets(keyIdentifier(key))),
    extension('2.5.29.35', sequence(implicit(0, keyIdentifier(spki(createPublicKey(signer)))))),
    ...(isAuthority ? [] : [extension('2.5.29.37', SERVER), extension('2.5.29.17', sequence(...hosts.map(alternativeName)))]),
  ];
}

const keyIdentifier = (key: Buffer): Buffer => digest(key).subarray(0, 20);

const alternativeName = (host: string): Buffer => (isIP(host) === 0 ? implicit(2, Buffer.from(host)) : implicit(7, addressBytes(host)));

function addressBytes(address: string): Buffer {
  return isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : Buffer.from(expanded(address), 'hex');
}

/** An IPv6 address in its 32 hexadecimal digits. */
function expanded(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const before = groups(head);
  const after = groups(tail ?? '');
  const between = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...between, ...after].map((group) => group.padStart(4, '0')).join('');
}
