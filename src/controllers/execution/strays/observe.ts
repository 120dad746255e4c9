import { Lease } from '../../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Reader } from '../../../runtime/controller.ts';
import { executionUidOf } from '../names.ts';
import { readPods, servedRun } from '../read-run.ts';
import type { StraySeen } from './decide.ts';

/** How executions are found by their UID: labels hold too few characters for some names. */
export const BY_UID = 'uid';

export async function observeStray(resource: Resource, key: ObjectKey, reader: Reader, namespace: string): Promise<StraySeen | undefined> {
  const found = reader.get(resource, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const isOrphan = await isOrphaned(object, reader, namespace);
  if (isOrphan !== true || resource.kind !== Lease.kind) return { object, isOrphan };
  const [run, pods] = await Promise.all([servedRun(reader, key, () => true), readPods(reader, key)]);
  return { object, isOrphan, beneath: { run, pods } };
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
