/**
 * Runs a program of this project on any host with Node ≥ 20 and npm: installs what the lockfile names and is missing, finds Node 24, and
 * runs the program under it. With --production it installs only what Sickbay runs with, without the packages for development.
 * Usage: node scripts/run.mjs [--production] PROGRAM [ARGUMENTS…]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './launch/child.mjs';
import { chooseNode, INSTALLED_RECORD, installArguments, needsNode, toInstall } from './launch/plan.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * @param {string} message
 * @returns {never}
 */
function giveUp(message) {
  console.error(message);
  process.exit(1);
}

/** @param {string} path */
function readLockfile(path) {
  try {
    return /** @type {import('./launch/plan.mjs').Lockfile} */ (JSON.parse(readFileSync(join(root, path), 'utf8')));
  } catch {
    return undefined;
  }
}

/** npm names its own program to its children in npm_execpath; without that, the npm on PATH runs. */
function runNpm(/** @type {readonly string[]} */ args) {
  const self = process.env['npm_execpath'];
  // What npm prints goes to stderr: stdout belongs to the program.
  const stdio = /** @type {import('node:child_process').StdioOptions} */ (['ignore', 2, 2]);
  if (self?.endsWith('.js')) return spawnSync(process.execPath, [self, ...args], { cwd: root, stdio });
  return spawnSync('npm', args, { cwd: root, stdio, shell: process.platform === 'win32' });
}

/** @param {import('./launch/plan.mjs').Extent} extent */
function install(extent) {
  const wanted = readLockfile('package-lock.json') ?? giveUp('package-lock.json is missing or broken: nothing can be installed');
  const missing = toInstall(wanted, readLockfile(INSTALLED_RECORD), extent);
  if (missing === 'nothing') return;
  console.error('installing dependencies…');
  // Without the record, an install that is interrupted from here on is repeated by the next command.
  rmSync(join(root, INSTALLED_RECORD), { force: true });
  const { status } = runNpm(installArguments(missing));
  if (status !== 0) giveUp('npm ci failed; its message is above. The next command tries again.');
}

/** @returns {string} */
function findNode() {
  const choice = chooseNode(process);
  switch (choice.kind) {
    case 'host':
      return process.execPath;
    case 'none':
      return giveUp(choice.message);
    case 'package': {
      const path = join(root, choice.path);
      return existsSync(path) ? path : giveUp(needsNode(process.version, `${choice.path} was not installed`));
    }
  }
}

const isProduction = process.argv[2] === '--production';
const [program, ...args] = process.argv.slice(isProduction ? 3 : 2);
if (!program) giveUp('usage: node scripts/run.mjs [--production] PROGRAM [ARGUMENTS…]');
install(isProduction ? 'production' : 'all');
const node = findNode();
const env = { ...process.env, PATH: [dirname(node), process.env['PATH']].join(delimiter) };
try {
  process.exitCode = await runChild(node, [join(root, program), ...args], { env });
} catch (error) {
  giveUp(needsNode(process.version, `${node} does not run here (${error instanceof Error ? error.message : String(error)})`));
}
