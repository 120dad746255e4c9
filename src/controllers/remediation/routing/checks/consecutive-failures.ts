import { formatDuration, toTime, type Instant } from '../../../../base/index.ts';
import type { RoutingEvidence } from '../evidence.ts';
import { consecutiveFailures as count, cooldownFrom, reachesThreshold } from '../failure-history.ts';
import type { CheckVerdict } from '../check-verdict.ts';
import { pass, unknown } from './pass.ts';

const CHECK = 'ConsecutiveFailures';

/** Check 2: too many failures of a fingerprint in a row block it for a cooldown. */
export function consecutiveFailuresCheck({ others, routing }: RoutingEvidence, now: Instant): CheckVerdict {
  if (others.kind === 'unreadable') return unknown(CHECK, others.reason);
  const failures = count(others.value, now);
  const threshold = routing.consecutiveFailureThreshold;
  const inputs = { failures, threshold };
  if (!reachesThreshold(failures, routing)) return pass(CHECK, inputs);
  const until = cooldownFrom(now, routing);
  const message = `${failures} remediations of this signal failed in a row: none is tried for ${formatDuration(
    routing.consecutiveFailureCooldownMs,
  )}, until ${toTime(until)}. Read their messages, and fix the cause by hand`;
  return { kind: 'block', check: CHECK, inputs, message, until, lookAgainAt: until };
}
