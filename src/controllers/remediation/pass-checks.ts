import { after, assertNever, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/controller.ts';
import { block } from './block.ts';
import type { RemediationSeen } from './observe.ts';
import { route, type CheckPoint } from './routing/index.ts';
import { stay } from './status.ts';
import type { Deadline } from './timeouts.ts';

/** What to do instead of going on; undefined where every check passes. What the checks need and cannot read is asked for again. */
export function passes(
  point: CheckPoint,
  { object, evidence, settings }: RemediationSeen,
  { now, deadline }: { readonly now: Instant; readonly deadline: Deadline },
): Decision | undefined {
  const soon = after(now, settings.routing.requeueGenericErrorMs);
  if (!evidence) return stay(object, { now, deadline: soon });
  const verdict = route(point, evidence, now);
  switch (verdict.kind) {
    case 'pass':
      return undefined;
    case 'block':
      return block(object, verdict, now);
    case 'unknown':
      return stay(object, { now, deadline: deadline.at < soon ? deadline.at : soon });
    default:
      return assertNever(verdict);
  }
}
