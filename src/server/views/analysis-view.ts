import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { given } from '../../base/index.ts';
import type { Remediation } from '../contract/index.ts';
import { refOf } from './remediation-summary.ts';

/** What the analysis found. */
export function analysisView({ status }: AIAnalysis): AnalysisView {
  const { phase = 'Pending', warnings = [], needsHumanReview = false, rootCauseAnalysis: found, approvalContext } = status ?? {};
  return {
    phase,
    warnings,
    needsReview: needsHumanReview,
    factors: found?.contributingFactors ?? [],
    ...reasonsIn(approvalContext),
    ...given({ summary: found?.summary, ...(status && wordsOf(status)) }),
  };
}

type Context = NonNullable<AIAnalysis['status']>['approvalContext'];

function reasonsIn({ evidenceCollected = [], alternativesConsidered = [] }: Partial<NonNullable<Context>> = {}) {
  const alternatives = alternativesConsidered.map(({ approach, prosCons }) => ({ what: approach, why: prosCons }));
  return { evidence: evidenceCollected, alternatives };
}

type AnalysisView = NonNullable<Remediation['analysis']>;

const wordsOf = ({ message, rootCause, humanReviewReason, completedAt }: NonNullable<AIAnalysis['status']>) => ({
  message,
  cause: rootCause,
  reviewReason: humanReviewReason,
  completedAt,
});

/** What is to be run; undefined where the analysis has no plan. The digest is the one that approval and execution agree on. */
export function planView({ status }: AIAnalysis, digest: string | undefined): Remediation['plan'] {
  const workflow = status?.selectedWorkflow;
  const target = status?.rootCauseAnalysis?.remediationTarget;
  if (!workflow || !target) return undefined;
  return {
    workflow: workflow.workflowName ?? workflow.workflowId,
    workflowId: workflow.workflowId,
    version: workflow.version,
    bundle: workflow.executionBundle,
    parameters: workflow.parameters ?? {},
    rationale: workflow.rationale,
    confidence: workflow.confidence,
    target: refOf(target),
    ...given({
      digest,
      actionType: workflow.actionType,
      engine: workflow.executionEngine,
      bundleDigest: workflow.executionBundleDigest,
      serviceAccount: workflow.serviceAccountName,
    }),
  };
}
