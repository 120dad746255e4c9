/** The `sickbay` command: parses its arguments, runs the command, and ends with an exit code. */
import { readFileSync } from 'node:fs';
import { clearedText, decidedText, explainedText, explainRequest, overriddenText } from '../actions/index.ts';
import { given, messageOf, PlatformError, printable, silent, steadyClock, systemClock, systemRandom, toTime } from '../base/index.ts';
import { configSample } from '../config/index.ts';
import type { Settings } from '../controllers/settings.ts';
import { createClient, httpTransport } from '../kube/index.ts';
import { createLogger } from '../runtime/index.ts';
import { checkConfig, type CheckFlags } from './commands/check-config.ts';
import { apiPlace } from './process/listen-address.ts';
import { auditAdopt } from './commands/audit-adopt.ts';
import { auditCheckpoint, auditExport, auditShow } from './commands/audit-show.ts';
import { auditVerify } from './commands/audit-verify.ts';
import { clearAs } from './commands/clear-command.ts';
import { overrideAs } from './commands/override-command.ts';
import { decideAs } from './commands/decide-with-kubeconfig.ts';
import type { DecideFlags } from './commands/decide-commands.ts';
import { breakText, healText } from './commands/break-with-kubeconfig.ts';
import type { DiagnoseFlags } from './commands/diagnose-command.ts';
import { diagnoseAs, diagnosisExitCode } from './commands/diagnose-with-kubeconfig.ts';
import { demo, demoFault } from './demo/demo.ts';
import { PERSON } from './demo/person.ts';
import type { ExplainFlags } from './commands/explain-command.ts';
import { auditFilesOf, trailOf } from './process/audit-files.ts';
import { Interruption, interruptions } from './process/interruption.ts';
import { noteLocalRun } from './process/local-run-file.ts';
import type { Fault } from './shop/fault.ts';
import { findFault } from './shop/faults.ts';
import { welcomeLines } from './shop/welcome.ts';
import { notificationsRoute } from './commands/notifications-route.ts';
import { postSignal } from './process/post-signal.ts';
import { createProgram, type Level, type RunFlags, type UpFlags } from './program.ts';
import { readyConsole } from './process/ready-console.ts';
import { run } from './process/run.ts';
import { SIGNALS_PATH, type Running } from './process/serve.ts';
import { demoProblem } from './process/served-at.ts';
import { settingsFor } from './process/settings-for.ts';
import { diagnosedText } from './rehearsal/diagnosed-text.ts';
import { simulatedText } from './rehearsal/simulated-text.ts';
import { simulateAs } from './commands/simulate-with-kubeconfig.ts';
import { stay } from './process/run-until-stopped.ts';
import { up, type LocalRun } from './process/up.ts';
import { versionText } from './commands/version-command.ts';
import { withKubeconfig } from './commands/with-kubeconfig.ts';

/** In the demo the assessment must not take minutes. */
const DEMO_STABILIZATION = 5;
const LOCAL_STABILIZATION = 10;

/** The exit code of a verification that found tampering: told from one that failed. */
const TAMPERED = 2;

/** The environment variable with the address of a PostgreSQL database for the audit trail. */
const DATABASE_URL = 'DATABASE_URL';

const stop = interruptions(process);
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string };

const print = (line: string): void => void process.stdout.write(`${printable(line)}\n`);

/** Logs go to standard error: standard output is for the result of the command. */
const logAt = (level: Level) =>
  createLogger({ clock: systemClock, level, destination: { write: (line: string) => void process.stderr.write(line) } });

