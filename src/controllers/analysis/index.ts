/**
 * AIAnalysis, the second stage of a remediation: finds the cause of a fault, selects a workflow against it, and decides whether a person has
 * to approve the plan.
 *
 *   Pending → Investigating → Analyzing → Completed
 *
 * In reading order:
 * - `decide.ts` leads an analysis from phase to phase; the rules of diagnosis are in src/analyst.
 * - `observe.ts` reads what a decision needs, only while the phase is Investigating: the target and its pods from the API server, the
 *   workflow catalogue from the cache, earlier remediations from the store (`history.ts`).
 * - `diagnosis-of.ts` is the diagnosis that it acts on, `conclude.ts` turns a diagnosis into status: a plan, no action, or manual review. `workflow-requirements.ts` says what a workflow must
 *   match; the selected one is copied into the plan (../plan).
 * - `propose-undo.ts` is for a request that undoes an earlier change: it proposes the undo that the original request recorded, without a
 *   diagnosis.
 * - `judge-plan.ts` and `approval-gate.ts` decide whether a plan runs, needs approval, or needs manual review.
 * - `conditions.ts` writes the conditions.
 *
 * What cannot be read, or is still being rolled out, is checked again later; a fault that no rule knows goes to manual review, with advice.
 */
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import type { SettingsSource } from '../settings.ts';
import { decide } from './decide.ts';
import { observe, type AnalysisSeen } from './observe.ts';
import type { HistorySource } from './history.ts';

export { SETTLING_MS } from './decide.ts';
export { diagnosisOf } from './diagnosis-of.ts';
export type { AnalysisSeen, HistorySource };

const hasSignal = (before: KubeObject, after: KubeObject): boolean =>
  lastSeen(before as RemediationRequest) !== lastSeen(after as RemediationRequest);

const lastSeen = ({ status }: RemediationRequest): string | undefined => status?.deduplication?.lastSeenAt;

function analysisOf({ metadata, status }: RemediationRequest): readonly ObjectKey[] {
  const name = status?.aiAnalysisRef?.name;
  return name === undefined ? [] : [{ namespace: metadata.namespace ?? '', name }];
}

/** Finds causes and selects workflows. Without `history` no earlier remediations are read. */
export function createAnalysisController(settings: SettingsSource, history?: HistorySource): Controller<AnalysisSeen> {
  const { namespace } = settings();
  return {
    name: 'analysis',
    primary: AIAnalysis,
    watches: [
      { resource: AIAnalysis, namespace, keys: (object) => [keyOf(object)] },
      // A signal that joins shortens the wait.
      { resource: RemediationRequest, namespace, keys: (object) => analysisOf(object as RemediationRequest), concerns: hasSignal },
      // Cached only: an analysis that waits for the catalogue rechecks it by itself.
      { resource: RemediationWorkflow, namespace, keys: () => [] },
    ],
    observe: (key, reader, now) => observe(key, reader, now, history),
    decide,
  };
}
