import { hasEnded } from '../end/has-ended.ts';
import { after, assertNever, SECOND, toTime, type Instant } from '../../../base/index.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { withoutBlock } from '../routing/block-request.ts';
import { finish } from './decide-ended.ts';
import { endRequest } from '../end/end-request.ts';
import { isPlanTooOld, withoutPlan } from '../plan/plan-after-freeze.ts';
import { changedTarget } from '../routing/judge-change-of.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import type { RemediationSeen } from '../observe.ts';
import { reevaluateBlock, type Reevaluation } from '../routing/index.ts';
import { enterPhase, generationOf, ready, stayInPhase } from '../status.ts';
import { notify } from '../notifications/notify.ts';

/** Waits until time or an event ends the block. One notification reports the block. */
export function decideBlocked(seen: RemediationSeen, now: Instant): Decision {
  const { object, evidence, settings } = seen;
  if (!evidence) return stayInPhase(object, { now });
  const next = reevaluateBlock(evidence, now);
  if (next.kind === 'leave') return leave(seen, next, now);
  // The failure that reached the threshold has ended: its end is finished like any other while it is Blocked.
  const { status, effects } = hasEnded(object) ? finish(seen, now) : { status: object.status, effects: notify(seen).effects };
  return {
    status: { ...status, ...next.status },
    effects,
    wakeAt: next.lookAgainAt > now ? next.lookAgainAt : after(now, Math.max(SECOND, settings.routing.requeueGenericErrorMs)),
  };
}

function leave(seen: RemediationSeen, { to, why, status }: Extract<Reevaluation, { kind: 'leave' }>, now: Instant): Decision {
  const { object } = seen;
  switch (to) {
    case 'Pending':
      return enterPhase(withoutBlock(object, now), 'Pending', now, { ...status, message: `${why}: it starts again` });
    case 'Analyzing':
      return toAnalyzing(seen, { why, status }, now);
    case 'Completed':
      return endRequest(seen, { phase: 'Completed', message: why, status }, now);
    case 'Failed':
      return hasEnded(object) ? failedBefore(seen, why, now) : endRequest(seen, { phase: 'Failed', message: why, status }, now);
    default:
      return assertNever(to);
  }
}

/** With the same plan, which runs only if the target is unchanged; without it where a freeze lasted so long that what was analysed is too old. */
function toAnalyzing(
  { object, settings }: RemediationSeen,
  { why, status }: Pick<Extract<Reevaluation, { kind: 'leave' }>, 'why' | 'status'>,
  now: Instant,
): Decision {
  const isTooOld = isPlanTooOld(object, settings, now);
  const unblocked = withoutBlock(object, now);
  const target = describeTarget(changedTarget({ request: object }));
  return enterPhase(isTooOld ? withoutPlan(unblocked) : unblocked, 'Analyzing', now, {
    ...status,
    analyzingStartTime: toTime(now),
    message: isTooOld ? `${why}: ${target} is analysed again` : `${why}: the plan for ${target} is checked again`,
  });
}

/** Back to the phase Failed: nothing about its end changes, only that it no longer blocks its signal. */
function failedBefore({ object }: RemediationSeen, why: string, now: Instant): Decision {
  const message = `${object.status?.failureReason ?? why}; ${why}`;
  const conditions = ready(object, { status: 'False', reason: 'Failed', message }, now);
  return {
    status: { ...object.status, overallPhase: 'Failed', message, ...generationOf(object), conditions },
    effects: [],
    wakeAt: after(now, RECHECK_INTERVAL_MS),
  };
}
