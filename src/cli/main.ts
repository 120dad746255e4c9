/** The `sickbay` command. Commands are added as the rooms they drive are built; for now it brings up the API with all kinds. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { messageOf, PlatformError } from '../base/index.ts';
import { up } from './up.ts';

const USAGE = `sickbay: self-healing for Kubernetes, from an alert to a verified fix.

Usage: sickbay [--port N] [--exit]

Brings up the in-memory Kubernetes API with every kind that Sickbay serves, and health and metrics on loopback.
The controllers that work on these kinds are not built yet.

Options:
  --port N    port for health and metrics; 0 (the default) takes any free one
  --exit      stop again as soon as everything is up
  --version   print the version
  --help      print this text
`;

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  return manifest.version;
}

function parse(args: readonly string[]): {
  readonly port: number;
  readonly exit: boolean;
  readonly help: boolean;
  readonly version: boolean;
} {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '0' },
      exit: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535)
    throw new PlatformError('BadRequest', `--port takes a number from 0 to 65535, not '${values.port}'`);
  return { ...values, port };
}

async function main(args: readonly string[]): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const options = parse(args);
  if (options.help) return print(USAGE.trimEnd());
  if (options.version) return print(version());
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error(signal)));
  if (options.exit) stop.abort(new Error('--exit'));
  await up({ version: version(), port: options.port, print, stop: stop.signal });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`sickbay: ${messageOf(error)}\nTry --help.\n`);
  process.exitCode = 2;
});
