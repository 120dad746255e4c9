import { Option, type Command } from 'commander';
import { systemClock } from '../../base/index.ts';
import { clearBlock, type Cleared } from './clear-block.ts';
import { someText } from './option-values.ts';
import { withKubeconfig, type KubeconfigFlags } from './with-kubeconfig.ts';

/** What `sickbay clear-block` was asked for. */
export interface ClearFlags extends KubeconfigFlags {
  readonly namespace: string;
  readonly executionNamespace: string;
  readonly reason: string;
  readonly output: 'text' | 'json';
}

export interface ClearActions {
  clearBlock(name: string, flags: ClearFlags): Promise<void>;
}

/** The command with which a person says that workflows may run on a target again. */
export function addClearBlock(sickbay: Command, actions: ClearActions): void {
  sickbay
    .command('clear-block')
    .description('let workflows run on a target again, as yourself')
    .argument('<name>', 'WorkflowExecution that stands in the way, or the target, e.g. shop/Deployment/checkout', someText)
    .requiredOption('--reason <text>', 'what you found and did, for the record', someText)
    .option('-n, --namespace <name>', 'namespace that Sickbay lives in', someText, 'sickbay-system')
    .option('--execution-namespace <name>', 'namespace that workflows run in', someText, 'kubernaut-workflows')
    .option('--kubeconfig <file>', 'your kubeconfig; $KUBECONFIG or ~/.kube/config when absent', someText)
    .option('--context <name>', 'context of the kubeconfig', someText)
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .action((name: string, flags: ClearFlags) => actions.clearBlock(name, flags));
}

/** Clears with the identity that a person's kubeconfig gives them. */
export const clearAs = (name: string, flags: ClearFlags): Promise<Cleared> =>
  withKubeconfig(flags, (client) => clearBlock(client, systemClock, { ...flags, name }));
