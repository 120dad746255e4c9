/** The npm package as a user has it: built, packed, installed under a prefix of its own, and started. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NODE_FLAGS } from '../launch/plan.mjs';
import { root } from '../program.ts';

/** Packages may have to come from a registry. */
const LONGEST_MS = 300_000;

const run = promisify(execFile);
const place = mkdtempSync(join(tmpdir(), 'sickbay-package-'));
const built = join(place, 'dist');
const prefix = join(place, 'prefix');
// Ends a command that hangs.
const options = {
  timeout: LONGEST_MS,
  cwd: place,
  env: {
    ...process.env,
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: place,
    TMPDIR: place,
    KUBECONFIG: '',
  },
};
const npmCache = process.env['npm_config_cache'] ?? join(process.env['HOME'] ?? place, '.npm');
const npm = (...args: readonly string[]) =>
  run('npm', [...args, '--cache', npmCache, '--no-audit', '--no-fund', '--loglevel=error'], options);
const command = (name: string, ...args: readonly string[]) => run(join(prefix, 'bin', name), args, options);

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };

describe.skipIf(process.platform === 'win32')('the package', { timeout: LONGEST_MS }, () => {
  beforeAll(async () => {
    await run(process.execPath, [...NODE_FLAGS, join(root, 'scripts/build.ts'), built], { timeout: LONGEST_MS });
    await npm('pack', built, '--pack-destination', place);
    await npm('install', '--global', '--prefix', prefix, '--prefer-offline', join(place, `sickbay-${version}.tgz`));
  }, LONGEST_MS);
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test('is JavaScript with types: Node strips none of a package', () => {
    const files = globSync('**/*.{js,ts}', { cwd: built });
    expect(files.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([]);
    expect(files).toContain('src/cli/main.js');
    expect(files).toContain('src/controllers/effectiveness/library.d.ts');
    expect(files.filter((path) => /\.test\.|\/testing\//.test(path))).toEqual([]);
  });

  test('has the console and every workflow', () => {
    const workflows = readdirSync(join(root, 'workflows')).filter((name) => existsSync(join(root, 'workflows', name, 'workflow.yaml')));
    expect(readdirSync(join(built, 'workflows'))).toEqual(expect.arrayContaining(workflows));
    expect(existsSync(join(built, 'console/dist/index.html'))).toBe(true);
  });

  test('installs what its code imports, and neither a Node nor what builds the console', () => {
    const installed = readdirSync(join(prefix, 'lib/node_modules/sickbay/node_modules'));
    expect(installed).toEqual(expect.arrayContaining(['fastify', 'undici', 'yaml']));
    expect(installed.filter((name) => /^node-|^vite$|^react|^typescript$/.test(name))).toEqual([]);
  });

  test.each(['sickbay', 'kubectl-sickbay'])('its command %s answers', async (name) => {
    expect((await command(name, 'version')).stdout).toBe(
      `sickbay ${version}\nnode    ${process.version} (${process.platform}-${process.arch})\n`,
    );
    expect(await command(name, '--help')).toMatchObject({ stdout: expect.stringMatching(/^Usage: sickbay /) as string, stderr: '' });
  });

  test('starts with a state folder, and stops', async () => {
    const { stdout, stderr } = await command('sickbay', 'up', '--state', join(place, 'state'), '--exit', '--log-level', 'warn');
    expect(stdout).toMatch(/^sickbay .*\n(.*\n)* {2}api .*\n(.*\n)*Stopped\.\n$/);
    expect(stderr).toBe('');
    expect(readdirSync(join(place, 'state'))).toEqual(expect.arrayContaining(['audit.db', 'objects.db']));
  });

  test('runs a workflow under the permission model, with its packages beside it too', async () => {
    const other = join(place, 'project/node_modules');
    mkdirSync(other, { recursive: true });
    cpSync(built, join(other, 'sickbay'), { recursive: true });
    cpSync(join(prefix, 'lib/node_modules/sickbay/node_modules'), other, { recursive: true });
    const program = `
      const { workflowProgram } = await import('${join(other, 'sickbay/src/cli/process/workflow-program.js')}');
      const { command } = await workflowProgram({ namespace: 'system', executionNamespace: 'runs' });
      console.log(JSON.stringify(command(undefined)));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], options);
    const [node = '', ...args] = JSON.parse(stdout) as readonly string[];
    const help = await run(node, [...args, 'rollback-deployment', '--help'], options);
    expect(help).toMatchObject({ stdout: expect.stringContaining('TARGET_RESOURCE_NAME') as string, stderr: '' });
  });
});
