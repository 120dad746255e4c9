import { Command, Option } from 'commander';
import { placeProblem, type Address, type PlaceFlags } from './process/listen-address.ts';
import { addBreak, type BreakActions } from './commands/break-commands.ts';
import type { CheckFlags } from './commands/check-config.ts';
import { addAudit, type AuditActions } from './commands/audit-commands.ts';
import { addClearBlock, type ClearActions } from './commands/clear-command.ts';
import { addDecisions, type DecideActions } from './commands/decide-commands.ts';
import { addDiagnose, type DiagnoseActions } from './commands/diagnose-command.ts';
import { addExplain, type ExplainActions } from './commands/explain-command.ts';
import { addNotifications, type NotificationActions } from './commands/notifications-command.ts';
import { addOverrideFreeze, type OverrideActions } from './commands/override-command.ts';
import { addSimulate, type SimulateActions } from './commands/simulate-command.ts';
import { addVersion, type VersionActions } from './commands/version-command.ts';
import { addressAndPort, portNumber, someText, wholeSeconds } from './commands/option-values.ts';

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type Level = (typeof LEVELS)[number];

interface CommonFlags {
  readonly port?: number;
  readonly config?: string;
  readonly clusterName?: string;
  readonly stabilization?: number;
  readonly logLevel?: Level;
}

/** The options of `sickbay up`. */
export interface UpFlags extends CommonFlags, PlaceFlags {
  readonly state?: string;
  /** The name of a fault shows that one; three acts otherwise. */
  readonly demo?: true | string;
  readonly empty?: true;
  readonly exit?: true;
}

/** The options of `sickbay run`. */
export interface RunFlags extends CommonFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly install?: true;
  readonly workflowImage?: string;
  readonly listen?: Address;
  readonly lease?: number;
  readonly audit?: string;
  readonly auditKey?: string;
  readonly auditCheckpoints?: string;
}

/** The implementation of each command. */
export interface Actions
  extends
    AuditActions,
    BreakActions,
    DecideActions,
    ClearActions,
    DiagnoseActions,
    ExplainActions,
    NotificationActions,
    OverrideActions,
    SimulateActions,
    VersionActions {
  up(flags: UpFlags): Promise<void>;
  run(flags: RunFlags): Promise<void>;
  configCheck(file: string, flags: CheckFlags): Promise<void>;
  configDefaults(): void;
}

/** No registry serves an image of the workflows: Jobs with the library's own name for it would wait for ever. */
const IMAGE_NEEDED =
  '--install needs --workflow-image: an image of the workflows that the nodes can pull. Build one with npm run workflow-image, or from deploy/workflows.Dockerfile.';

const AFTER_HELP = `
Without a command it is "up", whose options "sickbay up --help" shows;
"sickbay --demo" shows the whole loop.

Exit code: 0 when the command is done, or a running Sickbay was stopped; 1 when
it failed, and standard error says why; 2 when "audit verify" found tampering;
128 plus the signal's number when it was interrupted before it was done (130 by
Ctrl-C).`;

/** The command line: all commands, arguments and options. */
export function createProgram(version: string, actions: Actions): Command {
  const sickbay = new Command('sickbay')
    .description('Self-healing for Kubernetes: from an alert to a verified fix.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this text')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError('"sickbay --help" lists the commands.')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'sickbay: ')) })
    .addHelpText('after', AFTER_HELP);
  addUp(sickbay, actions);
  addRun(sickbay, actions);
  addDiagnose(sickbay, actions);
  addSimulate(sickbay, actions);
  addBreak(sickbay, actions);
  addExplain(sickbay, actions);
  addDecisions(sickbay, actions);
  addClearBlock(sickbay, actions);
  addOverrideFreeze(sickbay, actions);
  addConfig(sickbay, actions);
  addNotifications(sickbay, actions);
  addAudit(sickbay, actions);
  addVersion(sickbay, actions);
  return sickbay;
}

