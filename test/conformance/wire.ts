import { Agent, request, type Dispatcher } from 'undici';
import { parse } from 'yaml';
import { after, systemClock } from '../../src/base/index.ts';

/** A request as it goes over the wire: nothing is checked or added, so that it can be as wrong as it likes. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  /** A text goes as it is. */
  readonly query?: Readonly<Record<string, string>> | string;
  /** The Content-Type; none is sent when absent. */
  readonly type?: string;
  readonly accept?: string;
  /** Other headers; they come before those that are usual. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface WireAnswer {
  readonly code: number;
  /** What the body says, where it is JSON or YAML; else its text. */
  readonly body: unknown;
  readonly warnings: readonly string[];
}

/** One line of a watch. */
export interface WireEvent {
  readonly type: string;
  readonly object: unknown;
}

/** A watch that runs. */
export interface WireWatch {
  readonly code: number;
  /** Everything up to the first event that `isLast` accepts; ends the watch. Throws what there was when it does not come. */
  until(isLast: (event: WireEvent) => boolean, last?: 'included'): Promise<readonly WireEvent[]>;
  stop(): void;
}

/** A server, as a client without any knowledge sees it. */
export interface Wire {
  send(request: WireRequest): Promise<WireAnswer>;
  watch(request: WireRequest): Promise<WireWatch>;
  close(): Promise<void>;
}

const PATIENCE_MS = 20_000;

/** Sends requests to a server as the user that the token belongs to. */
export function wireTo({ url, token, ca }: { readonly url: string; readonly token: string; readonly ca?: string }): Wire {
  const dispatcher = new Agent({ allowH2: false, ...(ca !== undefined && { connect: { ca } }) });
  const call = (wire: WireRequest, signal?: AbortSignal): Promise<Dispatcher.ResponseData> =>
    request(`${url}${wire.path}${queryText(wire.query)}`, {
      dispatcher,
      method: wire.method as Dispatcher.HttpMethod,
      headers: headersOf(wire, token),
      body: wire.body ?? null,
      ...(signal && { signal }),
    });
  return {
    send: async (wire) => answerOf(await call(wire)),
    watch: async (wire) => {
      const stop = new AbortController();
      const query = typeof wire.query === 'string' ? wire.query : { ...wire.query, watch: 'true' };
      return watching(await call({ ...wire, query }, stop.signal), stop);
    },
    close: () => dispatcher.destroy(),
  };
}

function queryText(query: WireRequest['query'] = ''): string {
  const text = typeof query === 'string' ? query : new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}

const headersOf = ({ type, accept, headers }: WireRequest, token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(type !== undefined && { 'content-type': type }),
  ...(accept !== undefined && { accept }),
  ...headers,
});

async function answerOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<WireAnswer> {
  const text = await body.text();
  const warnings = [headers['warning'] ?? []]
    .flat()
    .flatMap((text) => [...text.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, warning]) => warning!));
  return { code: statusCode, body: valueOf(text, String(headers['content-type'])), warnings };
}

function valueOf(text: string, type: string): unknown {
  if (type.startsWith('application/yaml')) return parse(text);
  if (!type.startsWith('application/json') || text === '') return text;
  // What a watch says is a value per line.
  return text.includes('}\n{') ? text.trim().split('\n').map(parseJson) : parseJson(text);
}

const parseJson = (text: string): unknown => JSON.parse(text) as unknown;

function watching({ statusCode, body }: Dispatcher.ResponseData, stop: AbortController): WireWatch {
  const events: WireEvent[] = [];
  const arrived = readLines(body, events);
  return {
    code: statusCode,
    until: async (isLast, last) => {
      const deadline = after(systemClock.now(), PATIENCE_MS);
      while (!events.some(isLast)) {
        if (systemClock.now() > deadline || (await arrived.next()).done)
          throw new Error(`the watch never saw its end: ${JSON.stringify(events)}`);
      }
      stop.abort();
      return events.slice(0, events.findIndex(isLast) + (last ? 1 : 0));
    },
    stop: () => stop.abort(),
  };
}

async function* readLines(body: AsyncIterable<Buffer>, events: WireEvent[]): AsyncGenerator<void> {
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    events.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WireEvent));
    yield;
  }
}
