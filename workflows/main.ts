/**
 * node workflows/main.ts NAME [--dry-run | --undo | --help]: runs one workflow against the cluster that the pod's account, or $KUBECONFIG,
 * leads to. One line on stdout says what was done; the last on stderr why not, those before it what the run waited for. With --dry-run nothing is changed, and stdout says what would be.
 * With --undo it undoes the latest change that the workflow made to the target.
 * Exit code 0: done, or already so. 1: not done, or only in part. 2: no such workflow, or a parameter that it cannot use; nothing was
 * changed. 3: a precondition is not met; nothing was changed.
 */
import { fstatSync, writeFileSync } from 'node:fs';
import { clip, systemClock } from '../src/base/index.ts';
import { createClient } from '../src/kube/client/api-client.ts';
import { httpTransport } from '../src/kube/http/http-transport.ts';
import { loadConfig } from '../src/kube/identity/load-config.ts';
import { command, type Surroundings } from './command.ts';

/** A run must not outlive the process that started it: when that ends, its end of the pipe is closed. */
function dieWithParent(): void {
  const stdin = fstatSync(0);
  if (process.env['SICKBAY_DIE_WITH_PARENT'] !== '1' || !(stdin.isFIFO() || stdin.isSocket())) return;
  const die = (): void => process.exit(1);
  process.stdin.on('end', die).on('error', die).resume().unref();
}

const connected: Surroundings['connected'] = async (work) => {
  const transport = httpTransport(await loadConfig({ clock: systemClock }));
  try {
    return await work(createClient(transport));
  } finally {
    await transport.close();
  }
};

/** The termination message of a container; without a kubelet there is no such file, and none is created. */
const TERMINATION_LOG = '/dev/termination-log';
/** A kubelet keeps 4096 bytes; a character may take four. */
const LONGEST_WORD = 1_000;

/** What was done, or why not, becomes part of the pod's status, where the execution finds it: without the lines before it in the log. */
function leaveWord(text: string): void {
  try {
    writeFileSync(TERMINATION_LOG, text, { flag: 'r+' });
  } catch {
    // Not an error: the same line is in the log.
  }
}

dieWithParent();
const {
  code,
  text,
  isWord = false,
} = await command(process.argv.slice(2), {
  env: process.env,
  connected,
  report: (line) => void process.stderr.write(`${line}\n`),
});
(code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
if (isWord) leaveWord(clip(text, LONGEST_WORD));
process.exitCode = code;
