import type { Machine } from '../../../api/machine/machine.ts';
import { after, isAhead, parseTime, toTime, type Instant } from '../../../base/index.ts';
import { conditionOf } from '../conditions/cluster-api-conditions.ts';

/** Since when a Machine says that it is healthy; undefined when it does not. */
export function healthySince({ status = {} }: Machine): Instant | undefined {
  const stated = conditionOf(status, 'HealthCheckSucceeded');
  return stated?.status === 'True' ? parseTime(stated.lastTransitionTime) : undefined;
}

/**
 * Until when a Machine that is well must stay so for its remediation to be over; undefined when that is now. By a clock that was ahead nobody knows
 * since when it is well, and its request would stay until that moment comes.
 */
export function healthyDelayEnd(machine: Machine, delayMs: number, now: Instant): Instant | undefined {
  const since = healthySince(machine);
  if (delayMs === 0 || since === undefined || isAhead(toTime(since), now)) return undefined;
  const until = after(since, delayMs);
  return now < until ? until : undefined;
}
