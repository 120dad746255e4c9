import type { KindDefinition } from '../../api/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';

/** Lists one object of a kind: a small request, however many there are. Rejects with the error of the server. */
export async function probeKind(client: KubeClient, kind: KindDefinition, namespace: string): Promise<void> {
  await client.list(kind, { namespace, fieldSelector: 'metadata.name=none' });
}
