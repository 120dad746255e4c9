import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv4, type AddressInfo } from 'node:net';
import { messageOf, PlatformError, SECOND, type Logger } from '../../base/index.ts';
import { ApiError } from '../../kube/errors.ts';
import type { ApiRequest, Transport } from '../../kube/transport.ts';
import { readBody } from '../../runtime/read-body.ts';
import { tooLarge } from '../status-errors.ts';
import type { Gate } from '../gate.ts';
import { LineTexts } from './line-texts.ts';
import { tokenGate } from './token-gate.ts';
import type { Notation } from './negotiate.ts';
import { asksToWatch, readHead, readValue } from './read-request.ts';
import { sendAnswer, sendText, sendWatch } from './send-answer.ts';

/** Who may come in: either all who have rights that the API's own gate enforces, or all who know one token, who may then do everything. */
export type ApiServerOptions = ListenOptions & ({ readonly gate: Gate } | { readonly api: Transport; readonly token: string });

export interface ListenOptions {
  /** A loopback address: there is no TLS, and the token would travel in the open. 127.0.0.1 when absent. */
  readonly host?: string;
  /** Any free one when absent. */
  readonly port?: number;
  readonly log: Logger;
}

export interface ApiServer {
  readonly url: string;
  /** Ends all connections, watches among them. */
  close(): Promise<void>;
}

/** As kube-apiserver limits what may be sent to it. */
const BODY_LIMIT = 3 * 1024 * 1024;
/** Longer than clients keep a connection without using it, so that none is closed under a request. */
const KEEP_ALIVE_MS = 90 * SECOND;

/** Serves an API over HTTP, as the mirror image of `httpTransport`; resolves once it listens. */
export function serveApi(options: ApiServerOptions): Promise<ApiServer> {
  const host = options.host ?? '127.0.0.1';
  if (!isLoopback(host)) return Promise.reject(refused(`${host} is no loopback address: without TLS the token would travel in the open`));
  if ('token' in options && options.token === '') return Promise.reject(refused('an empty token would let everybody in'));
  const gate = 'gate' in options ? options.gate : tokenGate(options.api, options.token);
  const texts = new LineTexts();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void serve({ gate, texts }, request, response).catch((error: unknown) => {
      // Nobody knows what became of the request, so the client must not be told anything either.
      options.log.warn('serving the API', { method: request.method, path: request.url, error: messageOf(error) });
      response.destroy();
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, () => {
      const { port } = server.address() as AddressInfo;
      resolve({ url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, close: () => close(server) });
    });
  });
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

const refused = (why: string): PlatformError => new PlatformError('Invalid', `serving the API: ${why}`, { retry: 'never' });

interface Front {
  readonly gate: Gate;
  readonly texts: LineTexts;
}

async function serve({ gate, texts }: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new PlatformError('Unavailable', 'the client hung up'));
  });
  try {
    const { api, asked, notation } = await read(gate, request);
    await pass(api, asked, { response, notation, texts, gone: gone.signal });
  } catch (error) {
    if (gone.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    sendAnswer(response, { code: error.httpCode, body: error.status });
  }
}

interface Admitted {
  readonly api: Transport;
  readonly asked: ApiRequest;
  readonly notation: Notation;
}

/** Throws the ApiError to answer with. Who is not known, or has no right, is not even listened to. */
async function read(gate: Gate, request: IncomingMessage): Promise<Admitted> {
  const user = gate.identify(request.headersDistinct);
  const head = readHead({ method: request.method ?? '', target: request.url ?? '/', headers: request.headers });
  const api = gate.admit(user, head.request);
  const body = await readBody(request, BODY_LIMIT);
  if (body === undefined) throw tooLarge(BODY_LIMIT);
  const { request: asked, notation } = head;
  const read = asked.method === 'GET' ? undefined : readValue(body, head.bodyNotation);
  if (!read) return { api, asked, notation };
  return { api, asked: { ...asked, body: read.value, ...(read.repeats && { repeats: read.repeats }) }, notation };
}

interface Client {
  readonly response: ServerResponse;
  readonly notation: Notation;
  readonly texts: LineTexts;
  readonly gone: AbortSignal;
}

async function pass(api: Transport, request: ApiRequest, { response, notation, texts, gone }: Client): Promise<void> {
  const answer = asksToWatch(request) ? await api.watch(request, gone) : await api.request(request, gone);
  if ('lines' in answer) return sendWatch(response, answer, texts);
  if (answer.mediaType?.startsWith('text/')) return sendText(response, answer);
  sendAnswer(response, answer, notation);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
