import { after, instant, MINUTE, toTime, type Instant } from '../../../../base/index.ts';
import type { ChangeVerdict } from '../../../change-windows/index.ts';
import { describeTarget } from '../../../plan/remediation-plan.ts';
import type { Target } from '../../../target/index.ts';
import type { CheckObjection, CheckVerdict } from '../check-verdict.ts';
import type { RoutingEvidence } from '../evidence.ts';
import { changedTarget, judgeChangeOf } from '../judge-change-of.ts';
import { isRestoring } from '../restoring.ts';
import { pass, unknown } from './pass.ts';

const CHECK = 'ChangeFreeze';

/** How soon a request that waits checks again whether the configuration still has its freeze. */
export const RECHECK_WINDOW_MS = MINUTE;

type Closed = Extract<ChangeVerdict, { kind: 'closed' }>;

/** Check 8: nothing is changed during a change freeze, nor outside the maintenance windows of the target, unless a person overrode it. */
export function changeFreezeCheck(evidence: RoutingEvidence, now: Instant): CheckVerdict {
  const { request, changes } = evidence;
  if (!changes) return pass(CHECK, {});
  if (isRestoring(request)) return pass(CHECK, { restores: true });
  const { windows, override, ignoredOverrideBy } = changes;
  if (override) return pass(CHECK, { overriddenBy: override.by });
  const verdict = judgeChangeOf(evidence, changes, now);
  switch (verdict.kind) {
    case 'open':
      return pass(CHECK, { freezes: windows.changeFreezes.length, maintenanceWindows: windows.maintenanceWindows.length });
    case 'unknown':
      return unknown(CHECK, verdict.reason);
    case 'closed':
      return objection(verdict, { target: changedTarget(evidence), ignoredOverrideBy }, now);
  }
}

function objection(closed: Closed, held: HeldBack, now: Instant): CheckObjection {
  const { by, window, until } = closed;
  return {
    kind: 'block',
    check: CHECK,
    inputs: { [by === 'ChangeFreeze' ? 'freeze' : 'maintenanceWindow']: window.name },
    message: closedText(closed, held),
    window: { kind: by, name: window.name, target: addressOf(held.target) },
    ...(until !== undefined && { until }),
    lookAgainAt: instant(Math.min(until ?? Infinity, after(now, RECHECK_WINDOW_MS))),
  };
}

/** The target without the rest of its pin. */
const addressOf = ({ kind, name, namespace, apiVersion }: Target): Target => ({
  kind,
  name,
  ...(namespace !== undefined && { namespace }),
  ...(apiVersion !== undefined && { apiVersion }),
});

/** What is held back, and whose override does not let it pass. */
interface HeldBack {
  readonly target: Target;
  readonly ignoredOverrideBy?: string | undefined;
}

/** What the target waits for, and how it can run before that. */
export function closedText(closed: Closed, { target, ignoredOverrideBy }: HeldBack): string {
  const text = waitText(closed, describeTarget(target));
  return ignoredOverrideBy === undefined
    ? text
    : `${text}. The override of ${ignoredOverrideBy} does not count, because the cluster did not verify the name: install the policies with sickbay run --install, or with kubectl apply -f deploy/policies, and override again with another reason`;
}

function waitText({ by, window, until, isSeverityUnknown }: Closed, target: string): string {
  const why = window.reason === undefined ? '' : ` (${window.reason})`;
  const orOverride = 'or when a person with the right overrides it';
  if (by === 'ChangeFreeze')
    return `change freeze ${window.name}${why}: ${target} is not changed before it ends at ${toTime(until ?? instant(Infinity))}, ${orOverride}`;
  if (isSeverityUnknown)
    return `${target} is changed only in its maintenance windows, and none opens for it: the severity of its signals is not known, which ${window.name}${why} depends on; it waits for a signal of known severity, ${orOverride}`;
  if (until === undefined)
    return `${target} is changed only in the maintenance window ${window.name}${why}, which does not open again: correct maintenanceWindows in the configuration`;
  return `${target} is changed only in its maintenance windows: ${window.name}${why} opens at ${toTime(until)}; it waits until then, ${orOverride}`;
}
