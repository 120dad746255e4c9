import { Option, type Command } from 'commander';
import { nameAndValue, someText } from './option-values.ts';

/** The arguments of `sickbay notifications route`. */
export interface RouteFlags {
  readonly config?: string;
  readonly verify?: readonly string[];
  readonly output: 'text' | 'json';
}

export interface NotificationActions {
  notificationsRoute(attributes: Readonly<Record<string, string>>, flags: RouteFlags): Promise<void>;
}

const AFTER_HELP = `
Attributes: type, severity, priority, phase, review-source, cluster, namespace,
target-kind, target-name, remediation-request, and what the notification's
context and extensions say, such as outcome or team.

Example:
  sickbay notifications route --config sickbay.yaml type=Approval priority=High`;

/** The commands about notifications. */
export function addNotifications(sickbay: Command, actions: NotificationActions): void {
  sickbay
    .command('notifications')
    .description('try the routing of notifications')
    .command('route')
    .argument('[name=value...]', 'attributes of a notification', nameAndValue, {})
    .description('show which receivers and channels a notification with these attributes would go to')
    .option('--config <file>', 'config file; the defaults when absent', someText)
    .option('--verify <receivers>', 'fail unless exactly these receivers, with commas between them, get it', names)
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .addHelpText('after', AFTER_HELP)
    .action((attributes: Readonly<Record<string, string>>, flags: RouteFlags) => actions.notificationsRoute(attributes, flags));
}

const names = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
