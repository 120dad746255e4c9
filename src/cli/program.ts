import { Command, Option } from 'commander';
import { placeProblem, type PlaceFlags } from './process/listen-address.ts';
import type { CheckFlags } from './commands/check-config.ts';
import { addClearBlock, type ClearActions } from './commands/clear-command.ts';
import { addDecisions, type DecideActions } from './commands/decide-commands.ts';
import { addExplain, type ExplainActions } from './commands/explain-command.ts';
import { addressAndPort, portNumber, someText, wholeSeconds } from './commands/option-values.ts';

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type Level = (typeof LEVELS)[number];

interface CommonFlags {
  readonly port: number;
  readonly config?: string;
  readonly clusterName?: string;
  readonly stabilization?: number;
  readonly logLevel?: Level;
}

/** What `sickbay up` was asked for. */
export interface UpFlags extends CommonFlags, PlaceFlags {
  readonly state?: string;
  readonly demo?: true;
  readonly exit?: true;
}

/** What `sickbay run` was asked for. */
export interface RunFlags extends CommonFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly install?: true;
  readonly workflowImage?: string;
  readonly lease?: number;
  readonly audit?: string;
}

/** What the commands do. */
export interface Actions extends DecideActions, ClearActions, ExplainActions {
  up(flags: UpFlags): Promise<void>;
  run(flags: RunFlags): Promise<void>;
  configCheck(file: string, flags: CheckFlags): Promise<void>;
  configDefaults(): void;
}

const AFTER_HELP = `
Without a command it is "up", whose options "sickbay up --help" shows;
"sickbay --demo" shows the whole loop.

Exit code: 0 when it is done, or was told to stop when there was nothing left
to do but stay; 1 when it is not done, and standard error says why; 128 plus
the signal's number when it was interrupted (130 by Ctrl-C).`;

/** The command line: what may be asked for, and in which words. */
export function createProgram(version: string, actions: Actions): Command {
  const sickbay = new Command('sickbay')
    .description('Self-healing for Kubernetes: from an alert to a verified fix.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this text')
    .helpCommand('help [command]', 'print what a command can do')
    .showHelpAfterError('"sickbay --help" shows what there is.')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'sickbay: ')) })
    .addHelpText('after', AFTER_HELP);
  addUp(sickbay, actions);
  addRun(sickbay, actions);
  addExplain(sickbay, actions);
  addDecisions(sickbay, actions);
  addClearBlock(sickbay, actions);
  addConfig(sickbay, actions);
  return sickbay;
}

function addUp(sickbay: Command, actions: Actions): void {
  common(sickbay.command('up', { isDefault: true }))
    .description('run everything in this process: an API server, a small local cluster, and Sickbay (default)')
    .option(
      '--state <dir>',
      'folder that objects, the audit trail and the kubeconfig are kept in, made when absent; without it nothing outlives the run',
      someText,
    )
    .option(
      '--listen <address:port>',
      'where the API is served; a free port on loopback when absent, and any but loopback needs a certificate',
      addressAndPort,
    )
    .option('--tls-cert <file>', 'certificate of the API, followed by those that signed it, PEM; with --tls-key', someText)
    .option('--tls-key <file>', 'its key, PEM', someText)
    .option('--demo', 'break a Deployment, raise an alert, and show how it is healed')
    .option('--exit', 'stop when everything is up, or when the demo is over')
    // The default command gets every word that is no command: "too many arguments" would puzzle whoever mistyped one.
    .allowExcessArguments()
    .action((flags: UpFlags, command: Command) => {
      const [word] = command.args;
      if (word !== undefined) command.error(`error: unknown command '${word}'`);
      const problem = placeProblem(flags);
      if (problem !== undefined) command.error(`error: ${problem}`);
      return actions.up(flags);
    });
}

function addRun(sickbay: Command, actions: Actions): void {
  common(sickbay.command('run'))
    .description('run Sickbay on a real cluster')
    .option('--kubeconfig <file>', 'kubeconfig; $KUBECONFIG, ~/.kube/config or the Pod’s own identity when absent', someText)
    .option('--context <name>', 'context of the kubeconfig', someText)
    .option('--install', 'put CRDs, policies, namespaces and the workflow catalogue in place first')
    .option('--workflow-image <image>', 'image that holds the workflows; with --install', someText)
    .option('--lease <seconds>', 'how long the leader’s lease lasts', wholeSeconds)
    .option(
      '--audit <file>',
      'file that the audit trail is kept in, made when absent; without it the trail ends with the process',
      someText,
    )
    .action((flags: RunFlags, command: Command) => {
      if (flags.workflowImage !== undefined && !flags.install)
        command.error('error: --workflow-image goes into the catalogue, so it needs --install');
      return actions.run(flags);
    });
}

function addConfig(sickbay: Command, actions: Actions): void {
  const config = sickbay.command('config').description('look after the config file');
  config
    .command('check')
    .argument('<file>', 'config file', someText)
    .description('say whether a config file can be used, and all that is wrong with it')
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .action((file: string, flags: CheckFlags) => actions.configCheck(file, flags));
  config
    .command('defaults')
    .description('print a config file with every setting, its default and what it means')
    .action(() => actions.configDefaults());
}

const common = (command: Command): Command =>
  command
    .option('--port <number>', 'port for alerts, health and metrics on loopback; 0 takes any free one', portNumber, 0)
    .option('--config <file>', 'config file; it is followed while Sickbay runs, and the options here win over it', someText)
    .option('--cluster-name <name>', 'what alerts call this cluster in their label "cluster"; others’ are not acted on', someText)
    .option('--stabilization <seconds>', 'how long to wait after a workflow before its effect is judged', wholeSeconds)
    .addOption(new Option('--log-level <level>', 'what is logged to standard error').choices(LEVELS));