async function runUp(flags: UpFlags): Promise<void> {
  const begun = steadyClock.now();
  const fault = typeof flags.demo === 'string' ? findFault(flags.demo) : undefined;
  const log = logAt(flags.logLevel ?? (flags.demo ? 'error' : 'info'));
  const chosen = await settingsFor(localFlags(flags), log);
  const problem = flags.demo ? demoProblem(chosen.settings()) : undefined;
  if (problem !== undefined) throw new PlatformError('Invalid', problem, { retry: 'never' });
  const token = systemRandom.uuid();
  // The three acts bring what they break along.
  const shop = flags.empty !== true && flags.demo !== true;
  print(`sickbay ${version}`);
  // Meanwhile the API server starts; a run that only shows the demo has no page open.
  const console = flags.exit ? undefined : readyConsole(print, log);
  const running = await up({
    ...chosen,
    ...(flags.demo && { people: [{ token, user: PERSON }] }),
    port: flags.port,
    place: await apiPlace(flags),
    shop,
    version,
    log,
    ...(flags.state === undefined ? {} : { state: flags.state }),
  });
  await console;
  const forget = await noteLocalRun(running.kubeconfig, log);
  printConsole(running);
  try {
    await stay(running, stop, async () => {
      if (!flags.demo && !flags.exit) welcomeLines({ shop, command: command() }).forEach(print);
      printLocalAddresses(running);
      if (flags.demo) await showDemo(running, chosen.settings(), { token, fault });
      if (flags.exit) return true;
      printReady(running, flags, steadyClock.now() - begun);
      return false;
    });
  } finally {
    await forget();
    printStopped();
  }
}

function printLocalAddresses(running: LocalRun): void {
  print(`  api      ${running.apiUrl}`);
  printAddresses(running);
}

function printReady({ kubeconfig }: LocalRun, { state }: UpFlags, startedInMs: number): void {
  print(`export KUBECONFIG=${kubeconfig}`);
  const kept = state === undefined ? 'in memory' : `in ${state}`;
  print(`Ready: up in ${(startedInMs / 1_000).toFixed(1)} s, objects are kept ${kept}. Stop with Ctrl-C.`);
}

/** A person who breaks something waits for its end: the assessment must not take minutes, unless the options or the config file say so. */
function localFlags(flags: UpFlags): UpFlags {
  if (flags.demo) return { stabilization: DEMO_STABILIZATION, ...flags };
  return flags.config === undefined ? { stabilization: LOCAL_STABILIZATION, ...flags } : flags;
}

/** How the person starts a command of Sickbay here: `npm start` has put none on their PATH. */
const command = (): string => (process.env['npm_lifecycle_event'] === undefined ? 'sickbay' : 'npx sickbay');

async function runRun({ config, stabilization, clusterName, lease, install, logLevel, ...flags }: RunFlags): Promise<void> {
  const { audit, auditKey, auditCheckpoints, ...rest } = flags;
  const trail = given({ audit: auditFilesOf(given({ audit, auditKey, auditCheckpoints }), process.env[DATABASE_URL]) });
  const log = logAt(logLevel ?? 'info');
  const chosen = await settingsFor({ config, stabilization, clusterName }, log);
  const leaseSeconds = lease === undefined ? {} : { leaseSeconds: lease };
  print(`sickbay ${version}`);
  const console = readyConsole(print, log);
  const running = await run({ ...rest, ...trail, ...chosen, version, log, signal: stop, install: install === true, ...leaseSeconds });
  await console;
  printConsole(running);
  printAddresses(running);
  print('Ready. Stop with Ctrl-C.');
  await stay(running, stop, () => Promise.resolve(false)).finally(printStopped);
}

/** The trail that a command is given, or the database of the environment. */
function trailFrom(named: string | undefined): string {
  const trail = trailOf(named, process.env[DATABASE_URL]);
  if (trail === undefined) throw new PlatformError('Invalid', `which trail? Name its file, or set ${DATABASE_URL}`, { retry: 'never' });
  return trail;
}

async function configCheck(file: string, flags: CheckFlags): Promise<void> {
  if (!(await checkConfig(file, flags, print))) process.exitCode = 1;
}

const decide = (decision: 'Approved' | 'Rejected') => async (name: string, flags: DecideFlags) =>
  print(decidedText(await decideAs(decision, name, flags), flags.output));

