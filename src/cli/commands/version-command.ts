import { Option, type Command } from 'commander';

/** The options of `sickbay version`. */
export interface VersionFlags {
  readonly output: 'text' | 'json';
}

export interface VersionActions {
  version(flags: VersionFlags): void;
}

/** What runs. */
export interface Versions {
  readonly sickbay: string;
  readonly node: string;
  readonly platform: string;
  readonly arch: string;
}

/** Adds `sickbay version`. */
export function addVersion(sickbay: Command, actions: VersionActions): void {
  sickbay
    .command('version')
    .description('print the versions of Sickbay and of the Node that runs it')
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .action((flags: VersionFlags) => actions.version(flags));
}

/** The answer of `sickbay version`. */
export const versionText = (versions: Versions, output: VersionFlags['output']): string =>
  output === 'json'
    ? JSON.stringify(versions, undefined, 2)
    : `sickbay ${versions.sickbay}\nnode    ${versions.node} (${versions.platform}-${versions.arch})`;
