import { gateAllows } from '../../../api/machine-health-check/unhealthy-limit.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { after, MINUTE, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { countTargets, nextCheckEvaluation } from '../check/decide-check.ts';
import type { CheckObservation } from '../check/observe-check.ts';
import { WATCH_FILTER_SICKBAY, type CheckManager } from './managing-controller.ts';
import { warningEvent } from '../../kubernetes-events.ts';

/** The call that logs the state of a check that another controller manages. */
export const LOG_UNMANAGED_CHECK = 'tell-observed-check';

/** What Sickbay observes of a check that another controller manages. */
export interface UnmanagedCheckReport {
  readonly check: string;
  readonly machines: number;
  readonly healthy: number;
  /** Names of the first unhealthy Machines. */
  readonly unhealthy: readonly string[];
  /** Whether the gate is open by Sickbay's count. */
  readonly remediationAllowed: boolean;
}

const MOST_NAMED = 20;
/** Retry interval for reads that failed. */
const RECHECK_INTERVAL_MS = MINUTE / 2;

/** Evaluates a check that another controller manages, and only logs the result: neither the check nor its Machines are written. */
export function decideUnmanagedCheck(seen: CheckObservation, whose: Exclude<CheckManager, 'ours'>, now: Instant): Decision {
  const contested = whose === 'contested' ? [CONTESTED] : [];
  const { parsed: read, targets, targetsUnknown, pausedBy } = seen;
  if (targetsUnknown !== undefined) return { effects: contested, wakeAt: after(now, RECHECK_INTERVAL_MS) };
  if (read.kind === 'invalid' || pausedBy.length > 0) return { effects: contested };
  const count = countTargets(seen);
  const input: UnmanagedCheckReport = {
    check: `${read.namespace}/${read.name}`,
    machines: count.total,
    healthy: count.total - count.unhealthy,
    unhealthy: targets
      .filter(({ verdict }) => verdict.kind === 'unhealthy')
      .map(({ target }) => target.machine.metadata.name)
      .slice(0, MOST_NAMED),
    remediationAllowed: gateAllows(read.check.gate, count),
  };
  const told: Effect = { kind: 'Call', run: LOG_UNMANAGED_CHECK, key: seen.object.metadata.uid, input };
  return { effects: [told, ...contested], ...nextCheckEvaluation(targets, [], now) };
}

const CONTESTED: Effect = warningEvent(
  'NotKeptOff',
  `the label ${LABELS.watchFilter}=${WATCH_FILTER_SICKBAY} asks Sickbay to manage this check, but Cluster API's controller manages it already. ` +
    `Next: set the annotation ${ANNOTATIONS.paused} on it too, which keeps that controller off`,
);
