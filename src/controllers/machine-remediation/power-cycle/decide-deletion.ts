import { after, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { restorePower } from './attempt/restore-power.ts';
import { endClaim } from './budget/budget-claims.ts';
import { hasFinalizer, removeFinalizer } from './finalizer.ts';
import { HOST_POLL_MS, RECHECK_INTERVAL_MS } from './limits.ts';
import type { PowerCycleSeen } from './observed.ts';
import { stayInPhase } from './status.ts';

/**
 * The request is being deleted, because the Machine recovered or an operator deleted it. The finalizer stays until the host was seen on again and
 * its Node has no taint of ours, however long that takes. An operator who wants the request gone earlier has to remove the finalizer.
 */
export function decidePowerCycleDeletion(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, budget, power } = seen;
  if (!hasFinalizer(object)) return { effects: [] };
  const { set, effects, report } = restorePower(seen, now);
  const { switchOnOwed, taintedNode } = { ...object.status, ...set };
  if (switchOnOwed !== true && taintedNode === undefined)
    return { effects: [...effects, ...endClaim(budget, now), removeFinalizer(object)] };
  return stayInPhase(object, now, {
    report: report ?? { reason: 'ClearingUp', message: 'the out-of-service taint is not removed from its Node yet' },
    set,
    effects,
    wakeAt: after(now, power.kind === 'fault' ? RECHECK_INTERVAL_MS : HOST_POLL_MS),
  });
}
