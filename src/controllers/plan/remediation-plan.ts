import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Settings } from '../settings.ts';
import { planDigest, targetText, type PinnedTarget, type Plan, type Target } from '../target/index.ts';

export type SelectedWorkflow = NonNullable<NonNullable<AIAnalysis['status']>['selectedWorkflow']>;

/** What is to be done to what. */
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
  return { workflow, target, digest: planDigest(orderOf(workflow, target)) };
}

/** The plan in the words of the WorkflowExecution that carries it out. */
export function orderOf(workflow: SelectedWorkflow, target: PinnedTarget): Plan {
  const { confidence: _, rationale: __, selectedAt: ___, parameters, ...workflowRef } = workflow;
  return {
    workflowRef,
    targetResource: targetText(target),
    ...(parameters && { parameters }),
    ...(target.uid !== undefined && { targetUID: target.uid }),
  };
}

/**
 * Why a plan must not be carried out whatever it says. The gateway asked whether the target of the signal may be worked on, and nobody asked
 * about another; and a request that came by another way than the gateway may be about what is never worked on.
 */
export function offLimits({ target }: RemediationPlan, { spec }: RemediationRequest, own: Settings): string | undefined {
  if (targetText(target) !== targetText(spec.targetResource))
    return `is not ${describeTarget(spec.targetResource)}, which the signal is about, and nobody said that it may be worked on`;
  const isNever = [own.namespace, own.executionNamespace, 'kube-system'].includes(target.namespace ?? '');
  return isNever ? `is in the namespace ${target.namespace ?? ''}, which is never worked on` : undefined;
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
