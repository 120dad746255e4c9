import { Lease } from '../api/builtin/index.ts';
import { keyOf } from '../api/meta.ts';
import { ANNOTATIONS, LABELS } from '../api/well-known.ts';
import { hasCode } from '../base/index.ts';
import { storedBlock, type StoredBlock } from '../controllers/execution/index.ts';
import type { KubeClient } from '../kube/client/client.ts';

/** A target block that is recorded on the lock, because the failed execution is deleted. */
export interface Kept {
  readonly lock: Lease;
  readonly block: StoredBlock;
  readonly target: string;
}

/** The blocks that are not cleared yet; none for a user who may not read locks. */
export async function keptBlocks(client: KubeClient, namespace: string): Promise<readonly Kept[]> {
  try {
    const { items } = await client.list(Lease, { namespace, labelSelector: LABELS.workflowExecutionUid });
    return items.flatMap((lock) => {
      const block = storedBlock(lock);
      const target = lock.metadata.annotations?.[ANNOTATIONS.targetResource] ?? '';
      return block && !block.clearance ? [{ lock, block, target }] : [];
    });
  } catch (error) {
    if (hasCode(error, 'Forbidden') || hasCode(error, 'NotFound')) return [];
    throw error;
  }
}

/** Records on the lock that the block is cleared. A conflict means that the lock changed: the user has to check again. */
export async function clearKept(
  client: KubeClient,
  { lock }: Kept,
  { by, reason, at }: { readonly by: string; readonly reason: string; readonly at: string },
): Promise<void> {
  const { uid, resourceVersion } = lock.metadata;
  const annotations = { [ANNOTATIONS.blockClearedBy]: by, [ANNOTATIONS.blockClearReason]: reason, [ANNOTATIONS.blockClearedAt]: at };
  await client.patch(Lease, keyOf(lock), { type: 'merge', body: { metadata: { uid, resourceVersion, annotations } } });
}
