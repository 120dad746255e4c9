import { execFileSync, spawnSync } from 'node:child_process';
import type { Tls } from '../http/listen.ts';

/** Node cannot make certificates. */
export const canCertify = spawnSync('openssl', ['version']).status === 0;

/** A new self-signed certificate for these names (`DNS:web.test`, `IP:127.0.0.1`); without any when there are none. */
export function aCertificate(...names: readonly string[]): Tls {
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=test'];
  const named = names.length === 0 ? [] : ['-addext', `subjectAltName=${names.join(',')}`];
  const made = execFileSync('openssl', ['req', ...form, ...named, '-keyout', '-', '-out', '-'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [key = '', cert = ''] = made.toString().split(/(?=-----BEGIN CERTIFICATE)/);
  return { key, cert };
}
