import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, instant, MINUTE, parseTime, type Instant } from '../../../base/index.ts';

/** How long a run may take where neither its request nor its plan says. */
export const LONGEST_RUN_MS = 30 * MINUTE;

/** How long after its time a Job may take to end by itself before it is ended. */
const GRACE_MS = MINUTE;

/** When nothing of it may start any more; never, when the spec does not say. */
export const startBefore = ({ spec }: WorkflowExecution): Instant => parseTime(spec.timesOutAt) ?? instant(Number.MAX_SAFE_INTEGER);

/** Whether the Job should have ended by itself, and did not. */
export const isLate = (execution: WorkflowExecution, now: Instant): boolean => now >= after(startBefore(execution), GRACE_MS);
