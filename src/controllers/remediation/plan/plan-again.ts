import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { toTime } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { childOf } from '../children/read-child.ts';
import { analysisFor } from '../children/draft-children.ts';
import { endRequest, manualReviewRequired } from '../end/end-request.ts';
import { enterNextPhase, type Waiting } from '../phases/await-child.ts';
import { describePlan, describeTarget, type RemediationPlan } from '../../plan/remediation-plan.ts';
import { enterPhase, referenceTo } from '../status.ts';
import { deadlineIfEntered } from '../timeouts.ts';

/** A target that changes faster than it can be analysed needs a manual review. */
const MOST_ATTEMPTS = 3;

/**
 * A plan holds for exactly what was analysed: once the target has changed it is analysed and approved again, with new child objects. An
 * earlier approval no longer counts.
 */
export function planAgain(plan: RemediationPlan, why: string, waiting: Waiting): Decision | undefined {
  const { seen, now } = waiting;
  const { object, settings } = seen;
  const attempt = (object.status?.analysisAttempt ?? 1) + 1;
  const what = `${describeTarget(plan.target)} ${why}`;
  if (attempt - (object.status?.analysesAfterFreeze ?? 0) > MOST_ATTEMPTS) {
    const times = `the target changed after each of ${MOST_ATTEMPTS} plans`;
    return endRequest(
      seen,
      manualReviewRequired(`${what}, so ${describePlan(plan)} was not run; ${times}: find out what changes it`, settings.routing),
      now,
    );
  }
  const enriched = childOf(seen.processing, { owner: object, recordedUid: object.status?.signalProcessingRef?.uid });
  if (enriched.kind === 'unknown') return undefined;
  if (enriched.kind !== 'ours')
    return endRequest(seen, manualReviewRequired(`${what}, and its SignalProcessing was deleted: nothing was run`, settings.routing), now);
  return enterNextPhase(waiting, {
    stage: 'AIAnalysis',
    resource: AIAnalysis,
    child: childOf(seen.nextAnalysis, { owner: object }),
    draft: () => analysisFor(object, enriched.object, { attempt, timesOutAt: deadlineIfEntered('Analyzing', object, settings, now).at }),
    enter: (analysis) => {
      // The earlier approval is no longer recorded.
      const { approvalRequestRef: _, awaitingApprovalStartTime: __, ...status } = object.status ?? {};
      return enterPhase({ ...object, status }, 'Analyzing', now, {
        analyzingStartTime: toTime(now),
        aiAnalysisRef: referenceTo(analysis),
        analysisAttempt: attempt,
        message: `${what}: it is analysed again`,
      });
    },
  });
}
