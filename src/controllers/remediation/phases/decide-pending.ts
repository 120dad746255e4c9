import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { childOf } from '../children/read-child.ts';
import { signalProcessingFor } from '../children/draft-children.ts';
import { begin } from './await-child.ts';
import type { RemediationSeen } from '../observe.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { passes } from '../routing/pass-checks.ts';
import { enter, referenceTo } from '../status.ts';
import { deadlineIfEntered, deadlineIn, recordedLimits } from '../timeouts.ts';

/** The first look: the clock starts, and the limits that hold are put on record. */
export function decideNew({ object, settings }: RemediationSeen, now: Instant): Decision {
  const { kind, name } = object.spec.targetResource;
  return enter(object, 'Pending', now, {
    startTime: toTime(now),
    timeoutConfig: recordedLimits(object.status, settings),
    signalTargetDisplay: `${kind}/${name}`,
    message: `${object.spec.signalName} on ${describeTarget(object.spec.targetResource)} was taken in`,
  });
}

/** Goes on to Processing once the checks before the analysis have passed. What was created after they passed need not pass them again. */
export function decidePending(seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const deadline = deadlineIn('Pending', object, settings);
  const child = childOf(seen.processing, { owner: object });
  const objection = child.kind === 'none' ? passes('pre-analysis', seen, { now, deadline }) : undefined;
  if (objection !== undefined && objection !== 'too late' && now < deadline.at) return objection;
  // Nothing but Processing may fail for it.
  if (child.kind === 'foreign')
    return enter(object, 'Processing', now, { processingStartTime: toTime(now), message: `${child.text} is in the way` });
  return begin(
    { seen, phase: 'Pending', deadline, now },
    {
      stage: 'SignalProcessing',
      resource: SignalProcessing,
      child,
      draft: () => signalProcessingFor(object, deadlineIfEntered('Processing', object, settings, now).at),
      enter: (processing) =>
        enter(object, 'Processing', now, {
          processingStartTime: toTime(now),
          signalProcessingRef: referenceTo(processing),
          message: `finding out what ${describeTarget(object.spec.targetResource)} is and how much it matters`,
        }),
    },
  );
}
