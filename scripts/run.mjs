/**
 * Runs one of our programs on any host with Node ≥ 20 and npm: installs what the lockfile names when that has not been
 * done, finds Node 24, and hands over. Usage: node scripts/run.mjs PROGRAM [ARGUMENTS…]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './launch/child.mjs';
import { chooseNode, isInstalled, needsNode } from './launch/plan.mjs';

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

/** npm tells its children where it lives; without it we rely on PATH. */
function runNpm(/** @type {readonly string[]} */ args) {
  const self = process.env['npm_execpath'];
  // What npm prints goes to stderr: stdout belongs to the program.
  const stdio = /** @type {import('node:child_process').StdioOptions} */ (['ignore', 2, 2]);
  if (self?.endsWith('.js')) return spawnSync(process.execPath, [self, ...args], { cwd: root, stdio });
  return spawnSync('npm', args, { cwd: root, stdio, shell: process.platform === 'win32' });
}

function install() {
  const wanted = readLockfile('package-lock.json') ?? giveUp('package-lock.json is missing or broken: nothing can be installed');
  if (isInstalled(wanted, readLockfile('node_modules/.package-lock.json'))) return;
  console.error('installing dependencies…');
  const { status } = runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (status !== 0) giveUp('npm ci did not succeed; its message is above');
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

const [program, ...args] = process.argv.slice(2);
if (!program) giveUp('usage: node scripts/run.mjs PROGRAM [ARGUMENTS…]');
install();
const node = findNode();
const env = { ...process.env, PATH: [dirname(node), process.env['PATH']].join(delimiter) };
try {
  process.exitCode = await runChild(node, [join(root, program), ...args], { env });
} catch (error) {
  giveUp(needsNode(process.version, `${node} does not run here (${error instanceof Error ? error.message : String(error)})`));
}
