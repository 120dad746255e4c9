import { targetText } from '../../../target/index.ts';
import { assertNever, parseTime, type Instant } from '../../../../base/index.ts';
import type { Scope } from '../../../../scope/index.ts';
import { nextScopeCheck } from '../failure-backoff.ts';
import type { RoutingEvidence } from '../evidence.ts';
import type { CheckVerdict } from '../check-verdict.ts';
import { pass, unknown } from './pass.ts';

const CHECK = 'UnmanagedResource';

/** Check 1: the resource of the signal and the resource that is to be changed must both be in scope. */
export function unmanagedResourceCheck(evidence: RoutingEvidence, now: Instant): CheckVerdict {
  const { request, routing, planned } = evidence;
  const target = targetText(planned?.target ?? request.spec.targetResource);
  const scope = narrower(evidence.scope, planned?.scope);
  const inputs = { target, scope: scope.kind };
  switch (scope.kind) {
    case 'in':
      return pass(CHECK, inputs);
    case 'unreadable':
      return unknown(CHECK, scope.reason, inputs);
    case 'out': {
      const since = request.status?.overallPhase === 'Blocked' ? parseTime(request.status.blockedStartTime) : undefined;
      return { kind: 'block', check: CHECK, inputs, message: scope.message, lookAgainAt: nextScopeCheck(since ?? now, now, routing) };
    }
    default:
      return assertNever(scope);
  }
}

/** The stricter of two scopes: out of scope wins, whatever the other is. */
function narrower(signal: Scope, plan: Scope = signal): Scope {
  if (signal.kind === 'out' || plan.kind === 'in') return signal;
  return plan;
}
