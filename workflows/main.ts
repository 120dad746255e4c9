/**
 * node workflows/main.ts NAME: runs one workflow against the cluster that the pod's account, or $KUBECONFIG, leads to.
 * One line on stdout says what was done; one on stderr why not. Exit code 0: done, or already so. 1: not done. 2: no such workflow.
 */
import { fstatSync, writeFileSync } from 'node:fs';
import { messageOf, systemClock } from '../src/base/index.ts';
import { createClient } from '../src/kube/api-client.ts';
import { httpTransport } from '../src/kube/http-transport.ts';
import { loadConfig } from '../src/kube/load-config.ts';
import { rollbackDeployment } from './rollback-deployment/run.ts';
import type { Workflow } from './workflow.ts';

const workflows: Readonly<Record<string, Workflow>> = { 'rollback-deployment': rollbackDeployment };

/** A run must not outlive what it was started by: when that goes, its end of the pipe is closed. */
function dieWithParent(): void {
  const stdin = fstatSync(0);
  if (process.env['SICKBAY_DIE_WITH_PARENT'] !== '1' || !(stdin.isFIFO() || stdin.isSocket())) return;
  const die = (): void => process.exit(1);
  process.stdin.on('end', die).on('error', die).resume().unref();
}

async function run(workflow: Workflow): Promise<string> {
  const transport = httpTransport(await loadConfig({ clock: systemClock }));
  try {
    return await workflow(createClient(transport), process.env);
  } finally {
    await transport.close();
  }
}

/** Where a kubelet looks for the last word of a container; without one there is no such file, and none is made. */
const TERMINATION_LOG = '/dev/termination-log';

/** What was done becomes part of the pod's status, where the execution finds it. */
function leaveWord(text: string): void {
  try {
    writeFileSync(TERMINATION_LOG, text, { flag: 'r+' });
  } catch {
    // Only convenience is lost: the same line is in the log.
  }
}

async function main(name: string | undefined): Promise<number> {
  const workflow = name !== undefined && Object.hasOwn(workflows, name) ? workflows[name] : undefined;
  if (!workflow) {
    process.stderr.write(`no workflow ${JSON.stringify(name ?? '')}; there are: ${Object.keys(workflows).join(', ')}\n`);
    return 2;
  }
  try {
    const done = await run(workflow);
    process.stdout.write(`${done}\n`);
    leaveWord(done);
    return 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error).replaceAll(/\s*\n\s*/g, ' ')}\n`);
    return 1;
  }
}

dieWithParent();
process.exitCode = await main(process.argv[2]);