async function explain(name: string, { namespace, config, output, ...kubeconfig }: ExplainFlags): Promise<void> {
  const settings = { ...(await settingsFor({ config }, silent)).settings(), namespace };
  const question = { clock: systemClock, settings, name, windowsAreUnknown: config === undefined };
  const explanation = await withKubeconfig(kubeconfig, (client) => explainRequest({ client, ...question }));
  print(explainedText(explanation, output, systemClock.now()));
}

async function diagnose(words: readonly string[], flags: DiagnoseFlags): Promise<void> {
  const diagnosed = await diagnoseAs(words, flags, stop);
  print(diagnosedText(diagnosed, flags.output, columns()));
  if (flags.exitCode) process.exitCode = diagnosisExitCode(diagnosed);
}

/** Lines are broken for a terminal only: a program that reads them wants them whole. */
const columns = (): number | undefined => (process.stdout.isTTY ? process.stdout.columns : undefined);

const configDefaults = (): void => void process.stdout.write(configSample());

function printConsole({ link }: Running): void {
  if (!link) return;
  print(`  console  ${link.current()}`);
  link.onUsed(() => print(`The link was used. For another browser: ${link.current()}`));
}

function printAddresses({ url }: Running): void {
  print(`  alerts   ${url}${SIGNALS_PATH}`);
  print(`  health   ${url}/readyz?verbose`);
  print(`  metrics  ${url}/metrics`);
}

const printStopped = (): void => print('Stopped.');

interface DemoChoice {
  readonly token: string;
  /** Only this one; the three acts when absent. */
  readonly fault: Fault | undefined;
}

/** Any other end than the expected one is a failure. The token is that of the approver, who uses the API over HTTP. */
async function showDemo({ client, url, access }: LocalRun, settings: Settings, { token, fault }: DemoChoice): Promise<void> {
  print('');
  const post = (webhook: object) => postSignal(`${url}${SIGNALS_PATH}`, webhook);
  const transport = httpTransport(access(token));
  const columns = process.stdout.isTTY ? { columns: process.stdout.columns } : {};
  const world = { client, person: createClient(transport), clock: systemClock, steady: steadyClock, settings, signal: stop };
  try {
    const options = { ...world, post, print, ...columns };
    const isWell = fault ? await demoFault(options, fault) : await demo(options);
    if (!isWell) process.exitCode = 1;
  } finally {
    await transport.close();
  }
  print('');
}

try {
  await createProgram(version, {
    up: runUp,
    run: runRun,
    diagnose,
    simulate: async (file, flags) => print(simulatedText(await simulateAs(file, flags, stop), flags.output, columns())),
    break: async (fault, target, flags) => print(await breakText({ fault, target, command: command() }, flags)),
    heal: async (fault, flags) => print(await healText(fault, flags)),
    explain,
    approve: decide('Approved'),
    reject: decide('Rejected'),
    clearBlock: async (name, flags) => print(clearedText(await clearAs(name, flags), flags.output)),
    overrideFreeze: async (name, flags) => print(overriddenText(await overrideAs(name, flags), flags.output)),
    configCheck,
    async auditVerify(trail, flags) {
      if (!(await auditVerify(trailFrom(trail), flags, print))) process.exitCode = TAMPERED;
    },
    auditExport: (trail, flags) => auditExport(trailFrom(trail), flags, process.stdout),
    auditShow: (trail, flags) => auditShow(trailFrom(trail), flags, print),
    auditAdopt: (file, flags) => auditAdopt(file, flags, print),
    auditCheckpoint: (trail) => auditCheckpoint(trailFrom(trail), toTime(systemClock.now()), print),
    async notificationsRoute(attributes, flags) {
      const problem = await notificationsRoute(attributes, flags, print);
      if (problem !== undefined) process.stderr.write(`${printable(`warning: ${problem}`)}\n`);
    },
    configDefaults,
    version: ({ output }) =>
      print(versionText({ sickbay: version, node: process.version, platform: process.platform, arch: process.arch }, output)),
  }).parseAsync();
} catch (error) {
  const why = stop.reason as unknown;
  if (error !== why) process.stderr.write(`sickbay: ${printable(messageOf(error))}\n`);
  process.exitCode = why instanceof Interruption ? why.exitCode : 1;
}
