import { after, assertNever, SECOND, toTime, type Instant } from '../../../base/index.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { unblocked } from '../routing/block-request.ts';
import { finish } from './decide-ended.ts';
import { end } from '../end/end-request.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import type { RemediationSeen } from '../observe.ts';
import { reevaluate, type Reevaluation } from '../routing/index.ts';
import { enter, generationOf, ready, stay } from '../status.ts';
import { tell } from '../notifications/notify.ts';

/** Waits until the block is over, by time or by an event. People are told of it meanwhile, once. */
export function decideBlocked(seen: RemediationSeen, now: Instant): Decision {
  const { object, evidence, settings } = seen;
  if (!evidence) return stay(object, { now });
  const next = reevaluate(evidence, now);
  if (next.kind === 'leave') return leave(seen, next, now);
  // A failure that holds its signal back has come to its end, with all that this takes.
  const { status, effects } =
    object.status?.completedAt === undefined ? { status: object.status, effects: tell(seen).effects } : finish(seen, now);
  return {
    status,
    effects,
    wakeAt: next.lookAgainAt > now ? next.lookAgainAt : after(now, Math.max(SECOND, settings.routing.requeueGenericErrorMs)),
  };
}

function leave(seen: RemediationSeen, { to, why, status }: Extract<Reevaluation, { kind: 'leave' }>, now: Instant): Decision {
  const { object } = seen;
  switch (to) {
    case 'Pending':
      return enter(unblocked(object, now), 'Pending', now, { ...status, message: `${why}: it starts over` });
    case 'Analyzing':
      return enter(unblocked(object, now), 'Analyzing', now, {
        ...status,
        analyzingStartTime: toTime(now),
        message: `${why}: ${describeTarget(object.spec.targetResource)} is looked at again`,
      });
    case 'Completed':
      return end(seen, { phase: 'Completed', message: why, status }, now);
    case 'Failed':
      return object.status?.completedAt === undefined
        ? end(seen, { phase: 'Failed', message: why, status }, now)
        : failedBefore(seen, why, now);
    default:
      return assertNever(to);
  }
}

/** Back to the failure that it was: nothing about its end changes, only that it no longer holds its signal back. */
function failedBefore({ object }: RemediationSeen, why: string, now: Instant): Decision {
  const message = `${object.status?.failureReason ?? why}; ${why}`;
  const conditions = ready(object, { status: 'False', reason: 'Failed', message }, now);
  return {
    status: { ...object.status, overallPhase: 'Failed', message, ...generationOf(object), conditions },
    effects: [],
    wakeAt: after(now, RECHECK_INTERVAL_MS),
  };
}
