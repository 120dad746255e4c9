import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { formatDuration, parseTime, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { Settings } from '../../settings.ts';
import type { SkipDetails } from '../status.ts';
import { recordOf } from './record.ts';

/** Whether what happened on the target before keeps an execution from running. */
export type Hold =
  | { readonly kind: 'Free' }
  /** For good: waiting does not help, a person must act. */
  | { readonly kind: 'Skip'; readonly skip: Omit<SkipDetails, 'skippedAt'> }
  | { readonly kind: 'Wait'; readonly until: Instant; readonly message: string };

/** The reason of Ready while an execution waits for the back-off to end. */
export const BACKING_OFF = 'RecentlyRemediated';

/** First what a person must clear, a run that failed before retries that ran out; then the back-off. */
export function judgeHistory(
  target: string,
  history: readonly WorkflowExecution[],
  { settings, now }: { readonly settings: Settings; readonly now: Instant },
): Hold {
  const { blocker, failures, last } = recordOf(history);
  if (blocker) return { kind: 'Skip', skip: previousExecutionFailed(target, blocker) };
  if (failures >= settings.execution.maxConsecutiveFailures) return { kind: 'Skip', skip: exhausted(target, failures, last) };
  const until = parseTime(last?.status?.nextAllowedExecution);
  return last && until !== undefined && now < until ? { kind: 'Wait', until, message: backsOff(last, until, now) } : { kind: 'Free' };
}

const previousExecutionFailed = (target: string, blocker: WorkflowExecution): Omit<SkipDetails, 'skippedAt'> => ({
  reason: 'PreviousExecutionFailed',
  message:
    `${blocker.metadata.name} failed while it ran on ${target}, and may have changed it: actions that must not be repeated may have happened. ` +
    `Look at the target, then ${clearWith(blocker)}.`,
  recentRemediation: recent(blocker),
});

const exhausted = (target: string, failures: number, last: WorkflowExecution | undefined): Omit<SkipDetails, 'skippedAt'> => ({
  reason: 'ExhaustedRetries',
  message:
    `${failures} executions in a row failed on ${target} before anything ran (pre-execution). ` +
    `Remove the cause${last ? ` that ${last.metadata.name} tells, then ${clearWith(last)}` : ''}.`,
});

const clearWith = ({ metadata }: WorkflowExecution): string => `clear it: sickbay clear-block ${metadata.name} --reason "…"`;

/** The time left is told as it was when the wait began; the moment it ends at stays true. */
function backsOff({ metadata, status }: WorkflowExecution, until: Instant, now: Instant): string {
  const left = formatDuration(Math.ceil((until - now) / SECOND) * SECOND);
  return `backs off after ${metadata.name} (failure ${status?.consecutiveFailures ?? 1} in a row): next execution allowed in ${left}, ${endsAt(until)}`;
}

/** How every message about one wait ends. */
export const endsAt = (until: Instant): string => `at ${toTime(until)}`;

function recent({ metadata, spec, status }: WorkflowExecution): NonNullable<SkipDetails['recentRemediation']> {
  return {
    name: metadata.name,
    workflowId: spec.workflowRef.workflowId,
    completedAt: status?.completionTime ?? status?.failureDetails?.failedAt ?? metadata.creationTimestamp,
    outcome: status?.phase ?? '',
    targetResource: spec.targetResource,
  };
}
