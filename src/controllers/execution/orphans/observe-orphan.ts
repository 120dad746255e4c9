import { Lease } from '../../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { executionUidOf } from '../names.ts';
import { readPods, liveRun } from '../run/read-run.ts';
import type { ObservedOrphan } from './decide-orphan.ts';

/** How executions are found by their UID: labels hold too few characters for some names. */
export const BY_UID = 'uid';

/** From the cache while its execution is there; once that is gone, everything from a live read: a deletion cannot be undone. */
export async function observeOrphan(
  resource: Resource,
  key: ObjectKey,
  reader: Reader,
  namespace: string,
): Promise<ObservedOrphan | undefined> {
  const cached = reader.get(resource, key);
  if (cached.kind !== 'value') return undefined;
  const isOrphan = await isOrphaned(cached.value, reader, namespace);
  if (isOrphan !== true) return { object: cached.value, isOrphan };
  const served = await reader.fetch(resource, key);
  if (served.kind === 'unreadable') return { object: cached.value, isOrphan: undefined };
  if (served.kind === 'absent' || served.value.metadata.uid !== cached.value.metadata.uid) return undefined;
  if (resource.kind !== Lease.kind) return { object: served.value, isOrphan };
  const [run, pods] = await Promise.all([liveRun(reader, key, () => true), readPods(reader, key)]);
  return { object: served.value, isOrphan, beneath: { run, pods } };
}

/** That an execution is gone is for the server to say: in the cache it may not have come yet. */
async function isOrphaned(object: KubeObject, reader: Reader, namespace: string): Promise<boolean | undefined> {
  const uid = executionUidOf(object);
  if (uid === undefined) return false;
  const cached = reader.list(WorkflowExecution, { index: BY_UID, value: uid });
  if (cached.kind === 'value' && cached.value.length > 0) return false;
  const served = await reader.fetchList(WorkflowExecution, { namespace });
  return served.kind === 'value' ? !served.value.some(({ metadata }) => metadata.uid === uid) : undefined;
}
