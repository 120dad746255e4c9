import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { simulateSignals, type Simulated } from '../../actions/index.ts';
import { messageOf, PlatformError, silent, systemClock } from '../../base/index.ts';
import { readJson } from '../../gateway/index.ts';
import { settingsFor } from '../process/settings-for.ts';
import { packagedWorkflows } from '../rehearsal/packaged-workflows.ts';
import type { SimulateFlags } from './simulate-command.ts';
import { withKubeconfig } from './with-kubeconfig.ts';

/** Simulates with the identity of the user's kubeconfig. */
export async function simulateAs(file: string, flags: SimulateFlags, signal: AbortSignal): Promise<Simulated> {
  const body = await readBody(file, signal);
  const { config, clusterName, namespace } = flags;
  const settings = { ...(await settingsFor({ config, clusterName }, silent)).settings(), namespace };
  const packaged = await packagedWorkflows(settings);
  return withKubeconfig(flags, (client) => simulateSignals({ client, clock: systemClock, settings, signal, body, packaged }));
}

/** As strictly as the gateway reads it. */
async function readBody(file: string, signal: AbortSignal): Promise<unknown> {
  const name = file === '-' ? 'standard input' : file;
  const read = readJson(await readText(file, name, signal));
  if (read.kind === 'refused') throw invalid(`${name}: ${read.why}`);
  return read.value;
}

async function readText(file: string, name: string, signal: AbortSignal): Promise<string> {
  try {
    return file === '-' ? await text(addAbortSignal(signal, process.stdin)) : await readFile(file, 'utf8');
  } catch (error) {
    signal.throwIfAborted();
    throw invalid(`reading ${name}: ${messageOf(error)}`);
  }
}

const invalid = (message: string): PlatformError => new PlatformError('Invalid', message, { retry: 'never' });
