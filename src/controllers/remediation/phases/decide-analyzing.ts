import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { assertNever, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { requestApprovalOrExecute } from '../plan/request-approval-or-execute.ts';
import { childOf } from '../children/read-child.ts';
import { analysisFor } from '../children/draft-children.ts';
import { analysisResultOf } from '../plan/plan-from-analysis.ts';
import { endRequest, failedAt } from '../end/end-request.ts';
import { awaitChild, createChild, endedPastDeadline, type Waiting } from './await-child.ts';
import type { RemediationSeen } from '../observe.ts';
import { deadlineIn } from '../timeouts.ts';

/** Waits for the AIAnalysis, and continues with its plan as long as the target is still as it was analysed. */
export function decideAnalyzing(seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const deadline = deadlineIn('Analyzing', object, settings);
  const waiting: Waiting = { seen, phase: 'Analyzing', deadline, now };
  return awaitChild(waiting, {
    stage: 'AIAnalysis',
    child: childOf(seen.analysis, { owner: object }),
    create: () => ask(waiting),
    follow: (analysis) =>
      analysis.status?.phase === 'Failed' && endedPastDeadline(deadline, analysis.status.completedAt)
        ? undefined
        : followAnalysis(analysis, waiting),
    describe: describeWait,
  });
}

function describeWait({ metadata, status }: AIAnalysis): string {
  if (status?.phase === 'Completed')
    return `${metadata.name} is Completed, but what the next step needs cannot be read: check what Sickbay may read`;
  if (status?.phase === 'Failed') return status.message ?? `${metadata.name} failed without a message`;
  return `${metadata.name} was still ${status?.phase ?? 'new'}; check the target by hand`;
}

/** Creates the AIAnalysis again after it was deleted. It needs the result of the SignalProcessing, which must still exist. */
function ask(waiting: Waiting): Decision | undefined {
  const { seen, deadline, now } = waiting;
  const { object } = seen;
  const enriched = childOf(seen.processing, { owner: object, recordedUid: object.status?.signalProcessingRef?.uid });
  if (enriched.kind === 'unknown' || enriched.kind === 'leftOver') return undefined;
  if (enriched.kind !== 'ours')
    return endRequest(
      seen,
      failedAt('SignalProcessing', 'its SignalProcessing was deleted before the analysis began: nothing was run'),
      now,
    );
  const attempt = object.status?.analysisAttempt ?? 1;
  return createChild(waiting, AIAnalysis, analysisFor(object, enriched.object, { attempt, timesOutAt: deadline.at }));
}

function followAnalysis(analysis: AIAnalysis, waiting: Waiting): Decision | undefined {
  const { seen, now } = waiting;
  const conclusion = analysisResultOf(analysis, seen.object, seen.settings.routing);
  switch (conclusion.kind) {
    case 'AtWork':
      return undefined;
    case 'End':
      return endRequest(seen, conclusion.ending, now);
    case 'Plan':
      return requestApprovalOrExecute(conclusion, waiting);
    default:
      return assertNever(conclusion);
  }
}
