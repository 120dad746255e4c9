import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, toTime } from '../../../base/index.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import { anExecution, NOW } from './builders.ts';

type Past = Partial<ExecutionStatus> & { readonly name?: string; readonly minutesAgo?: number };

/** An execution that ended some minutes ago. */
function ended({ name = 'we-past', minutesAgo = 1, ...status }: Past): WorkflowExecution {
  return anExecution({ name, uid: name, status: { completionTime: toTime(after(NOW, -minutesAgo * MINUTE)), ...status } });
}

const details = (wasExecutionFailure: boolean, minutesAgo = 1): NonNullable<ExecutionStatus['failureDetails']> => ({
  reason: wasExecutionFailure ? 'TaskFailed' : 'ImagePullBackOff',
  message: 'm',
  naturalLanguageSummary: 's',
  failedAt: toTime(after(NOW, -minutesAgo * MINUTE)),
  failedTaskName: 'workflow',
  failedTaskIndex: 0,
  wasExecutionFailure,
  requiresManualReview: wasExecutionFailure,
});

export const aSuccess = (past: Past = {}): WorkflowExecution => ended({ phase: 'Completed', ...past });

/** The n-th failure in a row before anything ran; by default its wait is not over. */
export const aFailedStart = (n: number, past: Past = {}): WorkflowExecution =>
  ended({
    phase: 'Failed',
    failureDetails: details(false, past.minutesAgo),
    consecutiveFailures: n,
    nextAllowedExecution: toTime(after(NOW, MINUTE)),
    ...past,
  });

/** One that failed after it had begun. */
export const aFailedRun = (past: Past = {}): WorkflowExecution =>
  ended({ phase: 'Failed', failureDetails: details(true, past.minutesAgo), ...past });

/** One that never was to run, which is no failure of the target. */
export const aRefusal = (past: Past = {}): WorkflowExecution =>
  ended({ phase: 'Failed', failureDetails: details(false, past.minutesAgo), ...past });

export const aSkip = (past: Past = {}): WorkflowExecution => {
  const { completionTime: _, ...status } = ended({ phase: 'Skipped', ...past }).status ?? {};
  const skipDetails = { reason: 'PreviousExecutionFailed', message: 'm', skippedAt: toTime(NOW) } as const;
  return anExecution({ name: past.name ?? 'we-skipped', uid: past.name ?? 'we-skipped', status: { ...status, skipDetails } });
};

export const CLEARED = { clearedBy: 'anna', clearReason: 'looked at it', clearMethod: 'StatusField', clearedAt: toTime(NOW) } as const;
