import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isLoopback, messageOf, PlatformError, reachedAt, SECOND } from '../../base/index.ts';
import { certifiedName } from './certified-name.ts';

/** Where a server listens, and its timeouts. */
export interface ListenOptions {
  /** 127.0.0.1 when absent. Any other than a loopback address needs TLS: tokens would be sent unencrypted. */
  readonly host?: string;
  /** Any free one when absent. */
  readonly port?: number;
  readonly tls?: Tls;
  readonly limits?: Partial<FrontLimits>;
}

/** A certificate, followed by those that signed it, and its key; all PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
  /** What clients verify the certificate against; the certificate itself when absent. */
  readonly ca?: string;
}

/** Timeouts for clients; each has a default. */
export interface FrontLimits {
  /** For the head of a request. */
  readonly headMs: number;
  /** For all of a request. */
  readonly requestMs: number;
  /** For reading anything of an answer. */
  readonly patienceMs: number;
  /** How often the first two are checked. */
  readonly checkMs: number;
}

export const FRONT_LIMITS: FrontLimits = { headMs: 30 * SECOND, requestMs: 60 * SECOND, patienceMs: 30 * SECOND, checkMs: 5 * SECOND };

/** Longer than clients keep an idle connection, so that the server closes none in the middle of a request. */
const KEEP_ALIVE_MS = 90 * SECOND;

/** A server that listens. */
export interface Listener {
  /** The URL for clients on this machine. */
  readonly url: string;
  /** What a client needs to verify the server; absent without TLS. */
  readonly trust?: Trust;
  /** Ends all connections. */
  close(): Promise<void>;
}

export interface Trust {
  /** PEM of the certificates that the server's certificate is verified against. */
  readonly ca: string;
  /** The name that the certificate carries, when that is not the host of the url. */
  readonly serverName?: string;
}

/** Listens for requests; rejects with what is wrong with the address or the certificate. */
export async function listen(options: ListenOptions, onRequest: RequestListener): Promise<Listener> {
  const { host = '127.0.0.1', port = 0, tls } = options;
  if (!tls && !isLoopback(host)) throw listenError(`${host} is no loopback address: without TLS the token would travel in the open`);
  const server = createFront(options, onRequest);
  const called = reachedAt(host);
  const trust = tls && trustIn(tls, called);
  await listening(server, port, host);
  const address = `${called.includes(':') ? `[${called}]` : called}:${(server.address() as AddressInfo).port}`;
  return { url: `${tls ? 'https' : 'http'}://${address}`, ...(trust && { trust }), close: () => close(server) };
}

export const listenError = (why: string, cause?: unknown): PlatformError =>
  new PlatformError('Invalid', `serving the API: ${why}`, { retry: 'never', cause });

function createFront({ tls, limits }: ListenOptions, onRequest: RequestListener): Server {
  const { headMs, requestMs, checkMs } = { ...FRONT_LIMITS, ...limits };
  const times = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
  };
  if (!tls) return createServer(times, onRequest);
  try {
    return createTlsServer({ ...times, cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2' }, onRequest);
  } catch (error) {
    throw listenError(`certificate and key cannot be used together: ${messageOf(error)}`, error);
  }
}

function trustIn({ cert, ca = cert }: Tls, host: string): Trust {
  const name = certifiedName(cert, host);
  if (name === undefined) throw listenError(`the certificate is not for ${host}: it needs that, or a DNS name, in its subjectAltName`);
  return { ca, ...(name !== host && { serverName: name }) };
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
