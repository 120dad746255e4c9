import { silent, steadyClock, systemClock, systemRandom, type Logger } from '../../src/base/index.ts';
import { createCache, createClient, createEventRecorder, type Transport } from '../../src/kube/index.ts';
import { createControlLoop, noMetrics, soleTerm, type CallHandler, type Controller } from '../../src/runtime/index.ts';

/** Only what a test that fails should show. */
const LOG: Logger = {
  ...silent,
  warn: (message, fields) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  error: (message, fields) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  with: () => LOG,
};

/** Lets controllers work on a real cluster until the signal aborts. */
export async function runControllers(
  transport: Transport,
  controllers: readonly Controller[],
  signal: AbortSignal,
  calls: Readonly<Record<string, CallHandler>> = {},
): Promise<void> {
  const cache = createCache({ client: createClient(transport), clock: steadyClock, random: systemRandom, log: LOG });
  const loop = createControlLoop({
    controllers,
    cache,
    clock: systemClock,
    steady: steadyClock,
    random: systemRandom,
    log: LOG,
    events: createEventRecorder({ client: cache.client, clock: systemClock, component: 'sickbay', instance: 'ward' }),
    calls,
    metrics: noMetrics,
  });
  await Promise.all([cache.run(signal), loop.run(soleTerm(signal))]);
}
