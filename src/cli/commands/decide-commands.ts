import { Option, type Command } from 'commander';
import { nameAndValue, someText } from './option-values.ts';
import type { KubeconfigFlags } from './with-kubeconfig.ts';

/** The arguments of `sickbay approve` and `sickbay reject`. */
export interface DecideFlags extends KubeconfigFlags {
  readonly namespace: string;
  readonly reason?: string;
  readonly workflow?: string;
  readonly parameter?: Readonly<Record<string, string>>;
  readonly output: 'text' | 'json';
}

export interface DecideActions {
  approve(name: string, flags: DecideFlags): Promise<void>;
  reject(name: string, flags: DecideFlags): Promise<void>;
}

/** The commands `approve` and `reject`. */
export function addDecisions(sickbay: Command, actions: DecideActions): void {
  common(sickbay.command('approve'))
    .description('approve a plan that waits for approval, as yourself')
    .option('--reason <text>', 'why, for the record', someText)
    .option('--workflow <name>', 'run this workflow of the catalogue instead', someText)
    .option('--parameter <name=value>', 'set this parameter; may be repeated, and replaces all parameters of the plan', nameAndValue)
    .action((name: string, flags: DecideFlags) => actions.approve(name, flags));
  common(sickbay.command('reject'))
    .description('reject a plan that waits for approval, as yourself')
    .requiredOption('--reason <text>', 'why, for the record', someText)
    .action((name: string, flags: DecideFlags) => actions.reject(name, flags));
}

const common = (command: Command): Command =>
  command
    .argument('<name>', 'RemediationRequest or RemediationApprovalRequest', someText)
    .option('-n, --namespace <name>', 'namespace that Sickbay runs in', someText, 'sickbay-system')
    .option('--kubeconfig <file>', 'your kubeconfig; $KUBECONFIG or ~/.kube/config when absent', someText)
    .option('--context <name>', 'context of the kubeconfig', someText)
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'));
