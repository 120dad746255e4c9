import { isSuppressed } from '../../../../api/remediation-request/suppression.ts';
import { toTime, type Instant } from '../../../../base/index.ts';
import { signalsOf } from '../../urgency.ts';
import type { RoutingEvidence } from '../evidence.ts';
import { suppressionSinceSuccess } from '../failure-history.ts';
import type { CheckVerdict } from '../check-verdict.ts';
import { pass, unknown } from './pass.ts';

const CHECK = 'ExponentialBackoff';

/** Check 4: earlier requests of the fingerprint named a moment before which no new one may continue; the gateway applies the same rule. */
export function exponentialBackoffCheck({ others, request, target }: RoutingEvidence, now: Instant): CheckVerdict {
  if (others.kind === 'unreadable') return unknown(CHECK, others.reason);
  const suppression = suppressionSinceSuccess(others.value, request, { signals: signalsOf(request), target });
  const inputs = suppression === undefined ? {} : { nextAllowedExecution: toTime(suppression.until) };
  if (!isSuppressed(suppression, now)) return pass(CHECK, inputs);
  const { until } = suppression;
  const message = `earlier remediations of this signal ended so that none is tried until ${toTime(until)}`;
  return { kind: 'block', check: CHECK, inputs, message, until, lookAgainAt: until };
}
