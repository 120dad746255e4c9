import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { childOf } from '../children/read-child.ts';
import { analysisFor, signalProcessingFor } from '../children/draft-children.ts';
import { endRequest, failedAt } from '../end/end-request.ts';
import { awaitChild, enterNextPhase, createChild, endedPastDeadline, type Waiting } from './await-child.ts';
import type { RemediationSeen } from '../observe.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { enterPhase, referenceTo } from '../status.ts';
import { deadlineIfEntered, deadlineIn } from '../timeouts.ts';

/** Waits for the SignalProcessing. It changes nothing in the cluster, so that a deleted one is created again. */
export function decideProcessing(seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const deadline = deadlineIn('Processing', object, settings);
  const waiting: Waiting = { seen, phase: 'Processing', deadline, now };
  return awaitChild(waiting, {
    stage: 'SignalProcessing',
    child: childOf(seen.processing, { owner: object }),
    create: () => createChild(waiting, SignalProcessing, signalProcessingFor(object, deadline.at)),
    follow: (processing) => {
      const { phase, completionTime } = processing.status ?? {};
      if (phase === 'Completed') return analyse(waiting, processing);
      return phase === 'Failed' && !endedPastDeadline(deadline, completionTime) ? endRequest(seen, brokenOff(processing), now) : undefined;
    },
    describe: ({ metadata, status }) =>
      status?.error ?? `${metadata.name} was still ${status?.phase ?? 'new'}; check whether its target can be read`,
  });
}

const brokenOff = ({ metadata, status }: SignalProcessing) =>
  failedAt('SignalProcessing', status?.error ?? `${metadata.name} failed without a reason`);

function analyse(waiting: Waiting, processing: SignalProcessing): Decision {
  const { seen, now } = waiting;
  const { object, settings } = seen;
  const { spec, status } = object;
  // A request that was blocked and started again has had an analysis before.
  const attempt = status?.analysisAttempt ?? 1;
  return enterNextPhase(waiting, {
    stage: 'AIAnalysis',
    resource: AIAnalysis,
    child: childOf(seen.analysis, { owner: object }),
    draft: () => analysisFor(object, processing, { attempt, timesOutAt: deadlineIfEntered('Analyzing', object, settings, now).at }),
    enter: (analysis) =>
      enterPhase(object, 'Analyzing', now, {
        signalProcessingRef: referenceTo(processing),
        analyzingStartTime: toTime(now),
        aiAnalysisRef: referenceTo(analysis),
        analysisAttempt: attempt,
        message: spec.undoOf
          ? `planning how to undo on ${describeTarget(spec.targetResource)} what ${spec.undoOf.name} changed`
          : `looking for the cause of ${spec.signalName} on ${describeTarget(spec.targetResource)}`,
      }),
  });
}
