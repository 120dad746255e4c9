import { targetOf } from '../request-target.ts';
import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Draft, KubeObject } from '../../../api/meta.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { standsForAlert } from '../../../api/remediation-request/signal-source.ts';
import { apiVersionOf, type Resource } from '../../../api/resource.ts';
import { FINALIZERS } from '../../../api/well-known.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { formatDuration, given, toTime, type Instant } from '../../../base/index.ts';
import { ownerReference } from '../../../kube/objects/owner-references.ts';
import { childNames } from '../../child-names.ts';
import { planSpecOf, type RemediationPlan } from '../../plan/remediation-plan.ts';
import { referenceTo } from '../status.ts';
import { severityText, urgencyOf } from '../urgency.ts';

/**
 * Drafts of the children, each from the request and what came before. The same input gives the same draft: creating it twice creates it
 * once.
 */

/** The signal, to be enriched and classified. */
export function signalProcessingFor(request: RemediationRequest, timesOutAt: Instant): Draft<SignalProcessing> {
  const { spec } = request;
  const signal = given({
    fingerprint: spec.signalFingerprint,
    name: spec.signalName,
    severity: severityText(request),
    type: spec.signalType,
    source: spec.signalSource,
    targetType: spec.targetType,
    targetResource: spec.targetResource,
    receivedTime: spec.receivedTime,
    firingTime: spec.firingTime,
    labels: spec.signalLabels,
    annotations: spec.signalAnnotations,
    providerData: spec.providerData,
    clusterID: spec.clusterID,
  });
  return draftChild(SignalProcessing, request, {
    name: childNames(request.metadata.name).signalProcessing,
    spec: { remediationRequestRef: referenceTo(request), signal, timesOutAt: toTime(timesOutAt) },
  });
}

/** Unknown classification counts as what policies are strictest with, and as the least urgent. */
const UNCLASSIFIED = { severity: 'unknown', environment: 'Unknown', businessPriority: 'P3' } as const;

/** The AIAnalysis, with the result of the enrichment. */
export function analysisFor(
  request: RemediationRequest,
  { status = {} }: SignalProcessing,
  { attempt, timesOutAt }: { readonly attempt: number; readonly timesOutAt: Instant },
): Draft<AIAnalysis> {
  const { spec, metadata } = request;
  const environment = status.environmentClassification?.environment;
  const urgency = urgencyOf(request, { environment, severity: status.severity, priority: status.priorityAssignment?.priority });
  const signalContext = {
    fingerprint: spec.signalFingerprint,
    ...UNCLASSIFIED,
    targetResource: spec.targetResource,
    ...given({
      severity: urgency.severity,
      signalName: status.signalName ?? spec.signalName,
      signalMode: status.signalMode,
      environment,
      businessPriority: urgency.priority,
      signalAnnotations: spec.signalAnnotations,
    }),
    enrichmentResults: given({
      kubernetesContext: status.kubernetesContext,
      businessClassification: status.businessClassification,
    }),
  };
  const question: AIAnalysis['spec'] = {
    remediationRequestRef: referenceTo(request),
    remediationId: metadata.name,
    analysisRequest: { signalContext, analysisTypes: ['Investigation', 'RootCause', 'WorkflowSelection'] },
    attempt,
    timesOutAt: toTime(timesOutAt),
    ...given({ undoOf: spec.undoOf, clusterID: spec.clusterID }),
  };
  return draftChild(AIAnalysis, request, { name: childNames(metadata.name).analysis(attempt), spec: question });
}

/** The WorkflowExecution. It starts nothing before its UID and its plan's digest are recorded on the request. */
export function executionFor(
  request: RemediationRequest,
  { workflow, target, digest }: RemediationPlan,
  { timesOutAt, limitMs }: { readonly timesOutAt: Instant; readonly limitMs: number },
): Draft<WorkflowExecution> {
  const spec: WorkflowExecution['spec'] = {
    ...planSpecOf(workflow, target),
    remediationRequestRef: referenceTo(request),
    confidence: workflow.confidence,
    rationale: workflow.rationale,
    planDigest: digest,
    executionConfig: { timeout: formatDuration(limitMs) },
    timesOutAt: toTime(timesOutAt),
    ...given({ clusterID: request.spec.clusterID }),
  };
  const { metadata, ...rest } = draftChild(WorkflowExecution, request, { name: childNames(request.metadata.name).execution, spec });
  // Set from the start, so that a deletion stops the run first.
  return { ...rest, metadata: { ...metadata, finalizers: [FINALIZERS.workflowExecution] } };
}

export interface AssessmentOptions {
  /** The phase of the request: a run that failed is assessed too. */
  readonly phase: EffectivenessAssessment['spec']['remediationRequestPhase'];
  readonly config: EffectivenessAssessment['spec']['config'];
  /** Hash of the target right after the run; undefined where it could not be read. */
  readonly appliedSpecHash?: string | undefined;
  /** What the analysis found. */
  readonly cause?: string | undefined;
  /** When the run started. */
  readonly executionStartedAt?: string | undefined;
}

/** The assessment whether the remediation helped. It does not block the deletion of the request. */
export function assessmentFor(
  request: RemediationRequest,
  { phase, config, appliedSpecHash, cause, executionStartedAt }: AssessmentOptions,
): Draft<EffectivenessAssessment> {
  const { spec, status, metadata } = request;
  const { kind, name, namespace, apiVersion } = targetOf(request);
  const assessment: EffectivenessAssessment['spec'] = {
    correlationID: metadata.name,
    remediationRequestPhase: phase,
    signalTarget: spec.targetResource,
    remediationTarget: given({ kind, name, namespace, apiVersion }),
    config,
    remediationCreatedAt: metadata.creationTimestamp,
    ...(standsForAlert(spec) && { signalName: spec.signalName }),
    faultStartedAt: spec.firingTime,
    ...given({
      cause,
      executionStartedAt,
      preRemediationSpecHash: status?.preRemediationSpecHash,
      appliedSpecHash,
      clusterID: spec.clusterID,
    }),
  };
  return draftChild(EffectivenessAssessment, request, {
    name: childNames(metadata.name).assessment,
    spec: assessment,
    blockOwnerDeletion: false,
  });
}

/** A child of the request: in its namespace, and deleted with it. */
export const draftChild = <T extends KubeObject & { readonly spec: unknown }>(
  resource: Resource<T>,
  request: RemediationRequest,
  { name, spec, blockOwnerDeletion = true }: { readonly name: string; readonly spec: T['spec']; readonly blockOwnerDeletion?: boolean },
): Draft<T> =>
  ({
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: {
      name,
      namespace: request.metadata.namespace ?? '',
      ownerReferences: [ownerReference(request, { controller: true, blockOwnerDeletion })],
    },
    spec,
  }) as unknown as Draft<T>;
