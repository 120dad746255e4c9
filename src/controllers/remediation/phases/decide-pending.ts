import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { childOf } from '../children/read-child.ts';
import { signalProcessingFor } from '../children/draft-children.ts';
import { enterNextPhase } from './await-child.ts';
import type { RemediationSeen } from '../observe.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { objectionAt } from '../routing/pass-checks.ts';
import { enterPhase, referenceTo } from '../status.ts';
import { deadlineIfEntered, deadlineIn, recordedLimits } from '../timeouts.ts';

/** The first pass: starts the clock and records the time limits. */
export function startRequest({ object, settings }: RemediationSeen, now: Instant): Decision {
  const { kind, name } = object.spec.targetResource;
  return enterPhase(object, 'Pending', now, {
    startTime: toTime(now),
    timeoutConfig: recordedLimits(object.status, settings),
    signalTargetDisplay: `${kind}/${name}`,
    message: `${object.spec.signalName} on ${describeTarget(object.spec.targetResource)} was received`,
  });
}

/**
 * Moves on to Processing once the checks before the analysis pass. A SignalProcessing that exists was created after they passed: they are
 * not repeated.
 */
export function decidePendingRequest(seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const deadline = deadlineIn('Pending', object, settings);
  const child = childOf(seen.processing, { owner: object });
  const objection = child.kind === 'none' ? objectionAt('pre-analysis', seen, { now, deadline }) : undefined;
  if (objection !== undefined && objection !== 'too late' && now < deadline.at) return objection;
  // Processing reports the failure: the table of transitions allows none from Pending.
  if (child.kind === 'foreign')
    return enterPhase(object, 'Processing', now, {
      processingStartTime: toTime(now),
      message: `${child.text} has the name of this request's SignalProcessing`,
    });
  return enterNextPhase(
    { seen, phase: 'Pending', deadline, now },
    {
      stage: 'SignalProcessing',
      resource: SignalProcessing,
      child,
      draft: () => signalProcessingFor(object, deadlineIfEntered('Processing', object, settings, now).at),
      enter: (processing) =>
        enterPhase(object, 'Processing', now, {
          processingStartTime: toTime(now),
          signalProcessingRef: referenceTo(processing),
          message: `reading what ${describeTarget(object.spec.targetResource)} is and how much it matters`,
        }),
    },
  );
}
