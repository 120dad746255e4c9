import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { keyOf } from '../../../api/meta.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import type { Settings } from '../../settings.ts';
import { blockFrom, type TargetBlock, type TargetBlockReason } from './stored-block.ts';
import { withoutFailures } from '../history/backoff.ts';
import { failuresOf } from '../history/target-record.ts';

/** What an execution that is deleted leaves to its target. */
export type DeletionOutcome =
  | { readonly kind: 'nothing' }
  /** No person decided that the failure no longer matters: the block stays. */
  | { readonly kind: 'block'; readonly block: TargetBlock }
  /** A person decided so: these failures before it no longer count. */
  | { readonly kind: 'reset'; readonly row: readonly WorkflowExecution[] };

export interface DeletionContext {
  /** The other executions on the target. */
  readonly history: readonly WorkflowExecution[];
  /** It goes because what it belongs to goes: its request, or its namespace. */
  readonly isCascade: boolean;
  readonly settings: Settings;
}

/**
 * Deleting the newest failed execution itself, while its request lives, says that its failure no longer matters, and restarts the target's
 * count. A deletion that brings others with it says nothing about the target, nor does one that came before the failure: the deletion stopped
 * the run, and no person has checked the target since.
 */
export function afterDeletion(execution: WorkflowExecution, { history, isCascade, settings }: DeletionContext): DeletionOutcome {
  const reason = blockReasonOf(execution, history, settings);
  if (reason !== undefined && (isCascade || failedSinceDeletion(execution))) return { kind: 'block', block: blockFrom(execution, reason) };
  const isNewest =
    reason === 'PreviousExecutionFailed' || failuresOf([execution, ...history]).last?.metadata.uid === execution.metadata.uid;
  const { row } = failuresOf(history);
  return isCascade || !isNewest || row.length === 0 ? { kind: 'nothing' } : { kind: 'reset', row };
}

/** Why others are kept off the target because of this very execution, if they are. */
function blockReasonOf(
  execution: WorkflowExecution,
  history: readonly WorkflowExecution[],
  { execution: { maxConsecutiveFailures } }: Settings,
): TargetBlockReason | undefined {
  const { blocker, last, failures } = failuresOf([execution, ...history]);
  const { uid } = execution.metadata;
  if (blocker?.metadata.uid === uid) return 'PreviousExecutionFailed';
  return last?.metadata.uid === uid && failures >= maxConsecutiveFailures ? 'ExhaustedRetries' : undefined;
}

/** A deletion is a new generation. Clocks may differ; that number does not. */
function failedSinceDeletion({ metadata, status }: WorkflowExecution): boolean {
  const { observedGeneration } = status?.conditions?.find(({ type }) => type === 'ExecutionComplete') ?? {};
  return metadata.deletionTimestamp !== undefined && observedGeneration !== undefined && observedGeneration >= (metadata.generation ?? 1);
}

/** Takes a failed start out of the target's count. */
export function clearFailureCount(execution: WorkflowExecution): Effect {
  const { resourceVersion } = execution.metadata;
  return {
    kind: 'PatchStatus',
    resource: WorkflowExecution,
    key: keyOf(execution),
    resourceVersion,
    status: withoutFailures(execution.status),
  };
}
