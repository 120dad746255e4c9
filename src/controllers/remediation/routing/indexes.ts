import { targetTextOf } from '../request-target.ts';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { IndexQuery } from '../../../kube/cache/cache.ts';
import { targetText, type Target } from '../../target/index.ts';
import { mayBeSuppressedByBlock } from '../suppression/suppress-until-cleared.ts';

/** Indexes of requests: by what they share with a new one, and by what they wait for. */
export const requestIndexes = {
  fingerprint: ({ spec }: RemediationRequest): readonly string[] => [spec.signalFingerprint],
  /** Requests that have an execution, by the resource that it changes. */
  remediated: ({ status }: RemediationRequest): readonly string[] =>
    status?.remediationTarget && status.workflowExecutionRef ? [targetText(status.remediationTarget)] : [],
  waitsFor,
  /** Ended requests whose signal is suppressed until an operator clears the target, by that target. */
  held: (request: RemediationRequest): readonly string[] => (mayBeSuppressedByBlock(request) ? [targetTextOf(request)] : []),
};

export const executionIndexes = {
  target: ({ spec }: WorkflowExecution): readonly string[] => [spec.targetResource],
};

export const assessmentIndexes = {
  request: ({ spec }: EffectivenessAssessment): readonly string[] => [spec.correlationID],
};

/** What would lift the request's block, as index values; empty where only time does. */
export function waitsFor({ spec, status }: RemediationRequest): readonly string[] {
  if (status?.overallPhase !== 'Blocked') return [];
  switch (status.blockReason) {
    case 'UnmanagedResource':
      return [...new Set([spec.targetResource, status.remediationTarget].flatMap((target) => (target ? labelsOf(target) : [])))];
    case 'DuplicateInProgress':
      return status.duplicateOf === undefined ? [] : [WAITS.request(status.duplicateOf)];
    case 'ResourceBusy':
      return status.blockingWorkflowExecution === undefined ? [] : [WAITS.execution(status.blockingWorkflowExecution)];
    case 'IneffectiveChain':
      return [WAITS.signal(spec.signalFingerprint)];
    default:
      return [];
  }
}

const WAITS = {
  request: (name: string) => `request ${name}`,
  execution: (name: string) => `execution ${name}`,
  signal: (fingerprint: string) => `signal ${fingerprint}`,
  resource: (target: Target) => `resource ${targetText(target)}`,
};

/** The objects whose label can bring a target into scope. */
const labelsOf = (target: Target): readonly string[] =>
  target.namespace ? [WAITS.resource(target), WAITS.resource({ kind: 'Namespace', name: target.namespace })] : [WAITS.resource(target)];

/**
 * Which requests a changed object may unblock, as queries of the index `waitsFor`. An object that is none of the pipeline's may be a
 * target.
 */
export function unblockedBy(object: KubeObject): readonly IndexQuery[] {
  const by = (value: string): IndexQuery => ({ index: 'waitsFor', value });
  const { kind, metadata } = object;
  if (isA(object, RemediationRequest))
    return [by(WAITS.request(metadata.name)), by(WAITS.signal((object as RemediationRequest).spec.signalFingerprint))];
  if (isA(object, WorkflowExecution)) return [by(WAITS.execution(metadata.name))];
  return [by(WAITS.resource({ kind, name: metadata.name, ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) }))];
}

const isA = ({ apiVersion, kind }: KubeObject, resource: typeof RemediationRequest | typeof WorkflowExecution): boolean =>
  kind === resource.kind && apiVersion.startsWith(`${resource.group}/`);
