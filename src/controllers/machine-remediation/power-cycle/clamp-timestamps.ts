import type { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { after, isAhead, toMicroTime, type Instant } from '../../../base/index.ts';
import { RETRY_BACKOFF } from './limits.ts';

/** A retry is scheduled in the future, but never further ahead than the longest backoff. */
const latestAttempt = (now: Instant): Instant => after(now, RETRY_BACKOFF.maxMs);

/**
 * Corrects timestamps that lie in the future because the clock was set back: they count from now on, and the next status write stores them so.
 * No timeout then lasts longer than its own duration and no backoff longer than the longest one, and nothing that leads to switching off or
 * escalating happens early. A future `powerOnRequestedAt` is dropped: switching on twice does a host no harm.
 */
export function clampTimestamps(object: PowerCycleRemediation, now: Instant): PowerCycleRemediation {
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
