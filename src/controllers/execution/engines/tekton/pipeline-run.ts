import { PipelineRun, type PodCondition } from '../../../../api/builtin/index.ts';
import { parseTime } from '../../../../base/index.ts';
import { keyOf } from '../../../../api/meta.ts';
import type { Effect } from '../../../../runtime/reconcile/controller.ts';
import { isPipelineRunHeld } from '../../../../runtime/reconcile/release-suspended-runs.ts';
import type { RunProgress, RunResult } from '../engine.ts';

/** The one condition of PipelineRuns and TaskRuns: `Unknown` as long as they go on. */
export const succeeded = (status: { readonly conditions?: readonly PodCondition[] } | undefined): PodCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Succeeded');

/** How the run ended; undefined as long as it goes on. */
export function pipelineRunEnd({ status }: PipelineRun): RunResult | undefined {
  const condition = succeeded(status);
  if (condition?.status !== 'True' && condition?.status !== 'False') return undefined;
  const at = parseTime(status?.completionTime ?? condition.lastTransitionTime ?? undefined);
  const isStopped = condition.reason === 'Cancelled' ? { isStopped: true as const } : {};
  return { succeeded: condition.status === 'True', ...isStopped, ...(at === undefined ? {} : { at }) };
}

/**
 * Tekton notes the moment at which it first sees a run that is not held. Its generation says nothing: Tekton writes parts of the spec in a form
 * of its own.
 */
export const wasNeverReleased = ({ status }: PipelineRun): boolean =>
  status?.startTime === undefined && (status?.childReferences ?? []).length === 0;

/** Tekton counts its tasks in the sentence of its condition, and nowhere else. */
const COUNTED = /Tasks Completed: (\d+) \(Failed: (\d+), Cancelled (\d+)\)/;

/** Of the tasks that were begun, those that went through. */
export function pipelineRunProgress({ status }: PipelineRun): RunProgress {
  const [completed = 0, failed = 0, cancelled = 0] = (COUNTED.exec(succeeded(status)?.message ?? '') ?? []).slice(1).map(Number);
  return { completedTasks: completed - failed - cancelled, totalTasks: status?.childReferences?.length ?? 0 };
}

/**
 * Has Tekton stop a released run: no task begins after that, and its pods are deleted. Undefined where there is nothing to ask, or it
 * was asked already.
 */
export function stopPipelineRun(run: PipelineRun): Effect | undefined {
  if (isPipelineRunHeld(run) || pipelineRunEnd(run) || run.spec.status === 'Cancelled') return undefined;
  const { uid, resourceVersion } = run.metadata;
  return {
    kind: 'Patch',
    resource: PipelineRun,
    key: keyOf(run),
    uid,
    resourceVersion,
    operations: [{ op: 'add', path: '/spec/status', value: 'Cancelled' }],
  };
}
