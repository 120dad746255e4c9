import { Option, type Command } from 'commander';
import { systemClock } from '../../base/index.ts';
import { clearBlock, type Cleared } from '../../actions/index.ts';
import { someText } from './option-values.ts';
import { withKubeconfig, type KubeconfigFlags } from './with-kubeconfig.ts';

/** The arguments of `sickbay clear-block`. */
export interface ClearFlags extends KubeconfigFlags {
  readonly namespace: string;
  readonly executionNamespace: string;
  readonly reason: string;
  readonly output: 'text' | 'json';
}

export interface ClearActions {
  clearBlock(name: string, flags: ClearFlags): Promise<void>;
}

/** The command with which a person allows workflows on a blocked target again. */
export function addClearBlock(sickbay: Command, actions: ClearActions): void {
  sickbay
    .command('clear-block')
    .description('allow workflows on a blocked target again, as yourself')
    .argument('<name>', 'the WorkflowExecution that blocks, or the target, e.g. shop/Deployment/checkout', someText)
    .requiredOption('--reason <text>', 'what you found and did; it is recorded', someText)
    .option('-n, --namespace <name>', 'namespace that Sickbay runs in', someText, 'sickbay-system')
    .option('--execution-namespace <name>', 'namespace that workflows run in', someText, 'kubernaut-workflows')
    .option('--kubeconfig <file>', 'your kubeconfig; $KUBECONFIG or ~/.kube/config when absent', someText)
    .option('--context <name>', 'context of the kubeconfig', someText)
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .action((name: string, flags: ClearFlags) => actions.clearBlock(name, flags));
}

/** Clears with the identity of the user's kubeconfig. */
export const clearAs = (name: string, flags: ClearFlags): Promise<Cleared> =>
  withKubeconfig(flags, (client) => clearBlock(client, systemClock, { ...flags, name }));
