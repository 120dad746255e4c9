import { createClient } from '../../kube/client/api-client.ts';
import type { Cache } from '../../kube/cache/cache.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { createCache } from '../../kube/cache/create-cache.ts';
import type { EventRecorder } from '../../kube/objects/events.ts';
import type { CallHandler } from '../../runtime/reconcile/effects.ts';
import { createControlLoop, LeaderElection, type Controller, type ControlLoop, type Term, type WorkEnd } from '../../runtime/index.ts';
import type { Boot, ReplicaEnv } from '../../simulation/index.ts';
import type { Transport } from '../../kube/client/transport.ts';
import { noBugs } from '../no-bugs.ts';

/** How a process of the sample is put together; variants change one part. */
export interface BootOptions {
  readonly controllers: (env: ReplicaEnv) => readonly Controller[];
  readonly wrapTransport?: (transport: Transport) => Transport;
  readonly wrapCache?: (cache: Cache) => Cache;
  readonly calls?: (env: ReplicaEnv, client: KubeClient) => Readonly<Record<string, CallHandler>>;
  /** Where Events go; nowhere when absent. */
  readonly events?: EventRecorder;
  /** Controllers with a client and a cache of their own that work under the same Lease. */
  readonly beside?: BootOptions;
}

interface Part {
  readonly client: KubeClient;
  readonly cache: Cache;
  readonly loop: ControlLoop;
}

function partOf(options: BootOptions, env: ReplicaEnv): Part {
  const { clock, steady, random, log } = env;
  const client = createClient(options.wrapTransport?.(env.transport) ?? env.transport);
  const made = createCache({ client, clock: steady, random, log });
  const cache = options.wrapCache?.(made) ?? made;
  const loop = createControlLoop({
    controllers: options.controllers(env),
    cache,
    clock,
    steady,
    random,
    log,
    events: options.events ?? { record: () => Promise.resolve() },
    calls: options.calls?.(env, cache.client) ?? {},
    metrics: noBugs,
    workers: 2,
  });
  return { client, cache, loop };
}

async function work(parts: readonly Part[], term: Term): Promise<WorkEnd> {
  const ends = await Promise.all(parts.map(({ loop }) => loop.run(term)));
  return ends.includes('stuck') ? 'stuck' : 'ended';
}

/** A whole process: client, cache, leader election and the control loop, as in production, on whatever clock and transport it is given. */
export const bootProcess =
  (options: BootOptions): Boot =>
  async (env) => {
    const { clock, steady, random, log, signal } = env;
    const own = partOf(options, env);
    const parts = options.beside ? [own, partOf(options.beside, env)] : [own];
    const lease = { namespace: 'default', name: 'sample' };
    const identity = `${env.name}-${random.uuid()}`;
    const election = new LeaderElection({ client: own.client, clock, steady, random, log, lease, identity });
    const following = Promise.all(parts.map(({ cache }) => cache.run(signal)));
    while (!signal.aborted) await election.lead((term) => work(parts, term), signal);
    await following;
  };
