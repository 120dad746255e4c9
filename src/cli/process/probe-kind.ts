import type { KindDefinition } from '../../api/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';

/** Asks for a kind's objects but wants none: one small request, however many there are. Rejects with what the server objects to. */
export async function probeKind(client: KubeClient, kind: KindDefinition, namespace: string): Promise<void> {
  await client.list(kind, { namespace, fieldSelector: 'metadata.name=none' });
}
