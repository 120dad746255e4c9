import { CustomResourceDefinition, MachineHealthCheck, PART_OF, resourceName } from '../../api/index.ts';
import { messageOf, type Clock, type Logger } from '../../base/index.ts';
import type { Definitions } from '../../controllers/machine-health/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { patiently } from './read-with-retries.ts';

/** What the queries at the start need. */
export interface Asking {
  readonly clock: Clock;
  readonly log: Logger;
}

/** Which project defined Machines and their checks; undefined where that cannot be read: then Sickbay does nothing with Machines. */
export async function whoseDefinitions(client: KubeClient, { clock, log }: Asking): Promise<Definitions | undefined> {
  try {
    const key = { namespace: '', name: resourceName(MachineHealthCheck) };
    const { metadata } = await patiently(clock, () => client.get(CustomResourceDefinition, key));
    if (metadata.labels?.[PART_OF.label] === PART_OF.value) return 'sickbay';
    log.info('Cluster API is installed: Sickbay acts only on checks that are labelled for Sickbay and paused for Cluster API');
    return 'cluster-api';
  } catch (error) {
    log.warn('Sickbay does nothing with Machines: it cannot read which project defined MachineHealthCheck', { error: messageOf(error) });
    return undefined;
  }
}

/** A warning for operators although everything else works: both queries run once, at the start. */
export function machinesProblem(found: {
  readonly definitions: Definitions | undefined;
  /** Whether the owner of MachineSets is enabled, and whether it runs. */
  readonly wanted: boolean;
  readonly kept: boolean;
}): string | undefined {
  const { definitions, wanted, kept } = found;
  if (definitions === undefined) return 'Sickbay does nothing with Machines: the log says why, at the start; fix that and restart';
  return wanted && !kept
    ? 'the owner of MachineSets does not run although machineOwner.enabled is set: the log says why, at the start'
    : undefined;
}
