import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A web server on a free loopback port. */
export interface HttpServer {
  readonly url: string;
  readonly arrived: Arrived[];
  /** How many connections were ever made. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a server that answers with `answer`, after it has read the request. */
export async function httpServer(answer: (request: Arrived, response: ServerResponse) => void): Promise<HttpServer> {
  const arrived: Arrived[] = [];
  let connections = 0;
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const { method = '', url = '', headers } = message;
      const request: Arrived = { method, url, headers, body: Buffer.concat(chunks).toString() };
      arrived.push(request);
      answer(request, response);
    });
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${port}`, arrived, connections: () => connections, close };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  code: number,
  body: unknown,
  headers: Readonly<Record<string, string | string[]>> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
