import { isTerminal } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import type { Read } from '../../kube/read.ts';
import { ownerOf } from './admission.ts';

/**
 * Why a run under way is to be stopped: whoever asked for it no longer does. Undefined where it may go on, and where the request cannot be
 * read: a run that was let go is not stopped on a guess.
 */
export function whyStop(execution: WorkflowExecution, request: Read<RemediationRequest>): string | undefined {
  if (execution.metadata.deletionTimestamp !== undefined) return 'somebody deleted its WorkflowExecution';
  if (request.kind === 'unreadable') return undefined;
  const owner = ownerOf(execution);
  if (request.kind === 'absent' || request.value.metadata.uid !== owner?.uid)
    return `its RemediationRequest ${owner?.name ?? ''} was deleted`;
  return whyOver(request.value);
}

function whyOver({ metadata, status }: RemediationRequest): string | undefined {
  const { name, deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined) return `somebody deletes its RemediationRequest ${name}`;
  if (!isTerminal(remediationPhases, status?.overallPhase)) return undefined;
  const { by, reason } = status?.cancellation ?? {};
  if (status?.overallPhase === 'Cancelled' && by !== undefined) return `${by} cancelled it${reason ? ` (${reason})` : ''}`;
  return `its RemediationRequest ${name} has ended: ${status?.overallPhase ?? ''}`;
}
