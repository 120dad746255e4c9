import { Option, type Command } from 'commander';
import { someText } from './option-values.ts';
import type { KubeconfigFlags } from './with-kubeconfig.ts';

/** The options of `sickbay simulate`. */
export interface SimulateFlags extends KubeconfigFlags {
  readonly namespace: string;
  readonly config?: string;
  readonly clusterName?: string;
  readonly output: 'table' | 'json' | 'yaml';
}

export interface SimulateActions {
  simulate(file: string, flags: SimulateFlags): Promise<void>;
}

const AFTER_HELP = `
FILE holds the body of a webhook of Alertmanager (version 4), or an Event of
Kubernetes, as JSON; - reads standard input. It reads with your own rights and
writes nothing, and Sickbay need not be installed: its workflows are then those
of this package.

Exit code: 0 when every signal has a verdict, whatever it is; 1 when the body is
refused or the cluster cannot be read, and standard error says why.

Examples:
  sickbay simulate webhook.json
  kubectl get event checkout.17c5 -n shop -o json | sickbay simulate - -o yaml`;

/** The command that simulates the arrival of signals. */
export function addSimulate(sickbay: Command, actions: SimulateActions): void {
  sickbay
    .command('simulate')
    .argument('<file>', 'file with signals, or -', someText)
    .description('show what would become of alerts: verdict, cause, plan, approval, gates; changes nothing')
    .option('-n, --namespace <name>', 'namespace that Sickbay runs in', someText, 'sickbay-system')
    .option('--config <file>', 'config file that Sickbay runs with there; the defaults when absent', someText)
    .option('--cluster-name <name>', 'name of this cluster in the label "cluster" of alerts', someText)
    .option('--kubeconfig <file>', 'your kubeconfig; $KUBECONFIG or ~/.kube/config when absent', someText)
    .option('--context <name>', 'context of the kubeconfig', someText)
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['table', 'json', 'yaml']).default('table'))
    .addHelpText('after', AFTER_HELP)
    .action((file: string, flags: SimulateFlags) => actions.simulate(file, flags));
}
