import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeAwx, Incoming } from './fake-awx.ts';

/** What goes wrong with one request. */
export type AwxFault =
  /** Something else is answered, and nothing done. */
  | { readonly kind: 'answer'; readonly code: number; readonly body: string }
  /** It is done, and the connection breaks before the answer. */
  | { readonly kind: 'lost reply' }
  /** No request is ever answered. */
  | { readonly kind: 'silence' };

/** An AWX that listens on loopback. */
export interface AwxServer {
  readonly url: string;
  /** The next request that this says something about meets the fault. */
  next(fault: AwxFault): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves an AWX over real HTTP. */
export async function serveAwx(awx: FakeAwx): Promise<AwxServer> {
  const faults: AwxFault[] = [];
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => answer(awx, { request, response, body, fault: faults.shift() }),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (fault) => void faults.push(fault),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly fault: AwxFault | undefined;
}

function answer(awx: FakeAwx, { request, response, body, fault }: Exchange): void {
  if (fault?.kind === 'silence') return;
  if (fault?.kind === 'answer') return void response.writeHead(fault.code).end(fault.body);
  const { code, text } = awx.handle(incoming(request, body));
  if (fault?.kind === 'lost reply') return void response.destroy();
  response.writeHead(code, { 'content-type': 'application/json' }).end(text);
}

function incoming({ method = '', url = '', headers }: IncomingMessage, body: string): Incoming {
  const { pathname, searchParams } = new URL(url, 'http://awx');
  return {
    method: method as Incoming['method'],
    path: pathname,
    query: Object.fromEntries(searchParams),
    token: (headers.authorization ?? '').replace(/^Bearer /, ''),
    ...(body === '' ? {} : { body: JSON.parse(body) as unknown }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
