import { after, assertNever, instant, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { blockRequest } from './block-request.ts';
import type { RemediationSeen } from '../observe.ts';
import { firstObjection, type CheckPoint } from './index.ts';
import { stayInPhase } from '../status.ts';
import type { Deadline } from '../timeouts.ts';

/**
 * The decision for the first check that does not pass; undefined where all pass. What the checks cannot read is read again before the
 * deadline.
 */
export function objectionAt(
  point: CheckPoint,
  { object, evidence, settings }: RemediationSeen,
  { now, deadline }: { readonly now: Instant; readonly deadline: Deadline },
): Decision | 'too late' | undefined {
  const soon = instant(Math.min(after(now, settings.routing.requeueGenericErrorMs), deadline.at));
  const again = now < deadline.at ? stayInPhase(object, { now, deadline: soon }) : 'too late';
  if (!evidence) return again;
  const verdict = firstObjection(point, evidence, now);
  switch (verdict.kind) {
    case 'pass':
      return undefined;
    case 'block':
      return blockRequest(object, verdict, now);
    case 'unknown':
      return again;
    default:
      return assertNever(verdict);
  }
}
