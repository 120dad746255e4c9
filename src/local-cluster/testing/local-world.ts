import type { Container } from '../../api/builtin/index.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { seededRandom, silent, turn, type Clock, type Logger } from '../../base/index.ts';
import { createClient, createCache, type EventRecorder, type KubeClient, type Transport } from '../../kube/index.ts';
import { createControlLoop, noMetrics, soleTerm, type LoopMetrics } from '../../runtime/index.ts';
import { createLocalCluster, type LocalClusterOptions, type ProcessEnd, type RunProcess } from '../index.ts';

/** No image is a process here. */
export const noProcesses: RunProcess = { runs: () => false, start: () => Promise.reject(new Error('nothing runs here')), stop() {} };

/** Processes that end when the test says so. */
export class ScriptedProcesses implements RunProcess {
  readonly started: { podUid: string; container: Container; end: (end: ProcessEnd) => void }[] = [];
  readonly stopped: string[] = [];

  runs(image: string): boolean {
    return image.startsWith('sickbay/workflows');
  }

  start(podUid: string, container: Container): Promise<ProcessEnd> {
    return new Promise((end) => this.started.push({ podUid, container, end }));
  }

  stop(podUid: string): void {
    this.stopped.push(podUid);
    this.started.find((process) => process.podUid === podUid)?.end({ exitCode: 143, message: 'told to stop' });
  }
}

/** One life of a local cluster on a server. */
export interface RunningCluster {
  readonly outcomes: string[];
  stop(): Promise<void>;
}

export interface ClusterLife {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly runProcess: RunProcess;
  /** Any pod of a Job when absent. */
  readonly mayRun?: LocalClusterOptions['mayRun'];
  readonly seed?: number;
  readonly log?: Logger;
  /** Records nothing when absent. */
  readonly events?: EventRecorder;
}

/** Starts a local cluster with a cache and a control loop of its own. */
export async function startCluster({
  transport,
  clock,
  runProcess,
  mayRun = () => true,
  seed = 1,
  log = silent,
  events = { record: () => Promise.resolve() },
}: ClusterLife): Promise<RunningCluster> {
  const random = seededRandom(seed);
  const cache = createCache({ client: createClient(transport), clock, random, log });
  const { controllers, calls, prepare } = createLocalCluster({ runProcess, mayRun, random });
  await prepare(cache.client);
  const outcomes: string[] = [];
  const metrics: LoopMetrics = { ...noMetrics, passed: (controller, outcome) => void outcomes.push(`${controller} ${outcome.kind}`) };
  const loop = createControlLoop({ controllers, calls, cache, clock, random, log, events, metrics });
  const stop = new AbortController();
  const ended = Promise.all([cache.run(stop.signal), loop.run(soleTerm(stop.signal))]);
  return {
    outcomes,
    async stop() {
      stop.abort(new Error('the test is over'));
      await ended;
    },
  };
}

/** A server in memory and a user of it. */
export function memoryServer(clock: Clock): { readonly transport: Transport; readonly admin: KubeClient } {
  const transport = createMemoryApi({ clock, random: seededRandom(7) });
  return { transport, admin: createClient(transport) };
}

/** Lets all that is due at this moment happen. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 60; i++) await turn();
}
