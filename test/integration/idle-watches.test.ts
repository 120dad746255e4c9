import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bearer, httpTransport, type HttpTransport } from '../../src/kube/index.ts';
import { startChild, type Child } from '../served/child.ts';

const TOKEN = 'watch-all';
const NAMESPACES = '/api/v1/namespaces';
const WANTED = 10_000;
/** What a process opens besides its connections. */
const SPARE = 500;
/** Connections that are made at the same time. */
const WAVE = 250;
const LIMIT_MS = 120_000;

/** How many watches the limit of open files lets one process have. */
function possible(): number {
  const report = process.report.getReport() as { readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } } };
  const limit = Number(report.userLimits?.open_files?.soft);
  const most = Number.isNaN(limit) ? WANTED : Math.min(WANTED, limit - SPARE);
  if (most < WANTED) process.stdout.write(`only ${most} instead of ${WANTED} watches: at most ${limit} files may be open (ulimit -n)\n`);
  return most;
}

async function started(): Promise<{ readonly child: Child; readonly transport: HttpTransport }> {
  const folder = mkdtempSync(join(tmpdir(), 'idle-watches-'));
  const child = await startChild(new URL('../served/sickbay.ts', import.meta.url), { path: join(folder, 'state.db'), token: TOKEN });
  const transport = httpTransport({ server: child.url, identity: bearer(TOKEN) });
  onTestFinished(async () => {
    await transport.close();
    await child.kill();
    rmSync(folder, { recursive: true });
  });
  return { child, transport };
}

/** A watch on a socket of its own, accepted. */
async function watch(url: string, version: string): Promise<Watching> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const head = ['host: x', `authorization: Bearer ${TOKEN}`, '', ''].join('\r\n');
  socket.write(`GET ${NAMESPACES}?watch=true&resourceVersion=${version} HTTP/1.1\r\n${head}`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const line = once(socket, 'data').then(([chunk]) => String(chunk));
  // Those that are ended before a line comes have none.
  line.catch(() => undefined);
  return { socket, line };
}

interface Watching {
  readonly socket: Socket;
  readonly line: Promise<string>;
}

async function watchMany(count: number, start: () => Promise<Watching>): Promise<readonly Watching[]> {
  const all: Watching[] = [];
  while (all.length < count) all.push(...(await Promise.all(Array.from({ length: Math.min(WAVE, count - all.length) }, start))));
  return all;
}

test('10,000 idle watches: the server answers, tells each of a change, and lets all of them go', { timeout: LIMIT_MS }, async () => {
  const count = possible();
  const { child, transport } = await started();
  const { body } = await transport.request({ method: 'GET', path: NAMESPACES });
  const { resourceVersion } = (body as { readonly metadata: { readonly resourceVersion: string } }).metadata;
  const before = await child.holds();
  const watching = await watchMany(count, () => watch(child.url, resourceVersion));
  const during = await child.holds();
  expect(during.sockets - before.sockets).toBe(count);
  const kilobytes = (during.residentBytes - before.residentBytes) / count / 1_024;
  process.stdout.write(`${count} idle watches: ${kilobytes.toFixed(1)} KiB of resident memory for each\n`);

  const created = await transport.request({ method: 'POST', path: NAMESPACES, body: { metadata: { name: 'news' } } });
  expect(created.code).toBe(201);
  const lines = await Promise.all(watching.map(({ line }) => line));
  expect(lines.filter((line) => !/"type":"ADDED".*"name":"news"/.test(line))).toEqual([]);

  for (const { socket } of watching) socket.destroy();
  await expect.poll(async () => (await child.holds()).sockets, { timeout: LIMIT_MS }).toBe(before.sockets);
  expect((await transport.request({ method: 'GET', path: NAMESPACES })).code).toBe(200);
});
