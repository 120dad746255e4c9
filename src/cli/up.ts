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
  await using opened = new AsyncDisposableStack();
  const folder = await openStateFolder(state);
  opened.defer(() => folder.close());
  const api = createMemoryApi({ clock: systemClock, random: systemRandom });
  opened.defer(() => api.close());
  const token = systemRandom.uuid();
  const served = await serveApi({ api, token, log });
  opened.defer(() => served.close());
  const kubeconfig = await folder.write('kubeconfig', kubeconfigText({ server: served.url, token }));
  await install({ client: createClient(api), clock: systemClock, settings });
  const cluster = await startLocalCluster(api, { kubeconfig, log });
  opened.defer(() => cluster.close());
  const running = await serve({ transport: api, settings, port, log });
  opened.defer(() => running.close());
  const all = opened.move();
  return {
    ...running,
    kubeconfig,
    apiUrl: served.url,
    ended: Promise.race([running.ended, cluster.ended]),
    close: () => all.disposeAsync(),
  };
}

/** The cluster has controllers and a cache of its own, as a real one has. */
async function startLocalCluster(
  transport: Transport,
  { kubeconfig, log }: { readonly kubeconfig: string; readonly log: Logger },
): Promise<Pick<Running, 'ended' | 'close'>> {
  const clock = systemClock;
  const stop = new AbortController();
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
  const ended = Promise.all([cache.run(stop.signal), loop.run(soleTerm(stop.signal))]).then(() => undefined);
  ended.catch(() => undefined);
  return {
    ended,
    async close() {
      stop.abort(new Error('told to stop'));
      runProcess.close();
      await ended.catch(() => undefined);
    },
  };
}
