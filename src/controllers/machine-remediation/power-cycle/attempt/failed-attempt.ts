import { Machine } from '../../../../api/machine/machine.ts';
import { keyOf } from '../../../../api/meta.ts';
import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { after, backoffDelay, toMicroTime, toTime, type Instant } from '../../../../base/index.ts';
import type { Decision, Effect } from '../../../../runtime/reconcile/controller.ts';
import { withConditions, conditionOf, type DesiredCondition } from '../../../machine-health/conditions/cluster-api-conditions.ts';
import { endClaim } from '../budget/budget-claims.ts';
import { owesAnotherHost } from '../host/host-identity.ts';
import { HOST_POLL_MS, RECHECK_INTERVAL_MS, RETRY_BACKOFF, timeoutsOf } from '../limits.ts';
import { machineUnreadable } from '../messages.ts';
import type { Eligibility, IneligibleReason, PowerCycleSeen } from '../observed.ts';
import { enterPhase, keepReport, needsCleanup, phaseOf, stayInPhase, type ReadyReport } from '../status.ts';
import { restorePower } from './restore-power.ts';
import { wrongHostOf } from './wrong-host.ts';

/** The reason that the Ready condition has during a backoff. */
export const UNSUCCESSFUL = 'PowerCycleUnsuccessful';
const ESCALATED = 'Escalated';

const UNCOUNTED = '; this attempt does not count towards escalation, because its host was never seen off';

/**
 * An attempt did not help. The next one starts after a backoff; with the strategy `escalate`, and after enough retries, the owner is requested to
 * replace the Machine. An attempt in which the host was never seen off does not count: an account that may read a host's power but not switch it
 * must not cause Machines to be deleted.
 */
export function attemptFailed(seen: PowerCycleSeen, now: Instant, why: string): Decision {
  const { object, machine, budget } = seen;
  const text = `${why}${faultText(seen)}`;
  const retries = countedRetries(object);
  const isLast = wasOff(seen) && retries >= timeoutsOf(object).retries;
  if (isLast && machine.kind === 'unreadable') {
    const { set, effects } = restorePower(seen, now);
    return stayInPhase(object, now, { report: machineUnreadable(machine.reason), set, effects, wakeAt: after(now, RECHECK_INTERVAL_MS) });
  }
  if (isLast && machine.kind === 'eligible')
    return enterPhase('escalated', object, now, {
      report: escalated(`${text}; after ${retries} retries without success its owner is requested to replace the Machine`),
      set: { escalatedFailure: failureStart(machine.machine) },
      effects: [...endClaim(budget, now), ...requestReplacement(machine.machine, now)],
      wakeAt: after(now, RECHECK_INTERVAL_MS),
    });
  return scheduleRetry(seen, now, text);
}

/**
 * Whether the Machine's host was seen off: every phase after `power-off` requires it. The wrong host does not count, nor does one that the Secret
 * no longer points to.
 */
const wasOff = ({ object, host }: PowerCycleSeen): boolean =>
  phaseOf(object) !== 'power-off' && wrongHostOf(object) === undefined && !(host && owesAnotherHost(object.status, host));

const countedRetries = ({ status: { retryCount = 0, attemptsNeverOff = 0 } = {} }: PowerCycleRemediation): number =>
  retryCount - attemptsNeverOff;

function scheduleRetry(seen: PowerCycleSeen, now: Instant, text: string): Decision {
  const { object, budget } = seen;
  const { retryCount = 0, attemptsNeverOff = 0 } = object.status ?? {};
  const next = after(now, backoffDelay(RETRY_BACKOFF, retryCount + 1));
  const isUncounted = !wasOff(seen) && timeoutsOf(object).retries !== Infinity;
  return enterPhase('backoff', object, now, {
    report: {
      reason: UNSUCCESSFUL,
      message: `${text}; retry ${retryCount + 1} starts at ${toTime(next)}${isUncounted ? UNCOUNTED : ''}`,
      isWarning: true,
    },
    set: { nextAttemptTime: toMicroTime(next), ...(!wasOff(seen) && { attemptsNeverOff: attemptsNeverOff + 1 }) },
    effects: endClaim(budget, now),
    wakeAt: needsCleanup(object) ? after(now, RECHECK_INTERVAL_MS) : next,
  });
}

