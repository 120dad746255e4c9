import { isTerminal } from '../../../api/phases.ts';
import { executionPhases } from '../../../api/workflow-execution/phases.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { parseTime, SECOND } from '../../../base/index.ts';
import { BACKOFF_REASON, failuresOf } from '../../execution/history/index.ts';
import type { Increment } from './counters.ts';

/** What is counted when one state of an execution follows another: that it ended, and that it is held back, once for each wait. */
export function executionMetricsOf(before: WorkflowExecution | undefined, after: WorkflowExecution): readonly Increment[] {
  const [reason, outcome] = [heldBackBy(after), outcomeOf(before, after)];
  const isHeldBack = reason !== undefined && reason !== heldBackBy(before);
  return [
    ...(isHeldBack ? [{ counter: 'workflowexecution_backoff_skip_total', labels: { reason } } as const] : []),
    ...(outcome ? [{ counter: 'workflowexecution_reconciler_total', labels: { outcome } } as const] : []),
  ];
}

/** How long an execution took that has just ended: its run or, where it failed before there was one, everything since it was created. */
export interface RunTime {
  readonly outcome: 'Completed' | 'Failed';
  readonly seconds: number;
}

export function runTimeOf(before: WorkflowExecution | undefined, after: WorkflowExecution): RunTime | undefined {
  const outcome = outcomeOf(before, after);
  const { startTime = after.metadata.creationTimestamp, completionTime } = after.status ?? {};
  const [start, end] = [parseTime(startTime), parseTime(completionTime)];
  if (outcome === undefined || start === undefined || end === undefined) return undefined;
  return { outcome, seconds: Math.max(0, end - start) / SECOND };
}

function outcomeOf(before: WorkflowExecution | undefined, after: WorkflowExecution): RunTime['outcome'] | undefined {
  const phase = after.status?.phase;
  if (isTerminal(executionPhases, before?.status?.phase)) return undefined;
  return phase === 'Completed' || phase === 'Failed' ? phase : undefined;
}

function heldBackBy(execution: WorkflowExecution | undefined): 'RecentlyRemediated' | 'ExhaustedRetries' | undefined {
  const { phase, conditions, skipDetails } = execution?.status ?? {};
  if (phase === 'Skipped') return skipDetails?.reason === 'ExhaustedRetries' ? skipDetails.reason : undefined;
  const ready = conditions?.find(({ type }) => type === 'Ready');
  return phase === 'Pending' && ready?.reason === BACKOFF_REASON ? BACKOFF_REASON : undefined;
}

/** Failures in a row before anything ran, by target; only where there are any, or every target ever seen would stay. */
export function failuresByTarget(executions: readonly WorkflowExecution[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(executions, ({ spec }) => spec.targetResource);
  const counts = [...groups].map(([target, group]) => [target, failuresOf(group).failures] as const);
  return new Map(counts.filter(([, failures]) => failures > 0));
}
