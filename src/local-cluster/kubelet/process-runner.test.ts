import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { silent, SECOND } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { ContainerLogs } from './container-logs.ts';
import { createProcessRunner, type ProcessProgram, type ProcessRunner } from './process-runner.ts';

const node = process.execPath;
const clock = new ManualClock();

/** Runs a line of JavaScript for image `tool`. */
const runnerOf = (line: string): ProcessRunner =>
  createProcessRunner({ programs: { tool: program(node, '-e', line) }, env: {}, log: silent, clock });
/** A program that may be told its port, and who it is. */
const program = (...words: readonly string[]): ProcessProgram => ({ command: () => words, variables: new Set(['PORT', 'NAME']) });
const tool = { name: 'app', image: 'tool:1' };

/** A process that says that it lives by connecting to the test, and is gone when the connection is. */
async function listen(): Promise<{ port: number; connected: Promise<Socket>; close(): void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection').then(([socket]) => (socket as Socket).resume());
  return { port: (server.address() as AddressInfo).port, connected, close: () => void server.close() };
}
const CONNECT = `require('node:net').connect(Number(process.env.PORT), '127.0.0.1');`;

const ACCOUNT = { namespace: 'default', name: 'worker', pod: { name: 'run', uid: 'pod-1' } };

describe('a container run as a process', () => {
  describe('that acts in the name of its account', () => {
    const kept: string[] = [];
    const credentialsOf = ({ name }: typeof ACCOUNT) => {
      kept.push(name);
      return Promise.resolve({ env: { KUBECONFIG: `/for/${name}` }, withdraw: () => Promise.resolve(void kept.pop()) });
    };
    const programs = { tool: program(node, '-e', 'process.stdout.write(process.env.KUBECONFIG)', '--') };

    test('is told who it is, whatever its container declares, and only as long as it runs', async () => {
      const runner = createProcessRunner({ programs, env: {}, credentialsOf, log: silent, clock });
      const end = await runner.start('pod-1', { ...tool, env: [{ name: 'KUBECONFIG', value: '/for/admin' }] }, ACCOUNT);
      expect(end).toEqual({ exitCode: 0, message: '/for/worker' });
      expect(kept).toEqual([]);
    });

    test('does not run without', async () => {
      const none = () => Promise.reject(new Error('no such account'));
      const runner = createProcessRunner({ programs, env: {}, credentialsOf: none, log: silent, clock });
      expect(await runner.start('pod-1', tool, ACCOUNT)).toEqual({ exitCode: 128, message: 'no such account' });
    });

    test('that is stopped before it starts does not start', async () => {
      const runner = createProcessRunner({ programs, env: {}, credentialsOf, log: silent, clock });
      const ended = runner.start('pod-1', tool, ACCOUNT);
      runner.stop('pod-1');
      expect(await ended).toEqual({ exitCode: 137, message: 'stopped before it began' });
      expect(kept).toEqual([]);
    });
  });

  test('that went through ends with its output, without what it wrote on stderr meanwhile', async () => {
    const end = await runnerOf(`console.error('waiting'); console.log('done')`).start('pod-1', tool, ACCOUNT);
    expect(end).toEqual({ exitCode: 0, message: 'done\n' });
  });

  test('ends with its exit code and its output, both streams', async () => {
    const end = await runnerOf(`console.log('working'); console.error('no such deployment'); process.exitCode = 4`).start(
      'pod-1',
      tool,
      ACCOUNT,
    );
    expect(end.exitCode).toBe(4);
    expect(end.message.split('\n').toSorted()).toEqual(['', 'no such deployment', 'working']);
  });

  test('is written down, both streams', async () => {
    const logs = new ContainerLogs(clock);
    const programs = { tool: program(node, '-e', `console.log('working'); console.error('careful')`) };
    await createProcessRunner({ programs, env: {}, log: silent, clock, logs }).start('pod-1', tool, ACCOUNT);
    const found = logs.find({ namespace: 'n', name: 'p', uid: 'pod-1' }, 'app');
    expect(found?.lines.map(({ text }) => text).toSorted()).toEqual(['careful\n', 'working\n']);
    expect(await found?.following()[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  });

  test('keeps the last of a long output', async () => {
    const end = await runnerOf(`process.stdout.write('x'.repeat(100_000) + 'the end')`).start('pod-1', tool, ACCOUNT);
    expect(end).toMatchObject({ exitCode: 0 });
    expect(end.message).toHaveLength(4096);
    expect(end.message.endsWith('xthe end')).toBe(true);
  });

  test('that cannot be started reports why', async () => {
    const runner = createProcessRunner({ programs: { tool: program('/no/such/program') }, env: {}, log: silent, clock });
    const end = await runner.start('pod-1', tool, ACCOUNT);
    expect(end.exitCode).toBe(128);
    expect(end.message).toContain('/no/such/program');
    expect(await runner.start('pod-1', { name: 'app', image: 'other:1' }, ACCOUNT)).toMatchObject({ exitCode: 128 });
  });

  test('is told only the variables of its program, never what would make another program of it (ruling 121)', async () => {
    const asked = [
      'NAME',
      'NODE_OPTIONS',
      'LD_PRELOAD',
      'LD_LIBRARY_PATH',
      'PATH',
      'HOME',
      'NODE_EXTRA_CA_CERTS',
      'HTTPS_PROXY',
      '__proto__',
    ];
    const env = asked.map((name) => ({ name, value: name === 'NODE_OPTIONS' ? '--import=data:text/javascript,process.exit(66)' : 'x' }));
    const runner = runnerOf('process.stdout.write(Object.keys(process.env).join())');
    expect(await runner.start('pod-1', { ...tool, env }, ACCOUNT)).toEqual({ exitCode: 0, message: 'NAME' });
  });

  test('runs only what was named', () => {
    const runner = runnerOf('');
    expect(['tool', 'tool:2', 'tool@sha256:0', 'toolbox', 'constructor'].filter((image) => runner.runs(image))).toEqual([
      'tool',
      'tool:2',
      'tool@sha256:0',
    ]);
  });

  test('ends when it is aborted', async () => {
    const { port, connected, close } = await listen();
    const runner = runnerOf(`${CONNECT} setInterval(() => {}, 1000)`);
    const ended = runner.start('pod-1', { ...tool, env: [{ name: 'PORT', value: String(port) }] }, ACCOUNT);
    await connected;
    runner.stop('another');
    runner.stop('pod-1');
    expect(await ended).toMatchObject({ exitCode: 143 });
    expect(clock.waiting).toBe(0);
    close();
  });

  test('that will not end is killed', async () => {
    const { port, connected, close } = await listen();
    const runner = runnerOf(`process.on('SIGTERM', () => {}); ${CONNECT} setInterval(() => {}, 1000)`);
    const ended = runner.start('pod-1', { ...tool, env: [{ name: 'PORT', value: String(port) }] }, ACCOUNT);
    await connected;
    runner.close();
    await clock.advance(4 * SECOND);
    expect(clock.waiting).toBe(1);
    await clock.advance(SECOND);
    expect(await ended).toMatchObject({ exitCode: 137 });
    close();
  });

  test('that minds its input ends with the process that runs it, even one that is killed', async () => {
    const { port, connected, close } = await listen();
    const child = `${CONNECT} process.stdin.resume().on('end', () => process.exit(0))`;
    const parent = spawn(node, [fileURLToPath(new URL('../testing/parent.ts', import.meta.url)), child, String(port)], { stdio: 'ignore' });
    const socket = await connected;
    const gone = once(socket, 'close');
    parent.kill('SIGKILL');
    await gone;
    close();
  });
});
