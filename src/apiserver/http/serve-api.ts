import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf, PlatformError, type Logger } from '../../base/index.ts';
import { ApiError } from '../../kube/client/errors.ts';
import type { ApiRequest, Transport } from '../../kube/client/transport.ts';
import { readBody } from '../../kube/http/read-body.ts';
import { tooLarge } from '../status-errors.ts';
import type { ApiGate } from '../gate.ts';
import { LineTexts } from './line-texts.ts';
import { FRONT_LIMITS, listen, listenError, type Listener, type ListenOptions } from './listen.ts';
import { tokenGate } from './token-gate.ts';
import type { Notation } from './negotiate.ts';
import { isWatchRequest, readHead, readLine, readBodyValue, type ReadHead, type RequestLine } from './read-request.ts';
import type { Status } from '../../kube/meta.ts';
import { Waiting } from './waiting.ts';
import { sendAnswer, sendText, sendWatch, type WatchSending } from './send-answer.ts';

/** How requests are authorized: by the rights that the API's own gate enforces, or by one token whose holder may do everything. */
export type ApiServerOptions = ListenOptions & { readonly log: Logger } & (
    { readonly gate: ApiGate } | { readonly api: Transport; readonly token: string }
  );

/** The size limits of kube-apiserver. */
const BODY_LIMIT = 3 * 1024 * 1024;

/** How many bytes may wait for clients that do not read, and how many of requests for clients that do not finish them. */
const WAITING_LIMIT = 64 * 1024 * 1024;

/** Serves an API over HTTP, as the mirror image of `httpTransport`; resolves once it listens. Closing it ends watches as well. */
export async function serveApi(options: ApiServerOptions): Promise<Listener> {
  if ('token' in options && options.token === '') throw listenError('an empty token would let everybody in');
  const gate = 'gate' in options ? options.gate : tokenGate(options.api, options.token);
  const front: Front = {
    gate,
    texts: new LineTexts(),
    waiting: new Waiting(WAITING_LIMIT),
    unfinished: new Waiting(WAITING_LIMIT),
    patienceMs: options.limits?.patienceMs ?? FRONT_LIMITS.patienceMs,
  };
  return listen(options, (request, response) => {
    void serve(front, request, response).catch((error: unknown) => {
      // It is unknown whether the write happened, so the client gets no answer that would claim either.
      options.log.warn('serving the API', { method: request.method, path: request.url, error: messageOf(error) });
      response.destroy();
    });
  });
}

interface Front extends WatchSending {
  readonly gate: ApiGate;
  /** Bodies that are not whole yet. */
  readonly unfinished: Waiting;
}

async function serve(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new PlatformError('Unavailable', 'the client hung up'));
  });
  try {
    const { api, apiRequest, notation } = await read(front, request, response);
    await pass(api, apiRequest, { response, notation, front, gone: gone.signal });
  } catch (error) {
    if (gone.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    sendAnswer(response, { code: error.httpCode, body: error.status }, front);
  }
}

interface Admitted {
  readonly api: Transport;
  readonly apiRequest: ApiRequest;
  readonly notation: Notation;
}

/** Throws the ApiError to answer with. The body of an unauthenticated or unauthorized request is not read. */
async function read({ gate, unfinished }: Front, request: IncomingMessage, response: ServerResponse): Promise<Admitted> {
  const user = gate.identify(request.headersDistinct);
  const line = readLine(request.method, request.url);
  const api = gate.admit(user, line);
  const head = await headOf(api, line, request);
  const body = await counted(readBody(request, BODY_LIMIT), { request, response, unfinished });
  if (body === undefined) throw tooLarge(BODY_LIMIT);
  const { request: apiRequest, notation } = head;
  const read = apiRequest.method === 'GET' ? undefined : readBodyValue(body, head.bodyNotation);
  if (!read) return { api, apiRequest, notation };
  return { api, apiRequest: { ...apiRequest, body: read.value, ...(read.repeats && { repeats: read.repeats }) }, notation };
}

/** A path that nothing serves is not found, whatever form its answer or its body would have. */
async function headOf(api: Transport, line: RequestLine, request: IncomingMessage): Promise<ReadHead> {
  try {
    return readHead(line, request.headers);
  } catch (error) {
    const { code, body } = await api.request({ method: 'GET', path: line.path, query: { limit: '1' } });
    if (code === 404 && (body as Status).details?.kind === undefined) throw new ApiError(body as Status);
    throw error;
  }
}

interface Reading {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly unfinished: Waiting;
}

/** Counts a body while it is read. */
async function counted<T>(reading: Promise<T>, { request, response, unfinished }: Reading): Promise<T> {
  let bytes = 0;
  const count = ({ length }: Buffer): void => {
    bytes += length;
    unfinished.set(response, Math.min(bytes, BODY_LIMIT));
  };
  request.on('data', count);
  try {
    return await reading;
  } finally {
    request.off('data', count);
    unfinished.delete(response);
  }
}

interface Client {
  readonly response: ServerResponse;
  readonly notation: Notation;
  readonly front: Front;
  readonly gone: AbortSignal;
}

async function pass(api: Transport, request: ApiRequest, { response, notation, front, gone }: Client): Promise<void> {
  const answer = isWatchRequest(request) ? await api.watch(request, gone) : await api.request(request, gone);
  if ('lines' in answer) return sendWatch(response, answer, front);
  if (answer.mediaType?.startsWith('text/')) return sendText(response, answer, front);
  sendAnswer(response, answer, { waiting: front.waiting, notation });
}
