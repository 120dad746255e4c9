import { CustomResourceDefinition, MachineHealthCheck, PART_OF, resourceName } from '../api/index.ts';
import { messageOf, type Logger } from '../base/index.ts';
import type { KubeClient } from '../kube/client.ts';

/** Whether Machines are checked here: only where their definitions are ours. Where Cluster API has its own, its own controller is at work. */
export async function checksMachines(client: KubeClient, log: Logger): Promise<boolean> {
  try {
    const { metadata } = await client.get(CustomResourceDefinition, { namespace: '', name: resourceName(MachineHealthCheck) });
    const isOurs = metadata.labels?.[PART_OF.label] === PART_OF.value;
    if (!isOurs) log.info('Machines are left alone: MachineHealthCheck is defined by Cluster API here');
    return isOurs;
  } catch (error) {
    log.warn('Machines are left alone: nobody knows whose definition MachineHealthCheck is', { error: messageOf(error) });
    return false;
  }
}
