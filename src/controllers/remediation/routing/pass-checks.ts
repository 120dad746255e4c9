import { after, assertNever, instant, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { block } from './block-request.ts';
import type { RemediationSeen } from '../observe.ts';
import { route, type CheckPoint } from './index.ts';
import { stay } from '../status.ts';
import type { Deadline } from '../timeouts.ts';

/** What to do instead of going on; undefined where every check passes. What the checks need and cannot read is asked for again, in time. */
export function passes(
  point: CheckPoint,
  { object, evidence, settings }: RemediationSeen,
  { now, deadline }: { readonly now: Instant; readonly deadline: Deadline },
): Decision | 'too late' | undefined {
  const soon = instant(Math.min(after(now, settings.routing.requeueGenericErrorMs), deadline.at));
  const again = now < deadline.at ? stay(object, { now, deadline: soon }) : 'too late';
  if (!evidence) return again;
  const verdict = route(point, evidence, now);
  switch (verdict.kind) {
    case 'pass':
      return undefined;
    case 'block':
      return block(object, verdict, now);
    case 'unknown':
      return again;
    default:
      return assertNever(verdict);
  }
}
