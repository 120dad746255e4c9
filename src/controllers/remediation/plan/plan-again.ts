import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { toTime } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { childOf } from '../children/read-child.ts';
import { analysisFor } from '../children/draft-children.ts';
import { end, handedOver } from '../end/end-request.ts';
import { begin, type Waiting } from '../phases/await-child.ts';
import { describePlan, describeTarget, type RemediationPlan } from '../../plan/remediation-plan.ts';
import { enter, referenceTo } from '../status.ts';
import { deadlineIfEntered } from '../timeouts.ts';

/** A target that changes faster than it can be analysed is for a person. */
const MOST_ATTEMPTS = 3;

/**
 * A plan holds for exactly what was analysed: once that has changed it is analysed anew, and approved anew, under names of their own. What
 * was approved before counts no more.
 */
export function planAnew(plan: RemediationPlan, why: string, waiting: Waiting): Decision | undefined {
  const { seen, now } = waiting;
  const { object, settings } = seen;
  const attempt = (object.status?.analysisAttempt ?? 1) + 1;
  const what = `${describeTarget(plan.target)} ${why}`;
  if (attempt > MOST_ATTEMPTS) {
    const times = `${MOST_ATTEMPTS} plans were overtaken by changes`;
    return end(seen, handedOver(`${what}, so ${describePlan(plan)} was not run; ${times}: see who changes it`, settings.routing), now);
  }
  const enriched = childOf(seen.processing, { owner: object, recordedUid: object.status?.signalProcessingRef?.uid });
  if (enriched.kind === 'unknown') return undefined;
  if (enriched.kind !== 'ours')
    return end(seen, handedOver(`${what}, and what was known about it was deleted: nothing was run`, settings.routing), now);
  return begin(waiting, {
    stage: 'AIAnalysis',
    resource: AIAnalysis,
    child: childOf(seen.nextAnalysis, { owner: object }),
    draft: () => analysisFor(object, enriched.object, { attempt, timesOutAt: deadlineIfEntered('Analyzing', object, settings, now).at }),
    enter: (analysis) => {
      // The earlier approval is no longer the one on record.
      const { approvalRequestRef: _, awaitingApprovalStartTime: __, ...status } = object.status ?? {};
      return enter({ ...object, status }, 'Analyzing', now, {
        analyzingStartTime: toTime(now),
        aiAnalysisRef: referenceTo(analysis),
        analysisAttempt: attempt,
        message: `${what}: it is analysed anew`,
      });
    },
  });
}
