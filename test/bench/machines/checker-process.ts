/** The health checks of Machines alone, as the product runs them: control loop, cache, client and Events. */
import { seededRandom, silent, steadyClock, systemClock, turn } from '../../../src/base/index.ts';
import { createMachineHealthControllers } from '../../../src/controllers/machine-health/index.ts';
import { DEFAULT_SETTINGS } from '../../../src/controllers/default-settings.ts';
import { createClient } from '../../../src/kube/client/api-client.ts';
import { createCache } from '../../../src/kube/cache/create-cache.ts';
import { createEventRecorder } from '../../../src/kube/objects/events.ts';
import { createControlLoop, soleTerm } from '../../../src/runtime/index.ts';
import { servePart } from '../orchestrator/part.ts';

servePart(async (transport) => {
  let evaluated = 0;
  const cache = createCache({ client: createClient(transport), clock: steadyClock, random: seededRandom(1) });
  const loop = createControlLoop({
    controllers: createMachineHealthControllers(() => DEFAULT_SETTINGS.machineHealth, { evaluated: () => evaluated++ }),
    cache,
    clock: systemClock,
    steady: steadyClock,
    random: seededRandom(2),
    log: silent,
    events: createEventRecorder({ client: cache.client, clock: systemClock, component: 'sickbay', instance: 'bench' }),
    breathe: turn,
  });
  const { signal } = new AbortController();
  void cache.run(signal);
  void loop.run(soleTerm(signal));
  await cache.synced(signal);
  return () => ({ evaluated });
});
