import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { overallScore } from '../../api/effectiveness-assessment/overall-score.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { given } from '../../base/index.ts';
import type { RemediationSummary, ResourceRef } from '../contract/index.ts';

/** What the row of a remediation is made of. */
export interface SummarySeen {
  readonly request: RemediationRequest;
  readonly processing?: SignalProcessing | undefined;
  readonly assessment?: EffectivenessAssessment | undefined;
}

/** The row of a remediation. */
export function summaryOf({ request, processing, assessment }: SummarySeen): RemediationSummary {
  const { metadata, spec, status = {} } = request;
  const { components, assessmentReason } = assessment?.status ?? {};
  return {
    name: metadata.name,
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    version: [request, processing, assessment].map((object) => object?.metadata.resourceVersion ?? '').join('.'),
    createdAt: metadata.creationTimestamp,
    phase: status.overallPhase ?? 'Pending',
    attention: attentionIn(request),
    signal: signalIn(request),
    target: refOf(spec.targetResource),
    ...urgencyOf(request, processing),
    ...given({
      startedAt: status.startTime,
      completedAt: status.completedAt,
      outcome: status.outcome,
      message: status.message,
      cluster: spec.clusterID === '' ? undefined : spec.clusterID,
      cause: status.remediationTarget && refOf(status.remediationTarget),
      workflow: status.workflowDisplayName,
      confidence: fractionIn(status.confidence),
      score: overallScore(components, assessmentReason),
      failureReason: status.failureReason,
    }),
    ...(status.overallPhase === 'Blocked' && given({ blockReason: status.blockReason, blockedUntil: status.blockedUntil })),
  };
}

function signalIn({ spec, status }: RemediationRequest): RemediationSummary['signal'] {
  const { occurrenceCount: count = 1, lastSeenAt } = status?.deduplication ?? {};
  return { name: spec.signalName, count, ...given({ source: spec.signalSource, lastSeenAt }) };
}

/** A signal that joined counts before the classification of the first one. */
function urgencyOf({ spec, status }: RemediationRequest, processing: SignalProcessing | undefined) {
  const { severity, priorityAssignment, environmentClassification } = processing?.status ?? {};
  return {
    severity: status?.severity ?? severity ?? spec.severity,
    ...given({
      priority: status?.priority ?? priorityAssignment?.priority,
      environment: environmentClassification?.environment,
    }),
  };
}

/** A target as the API shows it: empty namespaces are left out. */
export const refOf = ({
  kind,
  namespace,
  name,
}: {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}): ResourceRef => ({ kind, name, ...(namespace ? { namespace } : {}) });

/** What a person has to do. Blocks that end by themselves are left alone. */
function attentionIn({ status = {} }: RemediationRequest): RemediationSummary['attention'] {
  const { overallPhase, blockReason, requiresManualReview, outcome } = status;
  if (overallPhase === 'AwaitingApproval') return 'approval';
  if (overallPhase === 'Blocked') return blockReason && ENDLESS.includes(blockReason) ? 'blocked' : 'none';
  return requiresManualReview === true || outcome === 'ManualReviewRequired' ? 'review' : 'none';
}

/** Blocks that a person has to lift. */
const ENDLESS: readonly string[] = ['UnmanagedResource', 'IneffectiveChain'];

function fractionIn(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || text === '' || !(value >= 0 && value <= 1) ? undefined : value;
}
