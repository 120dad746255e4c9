import { fileURLToPath } from 'node:url';
import { kubeconfigText, serveApi } from '../apiserver/http/index.ts';
import { createMemoryApi } from '../apiserver/index.ts';
import { steadyClock, systemClock, systemRandom, turn, type Logger } from '../base/index.ts';
import type { Settings } from '../controllers/settings.ts';
import { createCache, createClient, createEventRecorder, type Transport } from '../kube/index.ts';
import { createLocalCluster, createProcessRunner } from '../local-cluster/index.ts';
import { createControlLoop, soleTerm } from '../runtime/index.ts';
import { install } from './install.ts';
import { serve, type Running } from './serve.ts';
import { openStateFolder } from './state-folder.ts';

export interface UpOptions {
  readonly settings: Settings;
  readonly port: number;
  /** Where the kubeconfig is kept; a folder that goes away with the run when absent. */
  readonly state?: string;
  readonly log: Logger;
}

/** A local run, and how to reach its API. */
export interface LocalRun extends Running {
  readonly kubeconfig: string;
  readonly apiUrl: string;
}

/** The image whose containers run as child processes here: the workflow library. */
const WORKFLOWS_IMAGE = 'sickbay/workflows';
const WORKFLOWS_PROGRAM = fileURLToPath(new URL('../../workflows/main.ts', import.meta.url));

/** Everything in this process: an API server in memory, a small cluster on it, and Sickbay at work there. */
export async function up({ settings, port, state, log }: UpOptions): Promise<LocalRun> {
  const clock = systemClock;
  const api = createMemoryApi({ clock, random: systemRandom });
  const folder = await openStateFolder(state);
  const token = systemRandom.uuid();
  const served = await serveApi({ api, token, log });
  const kubeconfig = await folder.write('kubeconfig', kubeconfigText({ server: served.url, token }));
  await install({ client: createClient(api), clock, settings });
  const stop = new AbortController();
  const cluster = startLocalCluster(api, { kubeconfig, log, signal: stop.signal });
  const running = await serve({ transport: api, settings, port, log });
  return {
    ...running,
    kubeconfig,
    apiUrl: served.url,
    async close() {
      await running.close();
      stop.abort(new Error('told to stop'));
      await (
        await cluster
      ).ended;
      await served.close();
      api.close();
      await folder.close();
    },
  };
}

/** The cluster has controllers and a cache of its own, as a real one has. */
async function startLocalCluster(
  transport: Transport,
  { kubeconfig, log, signal }: { readonly kubeconfig: string; readonly log: Logger; readonly signal: AbortSignal },
): Promise<{ readonly ended: Promise<void> }> {
  const clock = systemClock;
  const runProcess = createProcessRunner({
    programs: { [WORKFLOWS_IMAGE]: [process.execPath, WORKFLOWS_PROGRAM] },
    env: { KUBECONFIG: kubeconfig, SICKBAY_DIE_WITH_PARENT: '1' },
    log,
  });
  const cache = createCache({ client: createClient(transport), clock: steadyClock, random: systemRandom, log });
  const { client } = cache;
  const { controllers, calls, prepare } = createLocalCluster({ runProcess, random: systemRandom });
  await prepare(client);
  const events = createEventRecorder({ client, clock, component: 'local-cluster', instance: 'local', log });
  const loop = createControlLoop({
    controllers,
    cache,
    clock,
    steady: steadyClock,
    random: systemRandom,
    log,
    events,
    calls,
    breathe: turn,
  });
  const following = cache.run(signal);
  const working = loop.run(soleTerm(signal));
  signal.addEventListener('abort', () => runProcess.close(), { once: true });
  return { ended: Promise.allSettled([following, working]).then(() => undefined) };
}
