import { after, instant, MINUTE, toTime, type Instant } from '../../../../base/index.ts';
import { judgeChange, type ChangeVerdict } from '../../../change-windows/index.ts';
import { describeTarget } from '../../../plan/remediation-plan.ts';
import { severityOfRequest } from '../../urgency.ts';
import type { CheckObjection, CheckVerdict } from '../check-verdict.ts';
import type { RoutingEvidence } from '../evidence.ts';
import { pass, unknown } from './pass.ts';

const CHECK = 'ChangeFreeze';

/** How soon a request that waits checks again whether the configuration still has its freeze. */
export const RECHECK_WINDOW_MS = MINUTE;

type Closed = Extract<ChangeVerdict, { kind: 'closed' }>;

/** Check 8: nothing is changed during a change freeze, nor outside the maintenance windows of the target, unless a person overrode it. */
export function changeFreezeCheck({ request, planned, changes }: RoutingEvidence, now: Instant): CheckVerdict {
  if (!changes) return pass(CHECK, {});
  const target = planned?.target ?? request.spec.targetResource;
  const { windows, labels, override } = changes;
  if (override) return pass(CHECK, { overriddenBy: override.by });
  const verdict = judgeChange(windows, { namespace: target.namespace, labels, severity: severityOfRequest(request) }, now);
  switch (verdict.kind) {
    case 'open':
      return pass(CHECK, { freezes: windows.changeFreezes.length, maintenanceWindows: windows.maintenanceWindows.length });
    case 'unknown':
      return unknown(CHECK, verdict.reason);
    case 'closed':
      return objection(verdict, describeTarget(target), now);
  }
}

function objection(closed: Closed, target: string, now: Instant): CheckObjection {
  const { by, window, until } = closed;
  return {
    kind: 'block',
    check: CHECK,
    inputs: { [by === 'ChangeFreeze' ? 'freeze' : 'maintenanceWindow']: window.name },
    message: closedText(closed, target),
    window: { kind: by, name: window.name },
    ...(until !== undefined && { until }),
    lookAgainAt: instant(Math.min(until ?? Infinity, after(now, RECHECK_WINDOW_MS))),
  };
}

/** What the target waits for, and how it can run before that. */
export function closedText({ by, window, until }: Closed, target: string): string {
  const why = window.reason === undefined ? '' : ` (${window.reason})`;
  const orOverride = 'or when a person with the right overrides it';
  if (by === 'ChangeFreeze')
    return `change freeze ${window.name}${why}: ${target} is not changed before it ends at ${toTime(until ?? instant(Infinity))}, ${orOverride}`;
  if (until === undefined)
    return `${target} is changed only in the maintenance window ${window.name}${why}, which does not open again: correct maintenanceWindows in the configuration`;
  return `${target} is changed only in its maintenance windows: ${window.name}${why} opens at ${toTime(until)}; it waits until then, ${orOverride}`;
}
