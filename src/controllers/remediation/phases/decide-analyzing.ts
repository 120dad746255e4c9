import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { assertNever, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { askOrCarryOut } from '../plan/request-approval-or-execute.ts';
import { childOf } from '../children/read-child.ts';
import { analysisFor } from '../children/draft-children.ts';
import { conclusionOf } from '../plan/plan-from-analysis.ts';
import { end, failed } from '../end/end-request.ts';
import { awaitChild, create, gaveUpAt, type Waiting } from './await-child.ts';
import type { RemediationSeen } from '../observe.ts';
import { deadlineIn } from '../timeouts.ts';

/** Waits for the analysis, and goes on with its plan when the plan still holds. */
export function decideAnalyzing(seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const deadline = deadlineIn('Analyzing', object, settings);
  const waiting: Waiting = { seen, phase: 'Analyzing', deadline, now };
  return awaitChild(waiting, {
    stage: 'AIAnalysis',
    child: childOf(seen.analysis, { owner: object }),
    create: () => ask(waiting),
    follow: (analysis) =>
      analysis.status?.phase === 'Failed' && gaveUpAt(deadline, analysis.status.completedAt)
        ? undefined
        : followAnalysis(analysis, waiting),
    describe: describeWait,
  });
}

function describeWait({ metadata, status }: AIAnalysis): string {
  if (status?.phase === 'Completed')
    return `${metadata.name} is done, but what it takes to go on cannot be read: see what Sickbay may read`;
  if (status?.phase === 'Failed') return status.message ?? `${metadata.name} gave up`;
  return `${metadata.name} was still ${status?.phase ?? 'new'}; look at the target by hand`;
}

/** Asks again after the question was deleted. It rests on what enrichment found, which must still be there. */
function ask(waiting: Waiting): Decision | undefined {
  const { seen, deadline, now } = waiting;
  const { object } = seen;
  const enriched = childOf(seen.processing, { owner: object, recordedUid: object.status?.signalProcessingRef?.uid });
  if (enriched.kind === 'unknown' || enriched.kind === 'leftOver') return undefined;
  if (enriched.kind !== 'ours')
    return end(seen, failed('SignalProcessing', 'its SignalProcessing was deleted before the analysis began: nothing was run'), now);
  const attempt = object.status?.analysisAttempt ?? 1;
  return create(waiting, AIAnalysis, analysisFor(object, enriched.object, { attempt, timesOutAt: deadline.at }));
}

function followAnalysis(analysis: AIAnalysis, waiting: Waiting): Decision | undefined {
  const { seen, now } = waiting;
  const conclusion = conclusionOf(analysis, seen.object, seen.settings.routing);
  switch (conclusion.kind) {
    case 'AtWork':
      return undefined;
    case 'End':
      return end(seen, conclusion.ending, now);
    case 'Plan':
      return askOrCarryOut(conclusion, waiting);
    default:
      return assertNever(conclusion);
  }
}
