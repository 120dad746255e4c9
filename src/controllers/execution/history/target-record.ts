import { failedAfterStart } from '../../../api/workflow-execution/failed-after-start.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { instant, parseTime, type Instant } from '../../../base/index.ts';
import type { Listed } from '../../../runtime/reconcile/controller.ts';

/** What the executions that are over say about their target. */
export interface TargetFailures {
  /** One that failed after it had begun to act, and that no person has cleared: nothing runs before that. */
  readonly blocker?: WorkflowExecution;
  /** Failures in a row before anything ran. */
  readonly failures: number;
  /** The last of them. */
  readonly last?: WorkflowExecution;
  /** All of them that are still there, the newest first. */
  readonly row: readonly WorkflowExecution[];
}

/**
 * Goes back from the newest to the last one that restarts the count. One that never ran, because it was skipped or refusal, says nothing
 * about the target; so it neither lifts nor hides what was before it.
 */
export function failuresOf(executions: readonly WorkflowExecution[]): TargetFailures {
  const row: WorkflowExecution[] = [];
  for (const execution of newestFirst(executions)) {
    const mark = markOf(execution);
    if (mark === 'reset') break;
    if (mark === 'block') return { ...countedIn(row, execution), blocker: execution };
    if (mark === 'failure') row.push(execution);
  }
  return countedIn(row);
}

/** The newest of the row knows how long it is; without one, the run that failed after it does. */
function countedIn(row: readonly WorkflowExecution[], blocker?: WorkflowExecution): TargetFailures {
  const [last] = row;
  return { failures: (last ?? blocker)?.status?.consecutiveFailures ?? 0, row, ...(last && { last }) };
}

/** Whether it matters to the target for as long as it is there: as a block, or as one of a row of failures. */
export const countsAgainstTarget = (execution: WorkflowExecution): boolean => ['block', 'failure'].includes(markOf(execution));

/** What one execution means for the next. A failure that says nothing about itself is taken for one that came after the start. */
function markOf(execution: WorkflowExecution): 'reset' | 'block' | 'failure' | 'none' {
  const { phase, blockClearance, nextAllowedExecution } = execution.status ?? {};
  if (phase === 'Completed') return 'reset';
  if (phase !== 'Failed') return 'none';
  if (blockClearance !== undefined) return 'reset';
  if (failedAfterStart(execution)) return 'block';
  return nextAllowedExecution === undefined ? 'none' : 'failure';
}

/**
 * When a run begins that comes after these: never before the last of them ended, whatever our clock says. Clocks are set, and which of two came
 * last decides whether the target is blocked.
 */
export function startTimeAfter(history: Listed<WorkflowExecution>, now: Instant): Instant {
  const ends = history.kind === 'value' ? history.value.flatMap(({ status }) => parseTime(status?.completionTime) ?? []) : [];
  return ends.reduce((latest, end) => (end > latest ? end : latest), now);
}

/** Of two that ended at the same moment the one that failed counts as the newer: to be held back without need does less harm. */
const newestFirst = (executions: readonly WorkflowExecution[]): readonly WorkflowExecution[] =>
  executions.toSorted((a, b) => endOf(b) - endOf(a) || Number(markOf(a) === 'reset') - Number(markOf(b) === 'reset'));

function endOf({ metadata, status }: WorkflowExecution): Instant {
  const { completionTime, failureDetails } = status ?? {};
  return parseTime(completionTime) ?? parseTime(failureDetails?.failedAt) ?? parseTime(metadata.creationTimestamp) ?? instant(0);
}
