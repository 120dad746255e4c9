import { isProtectedNamespace } from '../../scope/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Settings } from '../settings.ts';
import { planDigest, targetText, type PinnedTarget, type Plan, type Target } from '../target/index.ts';

export type SelectedWorkflow = NonNullable<NonNullable<AIAnalysis['status']>['selectedWorkflow']>;

/** Which workflow is to run on which target. */
export interface RemediationPlan {
  readonly workflow: SelectedWorkflow;
  readonly target: PinnedTarget;
  readonly digest: string;
}

/** The plan that an analysis came to; undefined when it names no workflow or no target. */
export function planOf({ status }: AIAnalysis): RemediationPlan | undefined {
  const workflow = status?.selectedWorkflow;
  const target = status?.rootCauseAnalysis?.remediationTarget;
  if (!workflow || !target) return undefined;
  return { workflow, target, digest: planDigest(planSpecOf(workflow, target)) };
}

/** The plan as the spec of the WorkflowExecution that executes it. */
export function planSpecOf(workflow: SelectedWorkflow, target: PinnedTarget): Plan {
  const { confidence: _, rationale: __, selectedAt: ___, parameters, ...workflowRef } = workflow;
  return {
    workflowRef,
    targetResource: targetText(target),
    ...(parameters && { parameters }),
    ...(target.uid !== undefined && { targetUID: target.uid }),
  };
}

/**
 * Why a plan must not be executed. The gateway checked whether the target of the signal is managed, and nothing checked
 * another target; and a request that was not opened by the gateway may name a protected namespace.
 */
export function offLimits({ target }: RemediationPlan, { spec }: RemediationRequest, own: Settings): string | undefined {
  if (targetText(target) !== targetText(spec.targetResource))
    return `is not ${describeTarget(spec.targetResource)}, which the signal is about, and was not checked for being managed`;
  return isProtectedNamespace(target.namespace ?? '', own)
    ? `is in the namespace ${target.namespace ?? ''}, which is never worked on`
    : undefined;
}

/**
 * A target for people.
 * @example describeTarget({ kind: 'Deployment', name: 'checkout', namespace: 'shop' }) === 'Deployment shop/checkout'
 */
export const describeTarget = ({ kind, namespace, name }: Target): string => `${kind} ${namespace ? `${namespace}/` : ''}${name}`;

/** A workflow for people and columns: `rollback-deployment:1.0.0`. */
export const describeWorkflow = ({ workflowName, workflowId, version }: SelectedWorkflow): string =>
  `${workflowName ?? workflowId}:${version}`;

/** A plan for people. */
export const describePlan = ({ workflow, target }: RemediationPlan): string => `${describeWorkflow(workflow)} on ${describeTarget(target)}`;
