import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { BACKING_OFF, recordOf } from '../execution/history/index.ts';
import type { Increment } from './increments.ts';

/** What is counted when one state of an execution follows another: that it is held back, once for each wait. */
export function executionMetricsOf(before: WorkflowExecution | undefined, after: WorkflowExecution): readonly Increment[] {
  const reason = heldBackBy(after);
  return reason === undefined || reason === heldBackBy(before)
    ? []
    : [{ counter: 'workflowexecution_backoff_skip_total', labels: { reason } }];
}

function heldBackBy(execution: WorkflowExecution | undefined): 'RecentlyRemediated' | 'ExhaustedRetries' | undefined {
  const { phase, conditions, skipDetails } = execution?.status ?? {};
  if (phase === 'Skipped') return skipDetails?.reason === 'ExhaustedRetries' ? skipDetails.reason : undefined;
  const ready = conditions?.find(({ type }) => type === 'Ready');
  return phase === 'Pending' && ready?.reason === BACKING_OFF ? BACKING_OFF : undefined;
}

/** Failures in a row before anything ran, by target; only where there are any, or every target ever seen would stay. */
export function failuresByTarget(executions: readonly WorkflowExecution[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(executions, ({ spec }) => spec.targetResource);
  const counts = [...groups].map(([target, group]) => [target, recordOf(group).failures] as const);
  return new Map(counts.filter(([, failures]) => failures > 0));
}
