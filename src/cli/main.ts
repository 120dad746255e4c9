/** The `sickbay` command. */
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { messageOf, SECOND, steadyClock, systemClock } from '../base/index.ts';
import { DEFAULT_SETTINGS, type Settings } from '../controllers/settings.ts';
import { createLogger } from '../runtime/index.ts';
import { demo } from './demo/demo.ts';
import { postSignal } from './post-signal.ts';
import { run } from './run.ts';
import { SIGNALS_PATH, type Running } from './serve.ts';
import { up } from './up.ts';

/** In the demo nobody wants to wait for minutes before anything is judged. */
const DEMO_SETTINGS: Settings = { ...DEFAULT_SETTINGS, stabilizationMs: 5 * SECOND };

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
type Level = (typeof LEVELS)[number];

interface CommonFlags {
  readonly port: number;
  readonly logLevel?: Level;
}
interface UpFlags extends CommonFlags {
  readonly state?: string;
  readonly demo?: true;
  readonly exit?: true;
}
interface RunFlags extends CommonFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly install?: true;
  readonly workflowImage?: string;
  readonly lease?: number;
  readonly stabilization?: number;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Logs go to standard error: standard output belongs to what was asked for. */
const logAt = (level: Level) =>
  createLogger({ clock: systemClock, level, destination: { write: (line: string) => void process.stderr.write(line) } });

function program(stop: AbortSignal): Command {
  const sickbay = new Command('sickbay')
    .description('Self-healing for Kubernetes: from an alert to a verified fix.')
    .version(version(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this text')
    .configureHelp({ showGlobalOptions: true });
  common(sickbay.command('up', { isDefault: true }))
    .description('run everything in this process: an API server in memory, a small local cluster, and Sickbay (default)')
    .option('--state <dir>', 'folder for the kubeconfig; objects are kept in memory')
    .option('--demo', 'break a Deployment, raise an alert, and show how it is healed')
    .option('--exit', 'stop when everything is up, or when the demo is over')
    .action((flags: UpFlags) => runUp(flags, stop));
  common(sickbay.command('run'))
    .description('run Sickbay on a real cluster')
    .option('--kubeconfig <file>', 'kubeconfig; $KUBECONFIG, ~/.kube/config or the Pod’s own identity when absent')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--install', 'put CRDs, namespaces and the workflow catalogue in place first')
    .option('--workflow-image <image>', 'image that holds the workflows; with --install')
    .option('--lease <seconds>', 'how long the leader’s lease lasts', seconds)
    .option('--stabilization <seconds>', 'how long to wait after a run before it is judged', seconds)
    .action((flags: RunFlags) => runRun(flags, stop));
  return sickbay;
}

const common = (command: Command): Command =>
  command
    .option('--port <number>', 'port for alerts, health and metrics on loopback; 0 takes any free one', port, 0)
    .addOption(new Option('--log-level <level>', 'what is logged to standard error').choices(LEVELS));

async function runUp(flags: UpFlags, stop: AbortSignal): Promise<void> {
  const settings = flags.demo ? DEMO_SETTINGS : DEFAULT_SETTINGS;
  const log = logAt(flags.logLevel ?? (flags.demo ? 'error' : 'info'));
  print(`sickbay ${version()}`);
  const running = await up({ settings, port: flags.port, log, ...(flags.state === undefined ? {} : { state: flags.state }) });
  print(`  api      ${running.apiUrl} (kubeconfig: ${running.kubeconfig})`);
  tellWhere(running);
  print(flags.demo ? '' : 'Ready: objects are kept in memory. Stop with Ctrl-C; --demo shows the whole loop.');
  await untilOver(running, stop, async () => {
    if (flags.demo) process.exitCode = (await showDemo(running, settings, stop)) ? 0 : 1;
    return flags.exit === true;
  });
}

async function runRun(flags: RunFlags, stop: AbortSignal): Promise<void> {
  const { stabilization, lease, install, logLevel, ...rest } = flags;
  const settings = stabilization === undefined ? DEFAULT_SETTINGS : { ...DEFAULT_SETTINGS, stabilizationMs: stabilization * SECOND };
  const log = logAt(logLevel ?? 'info');
  const running = await run({ ...rest, settings, log, install: install === true, ...(lease === undefined ? {} : { leaseSeconds: lease }) });
  print(`sickbay ${version()}`);
  tellWhere(running);
  print('Ready.');
  await untilOver(running, stop, () => Promise.resolve(false));
}

function tellWhere({ url }: Running): void {
  print(`  alerts   ${url}${SIGNALS_PATH}`);
  print(`  health   ${url}/readyz?verbose`);
  print(`  metrics  ${url}/metrics`);
}

const showDemo = ({ client, url }: Running, settings: Settings, signal: AbortSignal): Promise<boolean> =>
  demo({
    client,
    clock: systemClock,
    steady: steadyClock,
    namespace: settings.namespace,
    post: (webhook) => postSignal(`${url}${SIGNALS_PATH}`, webhook),
    print,
    signal,
  });

/** Does what was asked for, then stays until it is told to stop, unless that was all. */
async function untilOver(running: Running, stop: AbortSignal, work: () => Promise<boolean>): Promise<void> {
  try {
    if (await work()) return;
    const told = new Promise<void>((resolve) => {
      if (stop.aborted) resolve();
      stop.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([told, running.ended]);
  } finally {
    await running.close();
    print('Stopped.');
  }
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  return manifest.version;
}

function port(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('It takes a number from 0 to 65535.');
  return Number(text);
}

function seconds(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) === 0) throw new InvalidArgumentError('It takes a whole number of seconds above 0.');
  return Number(text);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error(signal)));
program(stop.signal)
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`sickbay: ${messageOf(error)}\n`);
    process.exitCode = 1;
  });
