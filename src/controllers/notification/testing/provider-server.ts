import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { turn } from '../../../base/index.ts';

/** One request as a provider got it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a provider answers; 'nothing' keeps the connection open, 'broken' resets it. */
export type ProvidersReply =
  { readonly code: number; readonly headers?: Readonly<Record<string, string>>; readonly text?: string } | 'nothing' | 'broken';

/** A provider on loopback: it notes what it gets, and answers as its documentation says, or as a test wants it to. */
export class ProviderServer {
  readonly received: ReceivedRequest[] = [];
  readonly #server: Server;
  #reply: (request: ReceivedRequest, count: number) => ProvidersReply;

  private constructor(reply: (request: ReceivedRequest, count: number) => ProvidersReply) {
    this.#reply = reply;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        const received = { method, path, headers, body: Buffer.concat(chunks).toString() };
        this.received.push(received);
        const answer = this.#reply(received, this.received.length);
        if (answer === 'broken') request.socket.destroy();
        else if (answer !== 'nothing') response.writeHead(answer.code, answer.headers).end(answer.text ?? '');
      });
    });
  }

  static async start(reply: (request: ReceivedRequest, count: number) => ProvidersReply): Promise<ProviderServer> {
    const provider = new ProviderServer(reply);
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  /** Resolves when so many requests have arrived. */
  async got(count: number): Promise<void> {
    while (this.received.length < count) await turn();
  }

  /** What the requests contain, read as JSON. */
  bodies(): readonly Record<string, unknown>[] {
    return this.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
