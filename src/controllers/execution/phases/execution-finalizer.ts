import { keyOf } from '../../../api/meta.ts';
import { FINALIZERS } from '../../../api/well-known.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { JsonPatchOperation } from '../../../kube/client/client.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';

const { workflowExecution: FINALIZER } = FINALIZERS;

/** Whether the server keeps the execution, should somebody delete it, until nothing of it is left. */
export const isKept = ({ metadata }: WorkflowExecution): boolean => metadata.finalizers?.includes(FINALIZER) ?? false;

/** Somebody deleted it, and it waits for us. */
export const isGoing = (execution: WorkflowExecution): boolean => execution.metadata.deletionTimestamp !== undefined && isKept(execution);

/** Puts the finalizer on: before there is anything that a deletion could leave behind. */
export const keep = (execution: WorkflowExecution): Effect => write(execution, [...(execution.metadata.finalizers ?? []), FINALIZER]);

/** Takes it off: nothing is left to do when the execution goes. */
export const giveUp = (execution: WorkflowExecution): Effect =>
  write(
    execution,
    (execution.metadata.finalizers ?? []).filter((other) => other !== FINALIZER),
  );

/** Under the version that was seen: the list may hold the finalizers of others. */
function write(execution: WorkflowExecution, finalizers: readonly string[]): Effect {
  const { uid, resourceVersion } = execution.metadata;
  const operations: readonly JsonPatchOperation[] = [{ op: 'add', path: '/metadata/finalizers', value: finalizers }];
  return { kind: 'Patch', resource: WorkflowExecution, key: keyOf(execution), uid, resourceVersion, operations };
}
