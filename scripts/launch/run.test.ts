/** The launcher as a process: what goes in and what comes out. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'sickbay-launch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function launch(program: string, ...args: readonly string[]) {
  const file = join(folder, 'program.ts');
  writeFileSync(file, program);
  return spawn(process.execPath, [join(root, 'scripts/run.mjs'), relative(root, file), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

describe('run.mjs', () => {
  test('arguments, output and exit code pass through', async () => {
    const child = launch('console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 7;', 'up', '--port', '1', 'a b', '--');
    const [output, exit] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(JSON.parse(output)).toEqual(['up', '--port', '1', 'a b', '--']);
    expect(exit).toEqual([7, null]);
  });

  test('the program runs its types away, without a warning', async () => {
    const child = launch('const major: number = Number(process.versions.node.split(".")[0]);\nconsole.log(major >= 24);');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect({ output, errors }).toEqual({ output: 'true\n', errors: '' });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s goes to the program, whose own answer counts', async (signal) => {
    const child = launch(`process.on('${signal}', () => process.exit(5)); console.log('ready'); setInterval(() => {}, 1000);`);
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([5, null]);
  });

  test('a program that a signal ends is reported as a shell would', async () => {
    const child = launch(`console.log('ready'); process.kill(process.pid, 'SIGKILL');`);
    expect(await once(child, 'exit')).toEqual([137, null]);
  });

  test('without a program it says how to use it', async () => {
    const child = spawn(process.execPath, [join(root, 'scripts/run.mjs')], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [errors, exit] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(errors).toMatch(/^usage: /);
    expect(exit).toEqual([1, null]);
  });
});
