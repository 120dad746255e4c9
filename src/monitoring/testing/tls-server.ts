import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aCertificate } from '../../apiserver/testing/certificate.ts';

/** An authority of its own, and a certificate for some names that it has signed. */
export interface Chain {
  /** PEM. */
  readonly authority: string;
  readonly key: string;
  readonly cert: string;
}

/** A fresh authority that signs a certificate for these names (`DNS:web.test`, `IP:127.0.0.1`), valid for so many days. */
export function aChain(names: readonly string[] = ['IP:127.0.0.1'], days = 2): Chain {
  const authority = aCertificate();
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-chain-'));
  try {
    const [caCert, caKey] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
    writeFileSync(caCert, authority.cert);
    writeFileSync(caKey, authority.key);
    const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', String(days), '-subj', '/CN=server'];
    const signed = ['-CA', caCert, '-CAkey', caKey, '-addext', `subjectAltName=${names.join(',')}`];
    const made = execFileSync('openssl', ['req', ...form, ...signed, '-keyout', '-', '-out', '-'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [key = '', cert = ''] = made.toString().split(/(?=-----BEGIN CERTIFICATE)/);
    return { authority: authority.cert, key, cert };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A server on loopback that shows a certificate. */
export interface TlsServer {
  readonly url: string;
  /** Tokens that it was shown, in order. */
  readonly shown: (string | undefined)[];
  close(): Promise<void>;
}

/** Starts one that answers with `answer`. */
export async function tlsServer(
  { key, cert }: Pick<Chain, 'key' | 'cert'>,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TlsServer> {
  const shown: (string | undefined)[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    shown.push(request.headers.authorization);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { url: `https://127.0.0.1:${port}`, shown, close };
}
