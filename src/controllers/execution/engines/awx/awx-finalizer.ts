import { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import type { Effect } from '../../../../runtime/reconcile/controller.ts';
import * as finalizers from '../../../../runtime/reconcile/finalizers.ts';

/** As long as an execution has it, objects of the execution may exist in AWX, and the execution must not be deleted before them. */
export const AWX_FINALIZER = 'kubernaut.ai/awx-cleanup';

export const hasFinalizer = (execution: WorkflowExecution): boolean => finalizers.hasFinalizer(execution, AWX_FINALIZER);

/** Comes before the first object is created in AWX. */
export const addFinalizer = (execution: WorkflowExecution): Effect => finalizers.addFinalizer(WorkflowExecution, execution, AWX_FINALIZER);

/** Comes after the last object in AWX is deleted. */
export const removeFinalizer = (execution: WorkflowExecution): Effect =>
  finalizers.removeFinalizer(WorkflowExecution, execution, AWX_FINALIZER);
