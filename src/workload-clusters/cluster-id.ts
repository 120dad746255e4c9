import { Namespace } from '../api/builtin/index.ts';
import { hasCode } from '../base/index.ts';
import type { KubeClient } from '../kube/client/client.ts';

/**
 * What distinguishes a cluster from every other, whatever address it is reached at: the UID of its kube-system namespace. Undefined where we may not
 * see it; rejects if the server does not answer.
 */
export async function clusterId(client: KubeClient, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await client.get(Namespace, { namespace: '', name: 'kube-system' }, { metadataOnly: true, signal })).metadata.uid;
  } catch (error) {
    if (hasCode(error, 'Forbidden') || hasCode(error, 'NotFound')) return undefined;
    throw error;
  }
}
