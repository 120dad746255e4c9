import { after, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { giveBack } from './budget/budget-claims.ts';
import { hasFinalizer, removeFinalizer } from './finalizer.ts';
import { POLL_MS, LOOK_AGAIN_MS } from './limits.ts';
import type { PowerCycleSeen } from './observed.ts';
import { stay } from './status.ts';
import { towardsOn } from './attempt/restore-power.ts';

/**
 * The request goes: the Machine recovered, or somebody took it away. What is half done is undone first: the host is switched on again, however
 * long that takes, and its Node is no longer marked. Whoever wants the request gone before that has to take the finalizer off.
 */
export function decideLeaving(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, budget, power } = seen;
  if (!hasFinalizer(object)) return { effects: [] };
  const { set, effects, words } = towardsOn(seen, now);
  const { switchOnOwed, taintedNode } = { ...object.status, ...set };
  if (switchOnOwed !== true && taintedNode === undefined)
    return { effects: [...effects, ...giveBack(budget, now), removeFinalizer(object)] };
  return stay(object, now, {
    words: words ?? { reason: 'ClearingUp', message: 'the out-of-service taint has yet to go from its Node' },
    set,
    effects,
    wakeAt: after(now, power.kind === 'fault' ? LOOK_AGAIN_MS : POLL_MS),
  });
}