function addUp(sickbay: Command, actions: Actions): void {
  common(sickbay.command('up', { isDefault: true }))
    .description('run everything in this process: an API server, a small local cluster, and Sickbay (default)')
    .option(
      '--state <dir>',
      'folder for objects, the audit trail and the kubeconfig, created when absent; without it nothing is kept after the run',
      someText,
    )
    .option(
      '--listen <address:port>',
      'address of the API; a free port on loopback when absent; any other address needs a certificate',
      addressAndPort,
    )
    .option('--tls-cert <file>', 'certificate chain of the API, PEM; with --tls-key', someText)
    .option('--tls-key <file>', 'its key, PEM', someText)
    .option('--empty', 'no shop to break and no alerts: an empty cluster')
    .option('--demo [fault]', 'show in three acts how faults are remediated, or one fault that "sickbay break" lists')
    .option('--exit', 'stop when everything is up, or when the demo has finished')
    // The default command gets every unknown word: "too many arguments" would not explain a mistyped command.
    .allowExcessArguments()
    .action((flags: UpFlags, command: Command) => {
      const [word] = command.args;
      if (word !== undefined) command.error(`error: unknown command '${word}'`);
      const problem = placeProblem(flags) ?? emptyProblem(flags);
      if (problem !== undefined) command.error(`error: ${problem}`);
      return actions.up(flags);
    });
}

/** A fault needs something to break. */
const emptyProblem = ({ empty, demo }: UpFlags): string | undefined =>
  empty && typeof demo === 'string' ? `--demo ${demo} breaks the shop, which --empty leaves out` : undefined;

function addRun(sickbay: Command, actions: Actions): void {
  common(sickbay.command('run'))
    .description('run Sickbay on a real cluster')
    .option('--kubeconfig <file>', 'kubeconfig; $KUBECONFIG, ~/.kube/config or the Pod’s own identity when absent', someText)
    .option('--context <name>', 'context of the kubeconfig', someText)
    .option('--install', 'install CRDs, policies, namespaces and the workflow catalogue first')
    .option('--workflow-image <image>', 'image of the workflows, which the nodes can pull; needed with --install', someText)
    .option(
      '--listen <address:port>',
      'address for alerts, the HTTP API, health and metrics; on loopback when absent; any other needs gateway.authentication in the config file',
      addressAndPort,
    )
    .option('--lease <seconds>', 'duration of the leader’s Lease', wholeSeconds)
    .option(
      '--audit <file>',
      'file of the audit trail, created when absent, or postgres://user@host/database; $DATABASE_URL when absent; without either the trail ends with the process',
      someText,
    )
    .option(
      '--audit-key <file>',
      'keys of the audit trail, one per line, the last one for new events; FILE.key, made with the trail, when absent; needed with a database',
      someText,
    )
    .option('--audit-checkpoints <file>', 'file that checkpoints of the audit trail are appended to; keep it elsewhere', someText)
    .action((flags: RunFlags, command: Command) => {
      if (flags.workflowImage !== undefined && !flags.install)
        command.error('error: --workflow-image goes into the catalogue, so it needs --install');
      if (flags.install && flags.workflowImage === undefined) command.error(`error: ${IMAGE_NEEDED}`);
      return actions.run(flags);
    });
}

function addConfig(sickbay: Command, actions: Actions): void {
  const config = sickbay.command('config').description('check or print the config file');
  config
    .command('check')
    .argument('<file>', 'config file', someText)
    .description('check a config file and list all mistakes')
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .action((file: string, flags: CheckFlags) => actions.configCheck(file, flags));
  config
    .command('defaults')
    .description('print a config file with every setting, its default and what it means')
    .action(() => actions.configDefaults());
}

const common = (command: Command): Command =>
  command
    .option('--port <number>', 'port for alerts, the HTTP API, health and metrics; 0, the default, takes any free one', portNumber)
    .option('--config <file>', 'config file; changes apply while Sickbay runs, and options win over it', someText)
    .option(
      '--cluster-name <name>',
      'name of this cluster in the label "cluster" of alerts; alerts of other clusters are ignored',
      someText,
    )
    .option('--stabilization <seconds>', 'how long to wait after a workflow before its effect is assessed', wholeSeconds)
    .addOption(new Option('--log-level <level>', 'level of the log on standard error').choices(LEVELS));
