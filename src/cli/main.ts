/** The `sickbay` command. Commands are added as the rooms they drive are built. */
import { readFileSync } from 'node:fs';

const USAGE = `sickbay: self-healing for Kubernetes, from an alert to a verified fix.

Usage: sickbay [--help | --version]

This version has no commands yet: it is the foundation (kinds, client, runtime) that they will stand on.
`;

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  return manifest.version;
}

/** What to print and whether it is an error, for the given arguments. */
function answer(args: readonly string[]): { readonly text: string; readonly code: number } {
  const [first] = args;
  switch (first) {
    case undefined:
    case '--help':
    case '-h':
      return { text: USAGE, code: 0 };
    case '--version':
      return { text: `${version()}\n`, code: 0 };
    default:
      return { text: `sickbay: unknown argument "${first}"\n\n${USAGE}`, code: 2 };
  }
}

const { text, code } = answer(process.argv.slice(2));
(code === 0 ? process.stdout : process.stderr).write(text);
process.exitCode = code;
