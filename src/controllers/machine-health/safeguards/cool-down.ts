import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { after, formatDuration, isAhead, parseTime, toTime, type Instant } from '../../../base/index.ts';
import type { RemediationBlock } from './remediation-block.ts';

export type Storm = NonNullable<MachineHealthCheck['status']>['storm'];

export interface CoolDown {
  /** What the status records; undefined when no cool-down runs. */
  readonly storm: Storm;
  readonly block?: RemediationBlock;
}

/** After too many Machines were unhealthy at once, no new remediation starts for a while: recovering Machines may fail again. */
export function coolDown(
  before: Storm,
  { isStorm, cooldownMs }: { readonly isStorm: boolean; readonly cooldownMs: number },
  now: Instant,
): CoolDown {
  if (cooldownMs === 0) return { storm: undefined };
  // When too many Machines are unhealthy again the cool-down restarts.
  if (isStorm) return { storm: { since: before?.since ?? toTime(now) } };
  if (!before) return { storm: undefined };
  // A time in the future, written by a clock that was ahead, counts from now.
  const calmSince = isAhead(before.calmSince, now) ? toTime(now) : (before.calmSince ?? toTime(now));
  const until = after(parseTime(calmSince) ?? now, cooldownMs);
  if (now >= until) return { storm: undefined };
  const message = `too many Machines were unhealthy until ${calmSince}; no new remediation starts for ${formatDuration(cooldownMs)}, until ${toTime(until)}`;
  return { storm: { ...before, calmSince }, block: { reason: 'CoolingDown', message, until } };
}
