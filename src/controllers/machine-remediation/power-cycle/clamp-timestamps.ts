import type { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { after, isAhead, toMicroTime, type Instant } from '../../../base/index.ts';
import { BETWEEN_ATTEMPTS } from './limits.ts';

/** The end of a pause lies ahead as it should, but never by more than the longest that there is. */
const latestAttempt = (now: Instant): Instant => after(now, BETWEEN_ATTEMPTS.maxMs);

/**
 * The request as it is by a clock that was set back: what lies ahead counts from now, and is written down so with the next word. No limit is put
 * off by more than its own time then, and no pause by more than the longest; none is over early that leads to switching off or giving up. That it
 * was told to switch on is forgotten: to hear it twice does a host no harm.
 */
export function byThisClock(object: PowerCycleRemediation, now: Instant): PowerCycleRemediation {
  const { status } = object;
  if (!status) return object;
  const { powerOnRequestedAt, ...others } = status;
  const latest = latestAttempt(now);
  return {
    ...object,
    status: {
      ...others,
      ...(isAhead(status.phaseStartTime, now) && { phaseStartTime: toMicroTime(now) }),
      ...(isAhead(status.powerOffRequestedAt, now) && { powerOffRequestedAt: toMicroTime(now) }),
      ...(isAhead(status.nextAttemptTime, latest) && { nextAttemptTime: toMicroTime(latest) }),
      ...(powerOnRequestedAt !== undefined && !isAhead(powerOnRequestedAt, now) && { powerOnRequestedAt }),
    },
  };
}
