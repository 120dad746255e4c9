import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Read } from '../../../kube/client/read.ts';
import { requestOwner } from './admit.ts';

/**
 * Why a run in progress is to be stopped: its request no longer wants it. Undefined where it may continue, and where the request cannot be
 * read: a released run is not stopped on a guess.
 */
export function whyStop(execution: WorkflowExecution, request: Read<RemediationRequest>): string | undefined {
  if (execution.metadata.deletionTimestamp !== undefined) return 'its WorkflowExecution was deleted';
  if (request.kind === 'unreadable') return undefined;
  const owner = requestOwner(execution);
  if (request.kind === 'absent' || request.value.metadata.uid !== owner?.uid)
    return `its RemediationRequest ${owner?.name ?? ''} was deleted`;
  return whyOver(request.value);
}

function whyOver(request: RemediationRequest): string | undefined {
  const { name, deletionTimestamp } = request.metadata;
  if (deletionTimestamp !== undefined) return `its RemediationRequest ${name} is being deleted`;
  return isTerminal(remediationPhases, request.status?.overallPhase) ? howEnded(request) : undefined;
}

function howEnded({ metadata, status = {} }: RemediationRequest): string {
  const { by, reason = '' } = status.cancellation ?? {};
  const why = reason === '' ? '' : ` (${reason})`;
  return by === undefined ? `its RemediationRequest ${metadata.name} has ended: ${status.overallPhase ?? ''}` : `${by} cancelled it${why}`;
}
