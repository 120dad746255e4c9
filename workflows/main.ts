/**
 * node workflows/main.ts NAME [--dry-run]: runs one workflow against the cluster that the pod's account, or $KUBECONFIG, leads to.
 * One line on stdout says what was done; one on stderr why not. With --dry-run nothing is changed, and stdout says what would be.
 * Exit code 0: done, or already so. 1: not done, or only in part. 2: no such workflow, or a parameter that it cannot use; nothing was
 * changed. 3: what must hold before it acts does not; nothing was changed.
 */
import { fstatSync, writeFileSync } from 'node:fs';
import { clip, messageOf, systemClock } from '../src/base/index.ts';
import { createClient } from '../src/kube/api-client.ts';
import { httpTransport } from '../src/kube/http-transport.ts';
import { loadConfig } from '../src/kube/load-config.ts';
import { EXIT, Refusal } from './refusal.ts';
import { workflows } from './registry.ts';
import type { How, Workflow } from './workflow.ts';

const DRY_RUN = '--dry-run';

/** A run must not outlive what it was started by: when that goes, its end of the pipe is closed. */
function dieWithParent(): void {
  const stdin = fstatSync(0);
  if (process.env['SICKBAY_DIE_WITH_PARENT'] !== '1' || !(stdin.isFIFO() || stdin.isSocket())) return;
  const die = (): void => process.exit(1);
  process.stdin.on('end', die).on('error', die).resume().unref();
}

async function run(workflow: Workflow, how: How): Promise<string> {
  const transport = httpTransport(await loadConfig({ clock: systemClock }));
  try {
    return await workflow(createClient(transport), process.env, how);
  } finally {
    await transport.close();
  }
}

/** Where a kubelet looks for the last word of a container; without one there is no such file, and none is made. */
const TERMINATION_LOG = '/dev/termination-log';
/** A kubelet keeps 4096 bytes; a character may take four. */
const LONGEST_WORD = 1_000;

/** What was done becomes part of the pod's status, where the execution finds it. */
function leaveWord(text: string): void {
  try {
    writeFileSync(TERMINATION_LOG, text, { flag: 'r+' });
  } catch {
    // Only convenience is lost: the same line is in the log.
  }
}

async function main(words: readonly string[]): Promise<number> {
  const [name = '', option, ...more] = words;
  const workflow = Object.hasOwn(workflows, name) ? workflows[name] : undefined;
  if (!workflow) return wrongCall(`no workflow ${JSON.stringify(name)}; there are: ${Object.keys(workflows).join(', ')}`);
  if ((option ?? DRY_RUN) !== DRY_RUN || more.length > 0) return wrongCall(`${name} takes nothing but ${DRY_RUN}`);
  try {
    const done = await run(workflow, { dryRun: option === DRY_RUN });
    process.stdout.write(`${done}\n`);
    leaveWord(clip(done, LONGEST_WORD));
    return 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error).replaceAll(/\s*\n\s*/g, ' ')}\n`);
    return error instanceof Refusal ? error.exitCode : 1;
  }
}

function wrongCall(message: string): number {
  process.stderr.write(`${message}\n`);
  return EXIT.wronglyTold;
}

dieWithParent();
process.exitCode = await main(process.argv.slice(2));
