import type { ExecutionSettings } from '../../settings.ts';

/**
 * How long a target is left alone after its n-th failure in a row before anything ran. The exponent is capped, and then the time; the count
 * goes on.
 */
export function backoffMs(failures: number, settings: ExecutionSettings): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, settings.maxBackoffExponent);
  return Math.min(settings.baseCooldownMs * 2 ** exponent, settings.maxCooldownMs);
}
