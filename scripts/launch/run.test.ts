/** The launcher as a process: arguments, output, signals, exit code, and what it installs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

  test('a TypeScript program runs without a warning', async () => {
    const child = launch('const major: number = Number(process.versions.node.split(".")[0]);\nconsole.log(major >= 24);');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect({ output, errors }).toEqual({ output: 'true\n', errors: '' });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s is forwarded to the program, whose exit code is the result', async (signal) => {
    const child = launch(`process.on('${signal}', () => process.exit(5)); console.log('ready'); setInterval(() => {}, 1000);`);
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([5, null]);
  });

  test('a program that a signal ends exits with the code that a shell reports', async () => {
    const child = launch(`console.log('ready'); process.kill(process.pid, 'SIGKILL');`);
    expect(await once(child, 'exit')).toEqual([137, null]);
  });

  test('without a program it prints its usage', async () => {
    const child = spawn(process.execPath, [join(root, 'scripts/run.mjs')], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [errors, exit] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(errors).toMatch(/^usage: /);
    expect(exit).toEqual([1, null]);
  });
});

test('the command sickbay runs from any folder', async () => {
  const { bin, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: { sickbay: string }; version: string };
  const child = spawn(join(root, bin.sickbay), ['--version'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, exit] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect({ output, exit }).toEqual({ output: `${version}\n`, exit: [0, null] });
});

describe('a clone', () => {
  const LOCKED = { packages: { 'node_modules/a': { version: '1.0.0' }, 'node_modules/tool': { version: '1.0.0', dev: true } } };

  /** Behaves like `npm ci`: removes node_modules, installs, writes its record last; is killed before that where the file `kill` exists. */
  const NPM = `
    import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
    appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n');
    if (existsSync('kill')) {
      mkdirSync('node_modules/a', { recursive: true });
      process.kill(process.pid, 'SIGKILL');
    }
    rmSync('node_modules', { recursive: true, force: true });
    const packages = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
    if (process.argv.includes('--omit=dev')) delete packages['node_modules/tool'];
    for (const path of Object.keys(packages)) mkdirSync(path, { recursive: true });
    writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
  `;

  function aClone() {
    const clone = mkdtempSync(join(folder, 'clone-'));
    for (const path of ['scripts/run.mjs', 'scripts/launch']) cpSync(join(root, path), join(clone, path), { recursive: true });
    mkdirSync(join(clone, 'bin'));
    writeFileSync(join(clone, 'bin/npm.js'), NPM);
    writeFileSync(join(clone, 'bin/package.json'), '{ "type": "module" }');
    writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(LOCKED));
    writeFileSync(join(clone, 'program.mjs'), 'console.log("ran")');
    const has = (path: string): boolean => existsSync(join(clone, path));
    const run = async (...options: readonly string[]): Promise<string> => {
      const env = { ...process.env, npm_execpath: join(clone, 'bin/npm.js') };
      const stdio = ['ignore', 'pipe', 'ignore'] as const;
      const child = spawn(process.execPath, [join(clone, 'scripts/run.mjs'), ...options, 'program.mjs'], { env, stdio: [...stdio] });
      const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      return output.trim();
    };
    const npmRuns = (): number => (has('npm.log') ? readFileSync(join(clone, 'npm.log'), 'utf8').trim().split('\n').length : 0);
    return { clone, has, run, npmRuns };
  }

  test('is started with the packages that Sickbay runs with; the first command for developers installs the others', async () => {
    const { has, run, npmRuns } = aClone();
    expect(await run('--production')).toBe('ran');
    expect([has('node_modules/a'), has('node_modules/tool')]).toEqual([true, false]);
    expect(await run()).toBe('ran');
    expect([has('node_modules/a'), has('node_modules/tool')]).toEqual([true, true]);
    expect(await run('--production')).toBe('ran');
    expect(has('node_modules/tool')).toBe(true);
    expect(npmRuns()).toBe(2);
  });

  test.each([
    { reason: 'the first install', before: 0 },
    { reason: 'a later install', before: 1 },
  ])('in which $reason was killed is repaired by the next command', async ({ before }) => {
    const { clone, has, run, npmRuns } = aClone();
    if (before === 1) await run('--production');
    writeFileSync(join(clone, 'kill'), '');
    expect(await run()).toBe('');
    rmSync(join(clone, 'kill'));
    expect(await run('--production')).toBe('ran');
    expect(has('node_modules/a')).toBe(true);
    expect(npmRuns()).toBe(before + 2);
  });
});