function faultText({ power, commandFailure }: PowerCycleSeen): string {
  const found = power.kind === 'fault' ? power : commandFailure;
  return found ? ` (${found.message})` : '';
}

const escalated = (message: string): ReadyReport => ({ reason: ESCALATED, message, isWarning: true });

/** When its health check started to fail: this identifies one failure of the Machine. */
const failureStart = ({ status = {} }: Machine): string | undefined => conditionOf(status, 'HealthCheckSucceeded')?.lastTransitionTime;

const isReplacementRequested = ({ status = {} }: Machine): boolean => conditionOf(status, 'OwnerRemediated')?.status === 'False';

/** Whether the Machine recovered after the escalation and fails again, with no remediation requested for the new failure. */
const hasNewFailure = ({ object, machine }: PowerCycleSeen): boolean =>
  machine.kind === 'eligible' &&
  !isReplacementRequested(machine.machine) &&
  (object.status?.escalatedFailure === undefined || failureStart(machine.machine) !== object.status.escalatedFailure);

const NEW_FAILURE: ReadyReport = {
  reason: 'FailedAnew',
  message: 'the Machine recovered and fails again: power cycles start from the first attempt',
};

/**
 * Escalated: the owner stays requested for as long as the Machine has the failure that was escalated. A new failure is power-cycled first. The host
 * is not left off meanwhile.
 */
export function decideEscalated(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, machine, budget } = seen;
  if (hasNewFailure(seen))
    return enterPhase('pending', object, now, {
      report: NEW_FAILURE,
      set: { escalatedFailure: undefined },
      wakeAt: after(now, HOST_POLL_MS),
    });
  const { set, effects, report } = restorePower(seen, now);
  const requests = machine.kind === 'eligible' ? requestReplacement(machine.machine, now) : [];
  const isResting = requests.length === 0 && isSettled(seen);
  return stayInPhase(object, now, {
    report:
      report?.isWarning === true
        ? report
        : keepReport(object, ESCALATED, 'power cycles did not help; its owner is requested to replace the Machine'),
    set,
    effects: [...effects, ...endClaim(budget, now), ...requests],
    ...(!isResting && { wakeAt: after(now, RECHECK_INTERVAL_MS) }),
  });
}

/** Whether nothing is left to do until a watch reports a change. An unreadable ledger may still hold a claim of this request. */
const isSettled = ({ object, machine, budget }: PowerCycleSeen): boolean =>
  !needsCleanup(object) && budget.kind !== 'unreadable' && isEndWatched(machine);

/** Reasons whose end the watch on Machines reports. Checks, Clusters and Nodes are not watched here. */
const WATCHED_REASONS: ReadonlySet<IneligibleReason> = new Set(['MachineMissing', 'MachineHealthy', 'MachineDeleting']);

const isEndWatched = (machine: Eligibility): boolean =>
  machine.kind === 'eligible' || (machine.kind === 'ineligible' && WATCHED_REASONS.has(machine.reason));

const REPLACEMENT_REQUESTED: DesiredCondition = {
  type: 'OwnerRemediated',
  holds: false,
  reason: 'WaitingForRemediation',
  message: 'power cycles did not help: its owner is requested to replace it',
  old: { reason: 'WaitingForRemediation', message: '' },
};

/** An existing OwnerRemediated=False stays as it is: the owner may have written it. */
function requestReplacement(machine: Machine, now: Instant): readonly Effect[] {
  const before = machine.status ?? {};
  if (isReplacementRequested(machine)) return [];
  const status = withConditions(before, [REPLACEMENT_REQUESTED], { generation: machine.metadata.generation ?? 0, now });
  const { resourceVersion } = machine.metadata;
  return [{ kind: 'PatchStatus', resource: Machine, key: keyOf(machine), resourceVersion, status }];
}
