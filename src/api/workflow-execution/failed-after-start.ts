import type { WorkflowExecution } from './workflow-execution.ts';

/**
 * Whether an execution failed after its run had started, so that it may have changed the target. A failure without details is taken for one
 * that came after the start.
 */
export const failedAfterStart = ({ status }: WorkflowExecution): boolean =>
  status?.phase === 'Failed' && status.failureDetails?.wasExecutionFailure !== false;
