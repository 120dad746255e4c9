import type { Machine } from '../../../api/machine/machine.ts';
import { after, isAhead, parseTime, toTime, type Instant } from '../../../base/index.ts';
import { conditionOf } from '../conditions/cluster-api-conditions.ts';

/** Since when a Machine is reported healthy; undefined when it is not. */
export function healthySince({ status = {} }: Machine): Instant | undefined {
  const stated = conditionOf(status, 'HealthCheckSucceeded');
  return stated?.status === 'True' ? parseTime(stated.lastTransitionTime) : undefined;
}

/**
 * Until when a recovered Machine must stay healthy before its remediation ends; undefined when it may end now. A time in the future, from a
 * clock that was ahead, does not delay: the request would stay until that time.
 */
export function healthyDelayEnd(machine: Machine, delayMs: number, now: Instant): Instant | undefined {
  const since = healthySince(machine);
  if (delayMs === 0 || since === undefined || isAhead(toTime(since), now)) return undefined;
  const until = after(since, delayMs);
  return now < until ? until : undefined;
}
