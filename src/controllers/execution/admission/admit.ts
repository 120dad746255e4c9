import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { controllerOf } from '../../../kube/objects/owner-references.ts';
import type { Read } from '../../../kube/client/read.ts';
import { freshness, planDigest, type SeenTarget } from '../../target/index.ts';

/** Whether the execution may run at all. */
export type Admission =
  { readonly kind: 'Go' } | { readonly kind: 'Wait'; readonly reason: string } | { readonly kind: 'Refuse'; readonly message: string };

/** The RemediationRequest that an execution says it works for: the owner that manages it, by UID. */
export function requestOwner(execution: WorkflowExecution): { readonly name: string; readonly uid: string } | undefined {
  const owner = controllerOf(execution);
  return owner?.kind === 'RemediationRequest' ? owner : undefined;
}

/**
 * An execution runs only on behalf of a RemediationRequest that is executing, names this very execution, and agreed to exactly this plan:
 * permission to create a WorkflowExecution must not be permission to run workflows. The execution waits for what may still come; what can no
 * longer come is refused.
 */
export function admit(execution: WorkflowExecution, request: Read<RemediationRequest>): Admission {
  if (execution.metadata.deletionTimestamp !== undefined) return refuse('it is being deleted');
  const owner = requestOwner(execution);
  if (!owner) return refuse('no RemediationRequest owns it, and workflows run only for a RemediationRequest');
  if (request.kind === 'unreadable') return wait(`RemediationRequest ${owner.name} cannot be read: ${request.reason}`);
  if (request.kind === 'absent' || request.value.metadata.uid !== owner.uid) return refuse(`its RemediationRequest ${owner.name} is gone`);
  return judge(execution, request.value);
}

function judge(execution: WorkflowExecution, request: RemediationRequest): Admission {
  const { name } = request.metadata;
  const { overallPhase, workflowExecutionRef } = request.status ?? {};
  const over = whyOver(request);
  if (over !== undefined) return refuse(over);
  if (overallPhase !== 'Executing') return wait(`RemediationRequest ${name} is not executing yet`);
  if (!workflowExecutionRef?.uid) return wait(`RemediationRequest ${name} does not reference this execution yet`);
  if (workflowExecutionRef.uid !== execution.metadata.uid) return refuse(`its RemediationRequest ${name} references another execution`);
  if (!isAgreed(execution.spec, request)) return refuse(`it is not the plan that RemediationRequest ${name} decided on`);
  return { kind: 'Go' };
}

/** Why its time has passed. Deleting an object means that its work is to stop, however long the deletion takes. */
function whyOver(request: RemediationRequest): string | undefined {
  const { name, deletionTimestamp } = request.metadata;
  const phase = request.status?.overallPhase;
  if (deletionTimestamp !== undefined) return `its RemediationRequest ${name} is being deleted`;
  if (isTerminal(remediationPhases, phase)) return `its RemediationRequest ${name} has ended: ${phase}`;
  return phase === 'Verifying' ? `its RemediationRequest ${name} has moved on to ${phase}` : undefined;
}

/** Goes by what would run, not by what the execution says of it: a reader of the request can copy its digest to another plan. */
function isAgreed(plan: WorkflowExecution['spec'], { spec, status }: RemediationRequest): boolean {
  return (
    plan.planDigest === status?.planDigest && planDigest(plan) === status?.planDigest && (plan.clusterID ?? '') === (spec.clusterID ?? '')
  );
}

/**
 * Whether the run may be released now. Between the decision to run and this moment may lie a cooldown or an outage: a target that was
 * changed meanwhile is left alone.
 */
export function mayRelease(execution: WorkflowExecution, request: Read<RemediationRequest>, target: Read<SeenTarget>): Admission {
  const admission = admit(execution, request);
  const planned = request.kind === 'value' ? request.value.status?.remediationTarget : undefined;
  if (admission.kind !== 'Go' || !planned) return admission;
  const state = freshness(planned, target);
  if (state.kind === 'unknown') return wait(`the target cannot be read: ${state.reason}`);
  return state.kind === 'stale' ? refuse(`the target ${state.why}`) : admission;
}

const wait = (reason: string): Admission => ({ kind: 'Wait', reason });
const refuse = (message: string): Admission => ({ kind: 'Refuse', message });
