import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { toTime, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/controller.ts';
import { childNames } from '../child-names.ts';
import type { Settings } from '../settings.ts';
import { referenceToBe } from './children.ts';
import { healed } from './healed.ts';
import type { RemediationSeen } from './observe.ts';
import { describeTarget } from './plan.ts';
import { end, enter } from './status.ts';
import { deadlineIn, recordedLimits, timedOut } from './timeouts.ts';

/** The first look: the clock starts, and the limits that hold are put on record. */
export function decideNew({ object }: RemediationSeen, now: Instant, settings: Settings): Decision {
  const { kind, name } = object.spec.targetResource;
  return enter(object, 'Pending', now, {
    startTime: toTime(now),
    timeoutConfig: recordedLimits(object.status, settings),
    signalTargetDisplay: `${kind}/${name}`,
    message: `${object.spec.signalName} on ${describeTarget(object.spec.targetResource)} was taken in`,
  });
}

/** Goes on to Processing unless something speaks against it. */
export function decidePending({ object }: RemediationSeen, now: Instant, settings: Settings): Decision {
  const deadline = deadlineIn('Pending', object, settings);
  const gone = healed(object);
  if (gone) return end(object, gone, now);
  if (now >= deadline.at) return end(object, timedOut('Pending', deadline, 'nothing was begun'), now);
  return enter(object, 'Processing', now, {
    processingStartTime: toTime(now),
    signalProcessingRef: referenceToBe(SignalProcessing, object, childNames(object.metadata.name).signalProcessing),
    message: `finding out what ${describeTarget(object.spec.targetResource)} is and how much it matters`,
  });
}
