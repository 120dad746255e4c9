import { failedAfterStart } from '../../../api/workflow-execution/failed-after-start.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { instant, parseTime, type Instant } from '../../../base/index.ts';
import type { OptionalRead } from '../../../kube/client/read.ts';
import type { Settings } from '../../settings.ts';
import type { RemediationSeen } from '../observe.ts';

/**
 * When a finished request may be deleted; undefined while it must stay. It stays as long as it suppresses its signal, and as long as its
 * run blocks the target and no operator has cleared that.
 */
export function deletableAt({ object, execution, settings }: RemediationSeen): Instant | undefined {
  const { retentionExpiryTime, nextAllowedExecution } = object.status ?? {};
  const expires = parseTime(retentionExpiryTime);
  if (expires === undefined || blocksTarget(execution, settings)) return undefined;
  return instant(Math.max(expires, parseTime(nextAllowedExecution) ?? 0));
}

/**
 * Whether the request's run may block its target until an operator clears it: it failed after its start, or too many starts in a row
 * failed. What cannot be read may block.
 */
function blocksTarget(execution: OptionalRead<WorkflowExecution>, settings: Settings): boolean {
  if (execution.kind === 'absent') return false;
  if (execution.kind !== 'value') return true;
  const { phase, blockClearance, consecutiveFailures = 0 } = execution.value.status ?? {};
  if (phase !== 'Failed' || blockClearance !== undefined) return false;
  return failedAfterStart(execution.value) || consecutiveFailures >= settings.execution.maxConsecutiveFailures;
}
