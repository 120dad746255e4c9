import { FINALIZERS } from '../../../api/well-known.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from '../../../runtime/reconcile/finalizers.ts';

const { workflowExecution: FINALIZER } = FINALIZERS;

/** Whether a deleted execution stays until everything it started is cleaned up. */
export const hasExecutionFinalizer = (execution: WorkflowExecution): boolean => hasFinalizer(execution, FINALIZER);

/** The execution was deleted, and waits for our cleanup. */
export const isBeingDeleted = (execution: WorkflowExecution): boolean =>
  execution.metadata.deletionTimestamp !== undefined && hasExecutionFinalizer(execution);

/** Adds the finalizer, before there is anything that a deletion could orphan. */
export const keep = (execution: WorkflowExecution): Effect => addFinalizer(WorkflowExecution, execution, FINALIZER);

/** Removes the finalizer: nothing is left to clean up when the execution is deleted. */
export const removeExecutionFinalizer = (execution: WorkflowExecution): Effect => removeFinalizer(WorkflowExecution, execution, FINALIZER);
