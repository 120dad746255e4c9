import { Option, type Command } from 'commander';
import { someText } from './option-values.ts';
import type { KubeconfigFlags } from './with-kubeconfig.ts';

/** The options of `sickbay diagnose`. */
export interface DiagnoseFlags extends KubeconfigFlags {
  /** Of the object; that of the context when absent. */
  readonly namespace?: string;
  readonly alert?: string;
  readonly severity: string;
  readonly sickbayNamespace: string;
  readonly config?: string;
  readonly exitCode?: true;
  readonly output: 'text' | 'json' | 'yaml';
}

export interface DiagnoseActions {
  diagnose(words: readonly string[], flags: DiagnoseFlags): Promise<void>;
}

const AFTER_HELP = `
It reads with your own rights and writes nothing, and Sickbay need not be
installed: its workflows are then those of this package. A Pod, ReplicaSet or Job
stands for what owns it.

Exit code: 0 when there is a diagnosis, whatever it is; 1 when there is none,
and standard error says why. With --exit-code: 0 no fault is found, 2 there is a
fault, 3 it is not known (something cannot be read, or may still settle).

Examples:
  sickbay diagnose deployment/checkout -n shop
  sickbay diagnose node worker-1
  sickbay diagnose pvc/data -n shop -o json`;

/** The command that diagnoses an object. */
export function addDiagnose(sickbay: Command, actions: DiagnoseActions): void {
  sickbay
    .command('diagnose')
    .argument('<kind/name...>', 'an object, as in deployment/checkout; short names of kubectl are known', words)
    .description('find out what is wrong with a workload or node, and what Sickbay would do; changes nothing')
    .option('-n, --namespace <name>', 'namespace of the object; that of your context, or default, when absent', someText)
    .option('--alert <name>', 'diagnose it for this alert: ready pods are no proof against alerts about errors', someText)
    .option('--severity <word>', 'severity of the alert, as its source writes it', someText, 'warning')
    .option('--sickbay-namespace <name>', 'namespace that Sickbay runs in, if it is installed', someText, 'sickbay-system')
    .option('--config <file>', 'config file that Sickbay runs with there; the defaults when absent', someText)
    .option('--kubeconfig <file>', 'your kubeconfig; $KUBECONFIG or ~/.kube/config when absent', someText)
    .option('--context <name>', 'context of the kubeconfig', someText)
    .option('--exit-code', 'tell by the exit code whether there is a fault')
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json', 'yaml']).default('text'))
    .addHelpText('after', AFTER_HELP)
    .action((named: readonly string[], flags: DiagnoseFlags) => actions.diagnose(named, flags));
}

const words = (text: string, before: readonly string[] = []): readonly string[] => [...before, someText(text)];
