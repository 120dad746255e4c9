import type { ServerResponse } from 'node:http';
import { stringify } from 'yaml';
import type { ApiResponse, WatchLine, WatchStream } from '../../kube/client/transport.ts';
import type { LineTexts } from './line-texts.ts';
import type { Notation } from './negotiate.ts';
import type { Waiting } from './waiting.ts';

const UNCACHED = 'no-cache, private';

/** Sends one answer with its headers. */
export function sendAnswer(response: ServerResponse, answer: ApiResponse, { waiting, notation = 'json' }: AnswerSending): void {
  const { code, body, warnings = [], retryAfterSeconds, mediaType = `application/${notation}` } = answer;
  const text = notation === 'yaml' ? stringify(body, { aliasDuplicateObjects: false }) : JSON.stringify(body);
  if (warnings.length > 0) response.setHeader('warning', warnings.map(warningHeader));
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  response.writeHead(code, { 'content-type': mediaType, 'cache-control': UNCACHED, 'content-length': Buffer.byteLength(text) });
  // With a text, Node writes headers and body in one go, but the headers in the encoding of the text; those of warnings are bytes.
  response.end(warnings.length > 0 ? Buffer.from(text) : text);
  if (response.writableFinished || response.writableLength < WORTH_COUNTING) return;
  waiting.set(response, response.writableLength);
  response.once('close', () => waiting.delete(response));
}

/** How answers are sent. */
export interface AnswerSending {
  /** What waits for clients that do not read. */
  readonly waiting: Waiting;
  readonly notation?: Notation;
}

/** Smaller answers do not add up to much before their clients' time is over. */
const WORTH_COUNTING = 16 * 1024;

/** Sends a text, whole or as a stream; resolves when the stream or the client ends it. */
export async function sendText(
  response: ServerResponse,
  { code, body, mediaType = 'text/plain' }: ApiResponse,
  sending: WatchSending,
): Promise<void> {
  response.writeHead(code, { 'content-type': mediaType, 'cache-control': UNCACHED });
  if (typeof body === 'string') return void response.end(body);
  response.flushHeaders();
  const texts = (body as AsyncIterable<string>)[Symbol.asyncIterator]();
  response.once('close', () => void texts.return?.());
  for (let next = await texts.next(); !next.done && !response.closed; next = await texts.next()) {
    if (!response.write(next.value)) await writable(response, sending);
  }
  response.end();
}

/** How watches are sent. */
export interface WatchSending {
  readonly texts: LineTexts;
  readonly waiting: Waiting;
  /** How long a client may read nothing while data waits for it. */
  readonly patienceMs: number;
}

/**
 * Sends a watch line by line, no faster than the client reads; resolves when the watch or the client ends it. Lines become text only when the
 * client can receive them, so a client that does not read costs no more than its queue.
 */
export async function sendWatch(response: ServerResponse, { lines }: WatchStream, sending: WatchSending): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': UNCACHED });
  // The headers of a watch without events are sent at once too, so that the client knows that it was accepted.
  response.flushHeaders();
  for await (const batch of lines) {
    for (const text of portions(batch, sending.texts)) {
      if (response.destroyed) return;
      if (!response.write(text)) await writable(response, sending);
    }
  }
  response.end();
}

/** How much text is written at once. */
const PORTION = 256 * 1024;

function* portions(batch: readonly WatchLine[], texts: LineTexts): Iterable<string> {
  let text = '';
  for (const line of batch) {
    text += texts.of(line);
    if (text.length < PORTION) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** Resolves once there is room again, or the client is gone; a client that reads nothing for too long counts as gone. */
function writable(response: ServerResponse, { waiting, patienceMs }: WatchSending): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) return resolve();
    const giveUp = (): void => void response.destroy();
    const { socket } = response;
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      socket?.setTimeout(0).off('timeout', giveUp);
      waiting.delete(response);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
    socket?.setTimeout(patienceMs).on('timeout', giveUp);
    waiting.set(response, response.writableLength);
  });
}

/** Headers are bytes on one line: text is sent as UTF-8, and characters that would break the line or the quotes are replaced. */
function warningHeader(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not get into a header
  const quoted = text.replaceAll(/[\x00-\x1f\x7f]/g, ' ').replaceAll(/["\\]/g, String.raw`\$&`);
  return `299 - "${Buffer.from(quoted).toString('latin1')}"`;
}
