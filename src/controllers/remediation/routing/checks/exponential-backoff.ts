import { toTime, type Instant } from '../../../../base/index.ts';
import type { Evidence } from '../evidence.ts';
import { nextAllowed } from '../failure-history.ts';
import type { Verdict } from '../check-verdict.ts';
import { pass, unknown } from './pass.ts';

const CHECK = 'ExponentialBackoff';

/** Check 4: what earlier requests of the fingerprint said about when it may go on; the gateway holds to the same. */
export function exponentialBackoff({ others, request }: Evidence, now: Instant): Verdict {
  if (others.kind === 'unreadable') return unknown(CHECK, others.reason);
  const until = nextAllowed(others.value, request);
  const inputs = until === undefined ? {} : { nextAllowedExecution: toTime(until) };
  if (until === undefined || until <= now) return pass(CHECK, inputs);
  const message = `earlier remediations of this signal ended so that it is left alone until ${toTime(until)}`;
  return { kind: 'block', check: CHECK, inputs, message, until, lookAgainAt: until };
}
