import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, instant, MINUTE, parseTime, type Instant } from '../../../base/index.ts';
import type { Settings } from '../../settings.ts';

/** How long a run may take where neither its request nor its plan says. */
export const LONGEST_RUN_MS = 30 * MINUTE;

/** How long after its time a Job may take to end by itself before it is ended. */
const GRACE_MS = MINUTE;

/** How long clearing up may take, from the cooldown on, before people are told that it does not work. */
const CLEARING_MS = 5 * MINUTE;

/** When nothing of it may start any more; never, when the spec does not say. */
export const startBefore = ({ spec }: WorkflowExecution): Instant => parseTime(spec.timesOutAt) ?? instant(Number.MAX_SAFE_INTEGER);

/** Whether the Job should have ended by itself, and did not. */
export const isLate = (execution: WorkflowExecution, now: Instant): boolean => now >= after(startBefore(execution), GRACE_MS);

/** Until when run and lock of an execution that is over are kept: others keep off the target, and people can look. */
export function keptUntil({ status }: WorkflowExecution, { cooldownMs }: Settings): Instant {
  const end = parseTime(status?.completionTime);
  return end === undefined ? instant(0) : after(end, cooldownMs);
}

/** Whether everything of the execution should be deleted by now; false where it is unknown when it ended. */
export const isClearingLate = (execution: WorkflowExecution, settings: Settings, now: Instant): boolean =>
  execution.status?.completionTime !== undefined && now >= after(keptUntil(execution, settings), CLEARING_MS);
