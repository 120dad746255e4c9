/** The orchestrator alone, as the product runs it: control loop, cache and client. */
import { seededRandom, silent, steadyClock, systemClock, turn } from '../../../src/base/index.ts';
import { createRemediationController } from '../../../src/controllers/remediation/index.ts';
import { DEFAULT_SETTINGS } from '../../../src/controllers/default-settings.ts';
import { createClient } from '../../../src/kube/client/api-client.ts';
import { createCache } from '../../../src/kube/cache/create-cache.ts';
import { createControlLoop, soleTerm } from '../../../src/runtime/index.ts';
import { servePart } from './part.ts';

servePart(async (transport, { namespace, workers }) => {
  const settings = { ...DEFAULT_SETTINGS, namespace, stabilizationMs: 0 };
  const cache = createCache({ client: createClient(transport), clock: steadyClock, random: seededRandom(1) });
  const loop = createControlLoop({
    controllers: [createRemediationController({ settings: () => settings, identityIsChecked: () => true, isAudited: () => true })],
    cache,
    clock: systemClock,
    steady: steadyClock,
    random: seededRandom(2),
    log: silent,
    // The story of a remediation is told by the narrator, which is no part of this.
    events: { record: () => Promise.resolve() },
    workers,
    breathe: turn,
  });
  const { signal } = new AbortController();
  void cache.run(signal);
  void loop.run(soleTerm(signal));
  await cache.synced(signal);
});
