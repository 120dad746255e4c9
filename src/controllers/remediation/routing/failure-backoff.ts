import { after, instant, type Instant } from '../../../base/index.ts';
import type { RoutingSettings } from '../../settings.ts';

/** How long a fingerprint is suppressed after its n-th failure in a row: both the exponent and the time are capped. */
export function failureBackoff(failures: number, routing: RoutingSettings): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, routing.exponentialBackoffMaxExponent);
  return Math.min(routing.exponentialBackoffBaseMs * 2 ** exponent, routing.exponentialBackoffMaxMs);
}

/**
 * When an unmanaged target is checked again: 5, 15, 35, 75 … s after the block started. The wait doubles with every unsuccessful
 * check, and no counter has to be stored.
 */
export function nextScopeCheck(blockedSince: Instant, now: Instant, routing: RoutingSettings): Instant {
  const longest = Math.max(1, routing.scopeBackoffMaxMs);
  let wait = Math.max(1, Math.min(routing.scopeBackoffBaseMs, longest));
  let looked: number = blockedSince;
  while (wait < longest && looked + wait <= now) {
    looked += wait;
    wait = Math.min(2 * wait, longest);
  }
  if (looked + wait <= now) looked += Math.floor((now - looked) / wait) * wait;
  // A block that started in the future, by another clock, must not delay the check.
  return instant(Math.min(looked + wait, after(now, longest)));
}
