import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, type Logger } from '../base/index.ts';
import { answerHealth, type HealthChecks } from './health.ts';

export interface HealthServerOptions {
  /** Loopback when absent. A kubelet probes from outside the Pod's loopback: there it must be named. */
  readonly host?: string;
  /** Any free one when absent. */
  readonly port?: number;
  readonly checks: HealthChecks;
  /** The text behind `/metrics`, with its content type; no such page when absent. */
  readonly metrics?: { readonly contentType: string; metrics(): Promise<string> };
  readonly log: Logger;
}

export interface HealthServer {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

interface Page {
  readonly code: number;
  readonly type: string;
  readonly body: string;
}

const PLAIN = 'text/plain; charset=utf-8';

/** Serves health and metrics over HTTP; resolves once it listens. */
export function serveHealth(options: HealthServerOptions): Promise<HealthServer> {
  const host = options.host ?? '127.0.0.1';
  const server = createServer((request, response) => {
    answer(options, request.method ?? '', request.url ?? '/').then(
      (page) => send(response, page),
      (error: unknown) => {
        options.log.error('answering a probe', { error: messageOf(error) });
        send(response, { code: 500, type: PLAIN, body: 'internal server error\n' });
      },
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, () => {
      resolve({ host, port: (server.address() as AddressInfo).port, close: () => close(server) });
    });
  });
}

async function answer(options: HealthServerOptions, method: string, target: string): Promise<Page> {
  if (method !== 'GET' && method !== 'HEAD') return { code: 405, type: PLAIN, body: 'method not allowed\n' };
  const url = URL.parse(target, 'http://localhost');
  if (url === null) return { code: 400, type: PLAIN, body: 'bad request\n' };
  if (url.pathname === '/metrics' && options.metrics)
    return { code: 200, type: options.metrics.contentType, body: await options.metrics.metrics() };
  const { code, body, failures } = await answerHealth(options.checks, url);
  for (const failure of failures) options.log.warn('health check', { check: failure.name, reason: failure.reason });
  return { code, type: PLAIN, body };
}

/** For a HEAD, Node sends the same headers and leaves the body out. */
function send(response: ServerResponse, { code, type, body }: Page): void {
  response.writeHead(code, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(body);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
