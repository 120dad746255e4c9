import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, type Logger } from '../../base/index.ts';
import { answerHealth, type HealthChecks } from './health.ts';
import { readBody } from '../../kube/http/read-body.ts';

export interface HealthServerOptions {
  /** Loopback when absent. A kubelet probes from outside the Pod's loopback: there it must be named. */
  readonly host?: string;
  /** Any free one when absent. */
  readonly port?: number;
  readonly checks: HealthChecks;
  /** The text behind `/metrics`, with its content type; no such page when absent. */
  readonly metrics?: { readonly contentType: string; metrics(): Promise<string> };
  /** What else the listener serves. */
  readonly routes?: readonly Route[];
  readonly log: Logger;
}

export interface HealthServer {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Pages of others on the same listener. */
export interface Route {
  /** All paths that begin so are its own, whatever the method. */
  readonly prefix: string;
  handle(request: RouteRequest): Promise<Page>;
}

export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | undefined;
  /** The whole body; undefined when it is larger than that. */
  read(limitBytes: number): Promise<Buffer | undefined>;
}

/** An answer. */
export interface Page {
  readonly code: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const PLAIN = 'text/plain; charset=utf-8';

/** Serves health, metrics and the routes that are handed in over HTTP; resolves once it listens. */
export function serveHealth(options: HealthServerOptions): Promise<HealthServer> {
  const host = options.host ?? '127.0.0.1';
  const server = createServer((request, response) => {
    answer(options, request).then(
      (page) => send(response, page),
      (error: unknown) => {
        options.log.error('answering a request', { method: request.method, path: request.url, error: messageOf(error) });
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

async function answer(options: HealthServerOptions, request: IncomingMessage): Promise<Page> {
  const url = URL.parse(request.url ?? '/', 'http://localhost');
  if (url === null) return { code: 400, type: PLAIN, body: 'bad request\n' };
  const route = options.routes?.find(({ prefix }) => url.pathname.startsWith(prefix));
  return route ? route.handle(routeRequest(request, url.pathname)) : answerProbe(options, request.method ?? '', url);
}

async function answerProbe(options: HealthServerOptions, method: string, url: URL): Promise<Page> {
  if (method !== 'GET' && method !== 'HEAD') return { code: 405, type: PLAIN, body: 'method not allowed\n' };
  if (url.pathname === '/metrics' && options.metrics)
    return { code: 200, type: options.metrics.contentType, body: await options.metrics.metrics() };
  const { code, body, failures } = await answerHealth(options.checks, url);
  for (const failure of failures) options.log.warn('health check', { check: failure.name, reason: failure.reason });
  return { code, type: PLAIN, body };
}

const routeRequest = (request: IncomingMessage, path: string): RouteRequest => ({
  method: request.method ?? '',
  path,
  contentType: request.headers['content-type'],
  read: (limitBytes) => readBody(request, limitBytes),
});

/** For a HEAD, Node sends the same headers and leaves the body out. */
function send(response: ServerResponse, { code, type, body, headers }: Page): void {
  response.writeHead(code, {
    ...headers,
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
