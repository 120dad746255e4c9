import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { instant, parseTime, type Instant } from '../../../base/index.ts';
import type { Read } from '../../../kube/client/read.ts';
import type { Settings } from '../../settings.ts';
import type { RemediationSeen } from '../observe.ts';

/**
 * When a finished request may be deleted; undefined while it has to stay. It stays as long as it holds its signal back, as long as its run
 * blocks the target until a person clears that.
 */
export function deletableAt({ object, execution, settings }: RemediationSeen): Instant | undefined {
  const { retentionExpiryTime, nextAllowedExecution } = object.status ?? {};
  const expires = parseTime(retentionExpiryTime);
  if (expires === undefined || blocksTarget(execution, settings)) return undefined;
  return instant(Math.max(expires, parseTime(nextAllowedExecution) ?? 0));
}

/**
 * A run that failed after it had begun, or one start too many that failed, keeps others off its target until a person says otherwise. What
 * cannot be read may be one.
 */
function blocksTarget(execution: Read<WorkflowExecution>, settings: Settings): boolean {
  if (execution.kind === 'absent') return false;
  if (execution.kind === 'unreadable') return true;
  const { phase, failureDetails, blockClearance, consecutiveFailures = 0 } = execution.value.status ?? {};
  if (phase !== 'Failed' || blockClearance !== undefined) return false;
  return failureDetails?.wasExecutionFailure !== false || consecutiveFailures >= settings.execution.maxConsecutiveFailures;
}
