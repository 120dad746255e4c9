import { CustomResourceDefinition, MachineSet, PART_OF, resourceName } from '../../api/index.ts';
import { messageOf, type Clock, type Logger, type Random } from '../../base/index.ts';
import type { Definitions } from '../../controllers/machine-health/index.ts';
import { createEvictPod, createMachineOwnerControllers, EVICT_POD } from '../../controllers/machine-owner/index.ts';
import type { SettingsSource } from '../../controllers/settings.ts';
import { createCache, createClient, createEventRecorder, type KubeClient, type Transport } from '../../kube/index.ts';
import { createControlLoop, type LoopMetrics, type Term, type WorkEnd } from '../../runtime/index.ts';
import { patiently } from './read-with-retries.ts';
import type { Asking } from './machine-definitions.ts';

export interface MachineOwnerOptions {
  /** A transport to the API under the owner's own account. */
  readonly transport: Transport;
  readonly settings: SettingsSource;
  readonly clock: Clock;
  readonly steady: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly identity: string;
  readonly metrics?: LoopMetrics;
  readonly breathe?: () => Promise<void>;
}

/** The owner of MachineSets: with a client, a cache and rights of its own. */
interface MachineOwner {
  /** Follows the cluster until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  work(term: Term): Promise<WorkEnd>;
}

function createMachineOwner({ transport, settings, identity, ...options }: MachineOwnerOptions): MachineOwner {
  const { clock, steady, random, log } = options;
  const cache = createCache({ client: createClient(transport), clock: steady, random, log });
  const { client } = cache;
  const loop = createControlLoop({
    ...options,
    controllers: createMachineOwnerControllers(settings),
    cache,
    events: createEventRecorder({ client, clock, component: 'sickbay-machine-owner', instance: identity, log }),
    calls: { [EVICT_POD]: createEvictPod({ client, log }) },
  });
  return { run: (signal) => cache.run(signal), work: (term) => loop.run(term) };
}

/** What runs beside the controllers of a process: the owner, where it is enabled. */
export interface Beside {
  run(signal: AbortSignal): Promise<void>;
  /** Runs for the leader's term too; ends when both have ended. */
  work(term: Term, controllers: Promise<WorkEnd>): Promise<WorkEnd>;
}

export function ownerBeside({ machineOwner: transport, ...options }: BesideOptions): Beside {
  const owner = transport && createMachineOwner({ ...options, transport });
  return {
    run: (signal) => owner?.run(signal) ?? Promise.resolve(),
    async work(term, controllers) {
      const ends = await Promise.all([controllers, owner?.work(term)]);
      return ends.includes('stuck') ? 'stuck' : 'ended';
    },
  };
}

type BesideOptions = Omit<MachineOwnerOptions, 'transport'> & { readonly machineOwner?: Transport };

/** The transport of the owner, if it runs. */
export async function ownerOf(
  transport: Transport | undefined,
  definitions: Definitions | undefined,
  asking: Asking,
): Promise<{ readonly machineOwner?: Transport }> {
  if (!transport || definitions !== 'sickbay') return {};
  return (await mayKeepMachineSets(createClient(transport), asking)) ? { machineOwner: transport } : {};
}

/** Whether the owner may run: only where the definition of MachineSets is ours, or Cluster API's controller would act on them too. */
async function mayKeepMachineSets(client: KubeClient, { clock, log }: Asking): Promise<boolean> {
  try {
    const key = { namespace: '', name: resourceName(MachineSet) };
    const { metadata } = await patiently(clock, () => client.get(CustomResourceDefinition, key));
    const isOurs = metadata.labels?.[PART_OF.label] === PART_OF.value;
    if (!isOurs) log.warn('the owner of MachineSets does not run: Cluster API defines them; machineOwner.enabled has no effect');
    return isOurs;
  } catch (error) {
    log.warn('the owner of MachineSets does not run: it cannot read which project defined them', { error: messageOf(error) });
    return false;
  }
}
