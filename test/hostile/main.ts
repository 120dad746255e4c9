/**
 * Writes, patches, watches and bodies of a hostile user against `serveApi` on a state file, for the seconds of the first argument (60 when absent). Prints the memory
 * of this process and the slowest answer of /healthz, restarts on the file, and fails when what was acknowledged is missing. `npm run hostile-writes -- 600`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryApi, memoryStorage, openSqliteStorage, serveApi, type MemoryApi } from '../../src/apiserver/index.ts';
import { after, SECOND, silent, steadyClock, systemClock, systemRandom } from '../../src/base/index.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MIB = 1024 * 1024;
const seconds = Number(process.argv[2] ?? 60);
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const path = join(folder, 'objects.db');
const token = systemRandom.uuid();
const open = async (): Promise<MemoryApi> =>
  createMemoryApi({ clock: systemClock, random: systemRandom, storage: (await openSqliteStorage({ path })) ?? memoryStorage() });
const pause = (ms: number): Promise<void> => steadyClock.waitUntil(after(steadyClock.now(), ms), new AbortController().signal);

const api = await open();
await api.ready;
const server = await serveApi({ api, token, log: silent });
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const end = after(steadyClock.now(), seconds * SECOND);
const isOver = (): boolean => steadyClock.now() >= end;
const acknowledged = new Map<string, string>();
const codes = new Map<number, number>();
const worst = { rss: 0, healthMs: 0, unanswered: 0 };

async function call(method: string, at: string, body?: unknown, type = headers['content-type']): Promise<number> {
  try {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(server.url + at, { method, headers: { ...headers, 'content-type': type }, ...sent });
    await answer.arrayBuffer();
    codes.set(answer.status, (codes.get(answer.status) ?? 0) + 1);
    return answer.status;
  } catch {
    worst.unanswered++;
    return 0;
  }
}

async function largeWrites(): Promise<void> {
  for (let i = 0; !isOver(); i++) {
    const name = `large-${i % 50}`;
    const mark = String(i);
    const code = await call('PUT', `${MAPS}/${name}`, { metadata: { name }, data: { mark, a: 'x'.repeat(1_000_000) } });
    if (code === 404) await call('POST', MAPS, { metadata: { name }, data: { mark, a: 'x' } });
    else if (code === 200) acknowledged.set(name, mark);
  }
}

async function smallWrites(): Promise<void> {
  for (let i = 0; !isOver(); i++)
    if ((await call('POST', MAPS, { metadata: { name: `small-${i}` }, data: { mark: 'm' } })) === 201) acknowledged.set(`small-${i}`, 'm');
}

async function patches(): Promise<void> {
  await call('POST', MAPS, { metadata: { name: 'grown' }, data: { a: '€'.repeat(300_000) } });
  const copies = Array.from({ length: 420 }, (_, i) => ({ op: 'copy', from: '/data/a', path: `/data/c${i}` }));
  while (!isOver()) {
    await call('PATCH', `${MAPS}/grown`, copies, 'application/json-patch+json');
    await pause(20);
  }
}

/** Clients that ask for a list, or a watch, and read nothing; each is dropped by its own end only when the server has not done so. */
async function deafClients(): Promise<void> {
  const { hostname: host, port } = new URL(server.url);
  for (let i = 0; !isOver(); i++) {
    const socket = connect({ host, port: Number(port) });
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`GET ${MAPS}${i % 2 ? '?watch=true' : ''} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
    await pause(50);
  }
}

async function deepBodies(): Promise<void> {
  while (!isOver()) {
    const body = '['.repeat(100_000);
    await fetch(server.url + MAPS, { method: 'POST', headers, body }).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    );
    await pause(100);
  }
}

async function health(): Promise<void> {
  while (!isOver()) {
    const from = steadyClock.now();
    await call('GET', '/healthz');
    worst.healthMs = Math.max(worst.healthMs, steadyClock.now() - from);
    worst.rss = Math.max(worst.rss, process.memoryUsage().rss);
    await pause(100);
  }
}

await Promise.all([largeWrites(), largeWrites(), smallWrites(), patches(), deafClients(), deepBodies(), health()]);
await server.close();
api.close();
await pause(2 * SECOND);
const again = await open();
/** How many acknowledged writes a server does not know any more. */
async function lostIn(there: MemoryApi): Promise<number> {
  const missing = await Promise.all(
    [...acknowledged].map(async ([name, mark]) => {
      const { body } = await there.request({ method: 'GET', path: `${MAPS}/${name}` });
      const found = (body as { readonly data?: { readonly mark?: string } }).data?.mark;
      // A later write may have been stored without an answer; an older one may not.
      return found === undefined || Number(found) < Number(mark);
    }),
  );
  return missing.filter(Boolean).length;
}

const lost = await lostIn(again);
process.stdout.write(`${seconds} s: answers ${JSON.stringify(Object.fromEntries(codes))}, no answer ${worst.unanswered}\n`);
process.stdout.write(
  `most memory ${Math.round(worst.rss / MIB)} MiB, slowest /healthz ${Math.round(worst.healthMs)} ms, acknowledged ${acknowledged.size}, lost ${lost}\n`,
);
again.close();
rmSync(folder, { recursive: true, force: true });
process.exit(lost === 0 ? 0 : 1);
