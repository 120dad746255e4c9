import { Option, type Command } from 'commander';
import { someText } from './option-values.ts';
import type { KubeconfigFlags } from './with-kubeconfig.ts';

/** The arguments of `sickbay break` and `sickbay heal`. */
export interface BreakFlags extends KubeconfigFlags {
  /** The cluster is not Sickbay's local one, and may be broken all the same. */
  readonly yesThisIsATestCluster?: true;
  readonly output: 'text' | 'json';
}

export interface BreakActions {
  break(fault: string | undefined, target: string | undefined, flags: BreakFlags): Promise<void>;
  heal(fault: string | undefined, flags: BreakFlags): Promise<void>;
}

/** The commands `break` and `heal`. */
export function addBreak(sickbay: Command, actions: BreakActions): void {
  common(
    sickbay
      .command('break')
      .description('break something in the local cluster by name, to see it remediated; without a name, list what can be broken')
      .argument('[fault]', 'what to break', someText)
      .argument('[target]', 'a Deployment as namespace/name, or a node; the one that the list shows when absent', someText),
  ).action((fault: string | undefined, target: string | undefined, flags: BreakFlags) => actions.break(fault, target, flags));
  common(
    sickbay.command('heal').description('undo what "break" did: everything, or one fault').argument('[fault]', 'only this fault', someText),
  ).action((fault: string | undefined, flags: BreakFlags) => actions.heal(fault, flags));
}

const common = (command: Command): Command =>
  command
    .option(
      '--kubeconfig <file>',
      'kubeconfig; that of the local cluster that runs, else $KUBECONFIG or ~/.kube/config when absent',
      someText,
    )
    .option('--context <name>', 'context of the kubeconfig', someText)
    .option('--yes-this-is-a-test-cluster', 'also break a cluster that is not the local one of "sickbay up"')
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'));
