import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { formatDuration, parseTime, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { Settings } from '../../settings.ts';
import type { SkipDetails } from '../status/execution-status.ts';
import { blockFrom, type TargetBlock, type StoredBlock } from '../target-block/stored-block.ts';
import { failuresOf, type TargetFailures } from './target-record.ts';

/** Whether what happened on the target before keeps an execution from running. */
export type HistoryVerdict =
  | { readonly kind: 'Free' }
  /** For good: waiting does not help, a person must act. */
  | { readonly kind: 'Skip'; readonly skip: Omit<SkipDetails, 'skippedAt'> }
  | { readonly kind: 'Wait'; readonly until: Instant; readonly message: string };

/** The reason of Ready while an execution waits for the back-off to end. */
export const BACKOFF_REASON = 'RecentlyRemediated';

/** What a hold is judged by, besides the executions that are there. */
export interface Judging {
  readonly settings: Settings;
  readonly now: Instant;
  /** A block that the target's lock keeps. */
  readonly kept?: StoredBlock | undefined;
}

/** First what a person must clear, a run that failed before retries that ran out; then the back-off. */
export function judgeHistory(target: string, history: readonly WorkflowExecution[], judging: Judging): HistoryVerdict {
  const record = failuresOf(history);
  const block = blockIn(record, judging);
  return block ? { kind: 'Skip', skip: skipFor(target, block) } : backOffIn(record, judging.now);
}

/** Whether the history as it is known here would skip the execution. A skip is final, so it is decided on a live read only. */
export const wouldSkip = ({ spec }: WorkflowExecution, history: readonly WorkflowExecution[], judging: Judging): boolean =>
  judgeHistory(spec.targetResource, history, judging).kind === 'Skip';

/** The skip details of an execution that a block keeps off the target. */
export const skipFor = (target: string, block: TargetBlock): Omit<SkipDetails, 'skippedAt'> =>
  block.reason === 'ExhaustedRetries' ? exhausted(target, block) : previousExecutionFailed(target, block);

/** What a person must clear, whether the execution is there or the lock keeps what it said. */
export function blockIn({ blocker, failures, last }: TargetFailures, { settings, kept }: Omit<Judging, 'now'>): TargetBlock | undefined {
  const open = kept?.clearance ? undefined : kept;
  if (blocker) return blockFrom(blocker, 'PreviousExecutionFailed');
  if (open?.reason === 'PreviousExecutionFailed') return open;
  return last && failures >= settings.execution.maxConsecutiveFailures ? blockFrom(last, 'ExhaustedRetries') : open;
}

function backOffIn({ last }: TargetFailures, now: Instant): HistoryVerdict {
  const until = parseTime(last?.status?.nextAllowedExecution);
  return last && until !== undefined && now < until ? { kind: 'Wait', until, message: backsOff(last, until, now) } : { kind: 'Free' };
}

const previousExecutionFailed = (target: string, block: TargetBlock): Omit<SkipDetails, 'skippedAt'> => ({
  reason: 'PreviousExecutionFailed',
  message:
    `${block.name} failed while it ran on ${target}, and may have changed it: actions that must not be repeated may have happened. ` +
    `Check the target, then ${clearWith(block)}.`,
  recentRemediation: {
    name: block.name,
    workflowId: block.workflowId,
    completedAt: block.completedAt,
    outcome: 'Failed',
    targetResource: target,
  },
});

const exhausted = (target: string, block: TargetBlock): Omit<SkipDetails, 'skippedAt'> => ({
  reason: 'ExhaustedRetries',
  message:
    `${block.failures} executions in a row failed on ${target} before anything ran (pre-execution). ` +
    `Remove the cause that ${block.name} reports, then ${clearWith(block)}.`,
});

const clearWith = ({ name }: TargetBlock): string => `clear the block: sickbay clear-block ${name} --reason "…"`;

/** The time left is told as it was when the wait began; the moment it ends at stays true. */
function backsOff({ metadata, spec, status }: WorkflowExecution, until: Instant, now: Instant): string {
  const { consecutiveFailures = 1, phase, completionTime } = status ?? {};
  const left = formatDuration(Math.ceil((until - now) / SECOND) * SECOND);
  const what = `workflow ${spec.workflowRef.workflowId} on ${spec.targetResource}, ${phase} at ${completionTime}`;
  return `backs off after ${metadata.name} (failure ${consecutiveFailures} in a row: ${what}): next execution allowed in ${left}, ${endsAt(until)}`;
}

/** How every message about one wait ends. */
export const endsAt = (until: Instant): string => `at ${toTime(until)}`;
