import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { WorkflowExecution as Kind } from '../../../../api/workflow-execution/workflow-execution.ts';
import { keyOf } from '../../../../api/meta.ts';
import type { Effect } from '../../../../runtime/reconcile/controller.ts';

/** As long as an execution has it there may be something of it in AWX, and the execution must not go before that has. */
export const AWX_FINALIZER = 'kubernaut.ai/awx-cleanup';

export const hasFinalizer = ({ metadata }: WorkflowExecution): boolean => metadata.finalizers?.includes(AWX_FINALIZER) === true;

/** Comes before the first thing that is made in AWX. */
export const addFinalizer = (execution: WorkflowExecution): Effect =>
  finalizersOf(execution, [...(execution.metadata.finalizers ?? []), AWX_FINALIZER]);

/** Goes after the last one has gone. */
export const removeFinalizer = (execution: WorkflowExecution): Effect =>
  finalizersOf(
    execution,
    (execution.metadata.finalizers ?? []).filter((name) => name !== AWX_FINALIZER),
  );

const finalizersOf = (execution: WorkflowExecution, value: readonly string[]): Effect => ({
  kind: 'Patch',
  resource: Kind,
  key: keyOf(execution),
  uid: execution.metadata.uid,
  resourceVersion: execution.metadata.resourceVersion,
  operations: [{ op: 'add', path: '/metadata/finalizers', value }],
});
