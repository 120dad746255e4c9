import { isTerminal } from '../../../api/phases.ts';
import { executionPhases } from '../../../api/workflow-execution/phases.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { instant, parseTime } from '../../../base/index.ts';
import type { Read } from '../../../kube/client/read.ts';
import type { LockHolder } from './judge-lock.ts';

/** What became of the other execution that has the target. One that never ran leaves no cooldown behind. */
export function lockHolder(holder: Read<WorkflowExecution>): LockHolder {
  if (holder.kind === 'unreadable')
    return { kind: 'unknown', reason: `the execution that holds the lock cannot be read: ${holder.reason}` };
  if (holder.kind === 'absent') return { kind: 'gone' };
  const { metadata, status } = holder.value;
  if (!isTerminal(executionPhases, status?.phase)) return { kind: 'live', name: metadata.name };
  return { kind: 'ended', name: metadata.name, at: parseTime(status?.completionTime) ?? instant(0) };
}
