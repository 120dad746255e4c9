import { Option, type Command } from 'commander';
import { overrideFreeze, type Overridden } from '../../actions/index.ts';
import { someText } from './option-values.ts';
import { withKubeconfig, type KubeconfigFlags } from './with-kubeconfig.ts';

/** The arguments of `sickbay override-freeze`. */
export interface OverrideFlags extends KubeconfigFlags {
  readonly namespace: string;
  readonly reason: string;
  readonly output: 'text' | 'json';
}

export interface OverrideActions {
  overrideFreeze(name: string, flags: OverrideFlags): Promise<void>;
}

/** The command with which a person has a remediation run in spite of a change freeze. */
export function addOverrideFreeze(sickbay: Command, actions: OverrideActions): void {
  sickbay
    .command('override-freeze')
    .description('run a remediation in spite of change freezes and maintenance windows, as yourself (role sickbay-freeze-override)')
    .argument('<name>', 'the RemediationRequest that waits', someText)
    .requiredOption('--reason <text>', 'why it cannot wait; it is recorded', someText)
    .option('-n, --namespace <name>', 'namespace that Sickbay runs in', someText, 'sickbay-system')
    .option('--kubeconfig <file>', 'your kubeconfig; $KUBECONFIG or ~/.kube/config when absent', someText)
    .option('--context <name>', 'context of the kubeconfig', someText)
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .action((name: string, flags: OverrideFlags) => actions.overrideFreeze(name, flags));
}

/** Overrides with the identity of the user's kubeconfig. */
export const overrideAs = (name: string, { namespace, reason, ...kubeconfig }: OverrideFlags): Promise<Overridden> =>
  withKubeconfig(kubeconfig, (client) => overrideFreeze(client, { namespace, name, reason }));
