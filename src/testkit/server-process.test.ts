import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { turn } from '../base/index.ts';
import { freePorts } from './free-ports.ts';
import { startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'sickbay-server-process-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function untilEnded(server: ServerProcess): Promise<void> {
  while (!server.ended()) await turn();
}

describe('startServer', () => {
  test('a server runs until it is killed, and is gone then', async () => {
    const server = startServer(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], join(folder, 'a.log'));
    expect(server.ended()).toBe(false);
    await server.kill();
    expect(server.ended()).toBe(true);
  });

  test('the last words of a server that ends by itself are kept', async () => {
    const server = startServer(process.execPath, ['-e', 'for (let i = 0; i < 9; i++) console.log("line", i)'], join(folder, 'b.log'));
    await untilEnded(server);
    expect(server.lastWords()).toBe('line 4\nline 5\nline 6\nline 7\nline 8');
    await server.kill();
  });

  test('a program that is not there counts as ended, and can be killed', async () => {
    const server = startServer(join(folder, 'nothing'), [], join(folder, 'c.log'));
    expect(server.name).toBe('nothing');
    expect(server.ended()).toBe(true);
    await server.kill();
  });
});

describe('freePorts', () => {
  test('all differ, and can be listened on', async () => {
    const ports = await freePorts(5);
    expect(new Set(ports).size).toBe(5);
    const servers = ports.map((port) => createServer().listen(port, '127.0.0.1'));
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  });
});
