import type { AddressInfo } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { messageOf, MINUTE, SECOND, type Logger } from '../base/index.ts';
import { isForUs } from './own-host.ts';

export interface HttpServerOptions {
  /** Loopback when absent. A kubelet probes from outside the Pod's loopback: there it must be named. */
  readonly host?: string;
  /** Any free one when absent. */
  readonly port?: number;
  /** HTTP without TLS when absent. */
  readonly tls?: ServerTls;
  /** What is served: each is a Fastify plugin that adds its own routes. */
  readonly routes: readonly FastifyPluginCallback[];
  /** Answers what no route answers, and returns whether it did. */
  readonly pages?: Pages;
  readonly log: Logger;
}

/** A certificate, followed by those that signed it, and its key; both PEM. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
}

/** Pages for browsers, at every address that is not a route. */
export interface Pages {
  answer(request: FastifyRequest, reply: FastifyReply): boolean;
}

export interface HttpServer {
  readonly host: string;
  readonly port: number;
  /** Another certificate for connections from now on; those that are open stay. */
  renew(tls: ServerTls): void;
  close(): Promise<void>;
}

const TLS_LIMITS = { minVersion: 'TLSv1.2' } as const;

const FOREIGN_HOST = 'forbidden: the Host header names another server; send to localhost or 127.0.0.1\n';

export const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** On every answer: it is never guessed at and never kept. */
const COMMON_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const;

/** Serves routes over HTTP; resolves once the server listens. */
export async function startHttpServer({ host = '127.0.0.1', port = 0, ...options }: HttpServerOptions): Promise<HttpServer> {
  const app = await buildHttpServer({ host, ...options });
  await app.listen({ host, port });
  return {
    host,
    port: (app.server.address() as AddressInfo).port,
    renew(tls) {
      if (app.server instanceof TlsServer) app.server.setSecureContext({ ...tls, ...TLS_LIMITS });
    },
    async close() {
      await app.close();
    },
  };
}

/** The one Fastify instance of the process. Routes come as plugins, so a new part of the API is one more entry in `routes`. */
async function buildHttpServer({
  host,
  routes,
  pages,
  tls,
  log,
}: Pick<HttpServerOptions, 'routes' | 'pages' | 'tls' | 'log'> & { readonly host: string }): Promise<FastifyInstance> {
  // Loaded when a server starts: the other commands of the CLI need none, and loading takes some 100 ms.
  const { fastify } = await import('fastify');
  // The limits of Node's own server, which are stricter than Fastify's.
  const limits = { keepAliveTimeout: 5 * SECOND, requestTimeout: 5 * MINUTE };
  const app = fastify({
    ...limits,
    // Typed as a server without TLS: nothing here depends on which it is.
    ...((tls && { https: { ...tls, ...TLS_LIMITS } }) as object),
    forceCloseConnections: true,
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => routedPath(url),
  });
  // Bytes that are not HTTP get Node's answer: an empty 400, 408 or 431.
  app.server.removeAllListeners('clientError');
  // Each plugin reads the bodies that it wants by itself.
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(COMMON_HEADERS);
    if (urlOf(request) === null) void reply.code(400).type(PLAIN_TEXT).send('bad request\n');
    else if (!isForUs(host, request.headers.host)) void reply.code(403).type(PLAIN_TEXT).send(FOREIGN_HOST);
    else done();
  });
  app.setNotFoundHandler((request, reply) => (pages?.answer(request, reply) ? reply : notFound(request, reply)));
  app.setErrorHandler((error, request, reply) => {
    // Fastify checks headers before it answers that there is no such route.
    if (request.is404) return notFound(request, reply);
    log.error('answering a request', { method: request.method, path: request.originalUrl, error: messageOf(error) });
    return reply.code(500).type(PLAIN_TEXT).send('internal server error\n');
  });
  for (const route of routes) app.register(route);
  return app;
}

function notFound({ method }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isRead = method === 'GET' || method === 'HEAD';
  reply.type(PLAIN_TEXT);
  return isRead ? reply.code(404).send('404 page not found\n') : reply.code(405).send('method not allowed\n');
}

/** The URL that was asked for, with `.` and `..` resolved; null when it is none. */
export const urlOf = ({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): URL | null => URL.parse(originalUrl, 'http://localhost');

/** The path and query that routes are matched with. A path that cannot be decoded is matched as it is written. */
function routedPath(originalUrl: string): string {
  const url = urlOf({ originalUrl });
  if (url === null) return '/';
  return `${isDecodable(url.pathname) ? url.pathname : url.pathname.replaceAll('%', '%25')}${url.search}`;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
