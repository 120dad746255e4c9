import { assertNever, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { decideFreeing, decidePowerOff, decidePowerOn, decideWaiting } from './attempt/attempt-phases.ts';
import { decideEscalated } from './attempt/failed-attempt.ts';
import { decideStart } from './attempt/start-attempt.ts';
import { clampTimestamps } from './clamp-timestamps.ts';
import { decidePowerCycleDeletion } from './decide-deletion.ts';
import type { PowerCycleSeen } from './observed.ts';
import { phaseOf } from './status.ts';

/** The lifecycle of a request, one phase per pass. */
export function decide(found: PowerCycleSeen, now: Instant): Decision {
  const object = clampTimestamps(found.object, now);
  const seen = { ...found, object };
  if (object.metadata.deletionTimestamp !== undefined) return decidePowerCycleDeletion(seen, now);
  const phase = phaseOf(object);
  switch (phase) {
    case 'pending':
    case 'backoff':
      return decideStart(seen, now);
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
