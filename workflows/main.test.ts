import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { kubeconfigText } from '../src/apiserver/http/index.ts';
import { MINUTE } from '../src/base/index.ts';

/** Starting a program takes its time on a machine that is busy. */
const patiently = { timeout: MINUTE, concurrent: true };

/** What is to be stopped and cleared away in the end. */
const leftovers: (() => unknown)[] = [];
afterAll(() => Promise.all(leftovers.map((clear) => clear())));

const MAIN = join(import.meta.dirname, 'main.ts');
/** No server listens there. */
const NOWHERE = { KUBERNETES_SERVICE_HOST: '', KUBECONFIG: '/nowhere/config' };

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...NOWHERE, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) child[stream].on('data', (data) => (said[stream] += String(data)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

test('--help describes the program and its arguments', patiently, async () => {
  expect(await run(['--help'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^usage: /) as string, stderr: '' });
});

test('an unknown workflow ends with 2', patiently, async () => {
  expect(await run(['nope'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/there are: .*rollback-deployment/) as string,
  });
});

test('what cannot be done ends with 1 and one line', patiently, async () => {
  const { code, stdout, stderr } = await run(['rollback-deployment']);
  expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, stdout: '', lines: 1 });
  expect(stderr).toContain('/nowhere/config');
});

/** The kubeconfig of a server that takes connections and never answers. */
async function deafServer(): Promise<{ server: Server; kubeconfig: string }> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-workflow-'));
  leftovers.push(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(folder, 'config'), kubeconfigText({ server: `http://127.0.0.1:${port}`, token: 't' }));
  return { server, kubeconfig: join(folder, 'config') };
}

test('an invalid parameter ends with 2, without a request to the server', patiently, async () => {
  const { kubeconfig } = await deafServer();
  expect(await run(['rollback-deployment'], { KUBECONFIG: kubeconfig, TARGET_RESOURCE_KIND: 'Pod' })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'TARGET_RESOURCE_KIND is "Pod"; it must be Deployment\n',
  });
});

test('a run ends when what started it goes away', patiently, async () => {
  const { server, kubeconfig } = await deafServer();
  const told = { TARGET_RESOURCE_KIND: 'Deployment', TARGET_RESOURCE_NAME: 'a', TARGET_RESOURCE_NAMESPACE: 'b', REVISION: '1' };
  const env = { ...told, KUBECONFIG: kubeconfig, SICKBAY_DIE_WITH_PARENT: '1' };
  const child = spawn(process.execPath, [MAIN, 'rollback-deployment'], { env, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  await once(server, 'connection');
  child.stdin.end();
  expect(await ended).toEqual([1, null]);
});
