import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../src/testkit/free-ports.ts';
import { startServer, type ServerProcess } from '../../src/testkit/server-process.ts';
import { SIGNALS_PATH } from '../../src/cli/process/serve.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** How `sickbay run` is started for a test. */
export interface SickbaySettings {
  readonly kubeconfig: string;
  /** Installs itself with this image; where it is absent, all is in place. */
  readonly workflowImage?: string;
  readonly logs: string;
  readonly flags?: readonly string[];
}

/** One life of `sickbay run`, as a real process. */
export interface SickbayLife extends ServerProcess {
  readonly signalsUrl: string;
  readonly log: string;
  /** Resident memory right now, in MB. */
  memoryMb(): number;
}

/** Starts `sickbay run` on the cluster: short leases, so that the next life need not wait long for the last one's to run out. */
export async function startSickbay(settings: SickbaySettings, life: number): Promise<SickbayLife> {
  const { kubeconfig, workflowImage, logs, flags = [] } = settings;
  const [port] = await freePorts(1);
  const common = ['--kubeconfig', kubeconfig, '--port', String(port), '--lease', '1', '--stabilization', '20'];
  const image = workflowImage === undefined ? [] : ['--install', '--workflow-image', workflowImage];
  const log = join(logs, `sickbay-${life}.log`);
  const server = startServer(process.execPath, [MAIN, 'run', ...common, ...image, ...flags], log);
  return { ...server, log, signalsUrl: `http://127.0.0.1:${port}${SIGNALS_PATH}`, memoryMb: () => residentMb(server.pid) };
}

function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
