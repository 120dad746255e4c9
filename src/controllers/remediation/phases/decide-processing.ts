import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { childOf } from '../children/read-child.ts';
import { analysisFor, signalProcessingFor } from '../children/draft-children.ts';
import { end, failed } from '../end/end-request.ts';
import { awaitChild, begin, create, gaveUpAt, type Waiting } from './await-child.ts';
import type { RemediationSeen } from '../observe.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { enter, referenceTo } from '../status.ts';
import { deadlineIfEntered, deadlineIn } from '../timeouts.ts';

/** Waits for the SignalProcessing. It changes nothing in the cluster, so that one that was deleted is simply made again. */
export function decideProcessing(seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const deadline = deadlineIn('Processing', object, settings);
  const waiting: Waiting = { seen, phase: 'Processing', deadline, now };
  return awaitChild(waiting, {
    stage: 'SignalProcessing',
    child: childOf(seen.processing, { owner: object }),
    create: () => create(waiting, SignalProcessing, signalProcessingFor(object, deadline.at)),
    follow: (processing) => {
      const { phase, completionTime } = processing.status ?? {};
      if (phase === 'Completed') return analyse(waiting, processing);
      return phase === 'Failed' && !gaveUpAt(deadline, completionTime) ? end(seen, brokenOff(processing), now) : undefined;
    },
    describe: ({ metadata, status }) =>
      status?.error ?? `${metadata.name} was still ${status?.phase ?? 'new'}; see whether its target can be read`,
  });
}

const brokenOff = ({ metadata, status }: SignalProcessing) =>
  failed('SignalProcessing', status?.error ?? `${metadata.name} failed without a reason`);

function analyse(waiting: Waiting, processing: SignalProcessing): Decision {
  const { seen, now } = waiting;
  const { object, settings } = seen;
  const { spec, status } = object;
  // Not the first where it was held back and started over.
  const attempt = status?.analysisAttempt ?? 1;
  return begin(waiting, {
    stage: 'AIAnalysis',
    resource: AIAnalysis,
    child: childOf(seen.analysis, { owner: object }),
    draft: () => analysisFor(object, processing, { attempt, timesOutAt: deadlineIfEntered('Analyzing', object, settings, now).at }),
    enter: (analysis) =>
      enter(object, 'Analyzing', now, {
        signalProcessingRef: referenceTo(processing),
        analyzingStartTime: toTime(now),
        aiAnalysisRef: referenceTo(analysis),
        analysisAttempt: attempt,
        message: spec.undoOf
          ? `seeing how ${describeTarget(spec.targetResource)} gets back to where it was before ${spec.undoOf.name}`
          : `looking for the cause of ${spec.signalName} on ${describeTarget(spec.targetResource)}`,
      }),
  });
}
