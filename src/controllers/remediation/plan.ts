import { resourceOfKind } from '../../api/builtin/by-kind.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../api/resource.ts';
import type { Read } from '../../runtime/controller.ts';
import { planDigest, specHash, targetText, type Plan, type Target } from '../target/index.ts';

export type SelectedWorkflow = NonNullable<NonNullable<AIAnalysis['status']>['selectedWorkflow']>;
export type PinnedTarget = NonNullable<NonNullable<RemediationRequest['status']>['remediationTarget']>;

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

/** Whether the target is still the one that was analysed. */
export type Freshness =
  { readonly kind: 'same' } | { readonly kind: 'unknown'; readonly reason: string } | { readonly kind: 'stale'; readonly why: string };

/** A plan holds for exactly the object and the spec that were analysed. */
export function freshness(planned: PinnedTarget, target: Read<KubeObject>): Freshness {
  if (!targetAddress(planned)) return { kind: 'stale', why: `is of the kind ${planned.kind}, which cannot be read back` };
  if (target.kind === 'unreadable') return { kind: 'unknown', reason: target.reason };
  if (target.kind === 'absent') return { kind: 'stale', why: 'no longer exists' };
  const { metadata } = target.value;
  if (metadata.deletionTimestamp !== undefined) return { kind: 'stale', why: 'is being deleted' };
  if (metadata.uid !== planned.uid) return { kind: 'stale', why: 'was replaced by another of the same name since it was analysed' };
  if (specHash(target.value) !== planned.specHash) return { kind: 'stale', why: 'was changed since it was analysed' };
  return { kind: 'same' };
}

/** Where a target is read; undefined when its kind is not one that we know. */
export function targetAddress(target: Target): { readonly resource: Resource; readonly key: ObjectKey } | undefined {
  const resource = resourceOfKind(target.kind, target.apiVersion);
  return resource && { resource, key: { namespace: resource.namespaced ? (target.namespace ?? '') : '', name: target.name } };
}

/**
 * A target for people.
 * @example describeTarget({ kind: 'Deployment', name: 'checkout', namespace: 'shop' }) === 'Deployment shop/checkout'
 */
export const describeTarget = ({ kind, namespace, name }: Target): string => `${kind} ${namespace ? `${namespace}/` : ''}${name}`;

/** A workflow for people and columns: `rollback-deployment:1.0.0`. */
export const describeWorkflow = ({ workflowName, workflowId, version }: SelectedWorkflow): string =>
  `${workflowName ?? workflowId}:${version}`;
