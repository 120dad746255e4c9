import { CustomResourceDefinition, MachineHealthCheck, PART_OF, resourceName } from '../api/index.ts';
import { messageOf, type Logger } from '../base/index.ts';
import type { Definitions } from '../controllers/machine-health/index.ts';
import type { KubeClient } from '../kube/client.ts';

/** Whose definitions of Machines and their checks there are; undefined where nobody knows: then Machines are left alone. */
export async function whoseDefinitions(client: KubeClient, log: Logger): Promise<Definitions | undefined> {
  try {
    const { metadata } = await client.get(CustomResourceDefinition, { namespace: '', name: resourceName(MachineHealthCheck) });
    if (metadata.labels?.[PART_OF.label] === PART_OF.value) return 'sickbay';
    log.info('Cluster API is installed here: only checks that are labelled for Sickbay and paused for Cluster API are worked on');
    return 'cluster-api';
  } catch (error) {
    log.warn('Machines are left alone: nobody knows whose definition MachineHealthCheck is', { error: messageOf(error) });
    return undefined;
  }
}
