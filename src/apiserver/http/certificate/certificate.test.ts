import { createPrivateKey, X509Certificate } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { instant } from '../../../base/index.ts';
import { bits, boolean, integer, oid, sequence, time } from './der.ts';
import { loopbackTls } from './loopback-tls.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('DER', () => {
  test.each([
    { reason: 'an empty sequence', value: sequence(), want: '3000' },
    { reason: 'a length in two bytes', value: sequence(Buffer.alloc(200)).subarray(0, 3), want: '3081c8' },
    { reason: 'a length in three bytes', value: sequence(Buffer.alloc(300)).subarray(0, 4), want: '3082012c' },
    { reason: 'the longest length in one byte', value: sequence(Buffer.alloc(127)).subarray(0, 2), want: '307f' },
    { reason: 'zero', value: integer(Buffer.from([0, 0])), want: '020100' },
    { reason: 'a number without leading zeros', value: integer(Buffer.from([0, 5])), want: '020105' },
    { reason: 'a number that would look negative', value: integer(Buffer.from([0x80])), want: '02020080' },
    { reason: 'true', value: boolean(true), want: '0101ff' },
    { reason: 'bits', value: bits(Buffer.from([0x80]), 7), want: '03020780' },
    { reason: 'an object identifier', value: oid('1.2.840.10045.4.3.2'), want: '06082a8648ce3d040302' },
    { reason: 'a time before 2050', value: time('2049-12-31T23:59:59Z'), want: '170d3439313233313233353935395a' },
    { reason: 'a time from 2050 on', value: time('2050-01-01T00:00:00.000Z'), want: '180f32303530303130313030303030305a' },
  ])('$reason', ({ value, want }) => expect(hex(value)).toBe(want));
});

const NOW = instant(1_794_711_600_000);

describe('the certificate of a server on loopback', () => {
  const { cert, ca, key } = loopbackTls(NOW, '127.0.0.2');
  const server = new X509Certificate(cert);
  const authority = new X509Certificate(ca ?? '');

  test('is signed by the authority, and each has its own key', () => {
    expect(server.verify(authority.publicKey)).toBe(true);
    expect(authority.verify(authority.publicKey)).toBe(true);
    expect(server.verify(server.publicKey)).toBe(false);
    expect(server.checkIssued(authority)).toBe(true);
    expect(server.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect([authority.ca, server.ca]).toEqual([true, false]);
    expect(server.serialNumber).not.toBe(authority.serialNumber);
  });

  test('is for this machine alone', () => {
    expect(server.subjectAltName).toBe('IP Address:127.0.0.2, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:localhost');
    expect(server.checkHost('localhost')).toBe('localhost');
    expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(server.checkHost('example.test')).toBeUndefined();
    // serverAuth
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  test('is valid from an hour ago, for ten years', () => {
    expect(server.validFrom).toBe('Nov 15 02:00:00 2026 GMT');
    expect(server.validTo).toBe('Nov 12 03:00:00 2036 GMT');
  });

  test('is new every time', () => expect(loopbackTls(NOW).ca).not.toBe(ca));

  test.skipIf(spawnSync('openssl', ['version']).status !== 0)('is taken by OpenSSL (left out without openssl)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'ca'), ca ?? '');
    writeFileSync(join(folder, 'cert'), cert);
    const said = execFileSync('openssl', [
      'verify',
      '-x509_strict',
      '-purpose',
      'sslserver',
      '-CAfile',
      join(folder, 'ca'),
      join(folder, 'cert'),
    ]);
    expect(said.toString()).toMatch(/: OK$/m);
  });
});
