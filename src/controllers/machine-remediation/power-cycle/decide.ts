import { assertNever, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { decideBegin } from './attempt/start-attempt.ts';
import { decideFreeing, decidePowerOff, decidePowerOn, decideWaiting } from './attempt/attempt-phases.ts';
import { decideLeaving } from './decide-deletion.ts';
import type { PowerCycleSeen } from './observed.ts';
import { byThisClock } from './clamp-timestamps.ts';
import { phaseOf } from './status.ts';
import { decideEscalated } from './attempt/failed-attempt.ts';

/** The life of a request, one phase at a time. */
export function decide(found: PowerCycleSeen, now: Instant): Decision {
  const object = byThisClock(found.object, now);
  const seen = { ...found, object };
  if (object.metadata.deletionTimestamp !== undefined) return decideLeaving(seen, now);
  const phase = phaseOf(object);
  switch (phase) {
    case 'pending':
    case 'backoff':
      return decideBegin(seen, now);
    case 'power-off':
      return decidePowerOff(seen, now);
    case 'freeing':
      return decideFreeing(seen, now);
    case 'power-on':
      return decidePowerOn(seen, now);
    case 'waiting':
      return decideWaiting(seen, now);
    case 'escalated':
      return decideEscalated(seen, now);
    default:
      return assertNever(phase);
  }
}
