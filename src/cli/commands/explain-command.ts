import { Option, type Command } from 'commander';
import { someText } from './option-values.ts';
import type { KubeconfigFlags } from './with-kubeconfig.ts';

/** The arguments of `sickbay explain`. */
export interface ExplainFlags extends KubeconfigFlags {
  readonly namespace: string;
  readonly config?: string;
  readonly output: 'text' | 'json';
}

export interface ExplainActions {
  explain(name: string, flags: ExplainFlags): Promise<void>;
}

/** The command that explains the state of a remediation. */
export function addExplain(sickbay: Command, actions: ExplainActions): void {
  sickbay
    .command('explain')
    .argument('<name>', 'RemediationRequest', someText)
    .description('explain why a remediation is in its phase, what blocks it, and what happens next')
    .option('-n, --namespace <name>', 'namespace that Sickbay runs in', someText, 'sickbay-system')
    .option('--kubeconfig <file>', 'your kubeconfig; $KUBECONFIG or ~/.kube/config when absent', someText)
    .option('--context <name>', 'context of the kubeconfig', someText)
    .option('--config <file>', 'config file that Sickbay runs with there; the defaults when absent', someText)
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .action((name: string, flags: ExplainFlags) => actions.explain(name, flags));
}
