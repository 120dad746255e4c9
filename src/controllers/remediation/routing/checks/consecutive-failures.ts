import { after, formatDuration, toTime, type Instant } from '../../../../base/index.ts';
import type { Evidence } from '../evidence.ts';
import { consecutiveFailures as count } from '../failure-history.ts';
import type { Verdict } from '../check-verdict.ts';
import { pass, unknown } from './pass.ts';

const CHECK = 'ConsecutiveFailures';

/** Check 2: a fingerprint that fails again and again is left alone for a while. */
export function consecutiveFailures({ others, routing }: Evidence, now: Instant): Verdict {
  if (others.kind === 'unreadable') return unknown(CHECK, others.reason);
  const failures = count(others.value, now);
  const threshold = routing.consecutiveFailureThreshold;
  const inputs = { failures, threshold };
  if (failures < threshold) return pass(CHECK, inputs);
  const until = after(now, routing.consecutiveFailureCooldownMs);
  const message = `${failures} remediations of this signal failed in a row: it is left alone for ${formatDuration(
    routing.consecutiveFailureCooldownMs,
  )}, until ${toTime(until)}. Look at what they say, and mend it by hand`;
  return { kind: 'block', check: CHECK, inputs, message, until, lookAgainAt: until };
}
