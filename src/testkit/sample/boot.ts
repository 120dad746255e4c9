import { createClient } from '../../kube/api-client.ts';
import type { Cache } from '../../kube/cache.ts';
import type { KubeClient } from '../../kube/client.ts';
import { createCache } from '../../kube/create-cache.ts';
import type { EventRecorder } from '../../kube/events.ts';
import type { CallHandler } from '../../runtime/effects.ts';
import { createControlLoop, LeaderElection, type Controller } from '../../runtime/index.ts';
import type { Boot, ReplicaEnv } from '../../simulation/index.ts';
import type { Transport } from '../../kube/transport.ts';
import { noBugs } from '../no-bugs.ts';

/** How a process of the sample is put together; variants change one part. */
export interface BootOptions {
  readonly controllers: (env: ReplicaEnv) => readonly Controller[];
  readonly wrapTransport?: (transport: Transport) => Transport;
  readonly wrapCache?: (cache: Cache) => Cache;
  readonly calls?: (env: ReplicaEnv, client: KubeClient) => Readonly<Record<string, CallHandler>>;
  /** Where Events go; nowhere when absent. */
  readonly events?: EventRecorder;
}

/** A whole process: client, cache, leader election and the control loop, as in production, on whatever clock and transport it is given. */
export const bootProcess =
  (options: BootOptions): Boot =>
  async (env) => {
    const { clock, steady, random, log, signal } = env;
    const client = createClient(options.wrapTransport?.(env.transport) ?? env.transport);
    const made = createCache({ client, clock: steady, random, log });
    const cache = options.wrapCache?.(made) ?? made;
    const events = options.events ?? { record: () => Promise.resolve() };
    const loop = createControlLoop({
      controllers: options.controllers(env),
      cache,
      clock,
      steady,
      random,
      log,
      events,
      calls: options.calls?.(env, cache.client) ?? {},
      metrics: noBugs,
      workers: 2,
    });
    const lease = { namespace: 'default', name: 'sample' };
    const election = new LeaderElection({ client, clock, steady, random, log, lease, identity: `${env.name}-${random.uuid()}` });
    const following = cache.run(signal);
    while (!signal.aborted) await election.lead((term) => loop.run(term), signal);
    await following;
  };
