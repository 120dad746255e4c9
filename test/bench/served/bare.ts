/**
 * The least that a served write can be: HTTP, parse, set the version, row and event row in SQLite, committed once per turn of
 * the event loop, echo. No schema, no rights, no concurrency control, no watches. The denominator of what our server does.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SqlitePath } from '../bare-path.ts';
import { serveChild } from '../../served/serve-child.ts';

interface Waiting {
  readonly key: string;
  readonly body: string;
  readonly response: ServerResponse;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Commits all that arrived in one turn together. */
function committer(path: SqlitePath): (write: Waiting) => void {
  let waiting: Waiting[] = [];
  const commit = (): void => {
    const batch = waiting;
    waiting = [];
    path.commit(batch);
    for (const { response, body } of batch) response.writeHead(201, { 'content-type': 'application/json' }).end(body);
  };
  return (write) => {
    if (waiting.push(write) === 1) setImmediate(commit);
  };
}

serveChild(({ synchronous, folder }: { readonly synchronous: 'FULL' | 'NORMAL'; readonly folder: string }) => {
  const write = committer(new SqlitePath(synchronous, folder));
  let version = 0;
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const object = JSON.parse(text) as { metadata: Record<string, unknown> };
      object.metadata['resourceVersion'] = String(++version);
      write({ key: String(object.metadata['name']), body: JSON.stringify(object), response });
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
  });
});
