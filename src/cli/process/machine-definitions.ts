import { CustomResourceDefinition, MachineHealthCheck, PART_OF, resourceName } from '../../api/index.ts';
import { messageOf, type Clock, type Logger } from '../../base/index.ts';
import type { Definitions } from '../../controllers/machine-health/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { patiently } from './read-with-retries.ts';

/** What a question at the start is asked with. */
export interface Asking {
  readonly clock: Clock;
  readonly log: Logger;
}

/** Whose definitions of Machines and their checks there are; undefined where nobody knows: then Machines are left alone. */
export async function whoseDefinitions(client: KubeClient, { clock, log }: Asking): Promise<Definitions | undefined> {
  try {
    const key = { namespace: '', name: resourceName(MachineHealthCheck) };
    const { metadata } = await patiently(clock, () => client.get(CustomResourceDefinition, key));
    if (metadata.labels?.[PART_OF.label] === PART_OF.value) return 'sickbay';
    log.info('Cluster API is installed here: only checks that are labelled for Sickbay and paused for Cluster API are worked on');
    return 'cluster-api';
  } catch (error) {
    log.warn('Machines are left alone: nobody knows whose definition MachineHealthCheck is', { error: messageOf(error) });
    return undefined;
  }
}

/** What people should know although everything else works: both questions are asked once, at the start. */
export function machinesProblem(found: {
  readonly definitions: Definitions | undefined;
  /** Whether MachineSets are to be kept, and whether they are. */
  readonly wanted: boolean;
  readonly kept: boolean;
}): string | undefined {
  const { definitions, wanted, kept } = found;
  if (definitions === undefined) return 'Machines are left alone: the log says why, at the start; mend that and restart';
  return wanted && !kept ? 'MachineSets are left alone although machineOwner.enabled is set: the log says why, at the start' : undefined;
}
