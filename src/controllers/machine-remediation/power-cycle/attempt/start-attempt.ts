import { after, parseTime, toTime, type Instant } from '../../../../base/index.ts';
import type { Decision } from '../../../../runtime/reconcile/controller.ts';
import { askBudget } from '../../../budget/index.ts';
import { dropClaim, endClaim } from '../budget/budget-claims.ts';
import { addFinalizer, hasFinalizer } from '../finalizer.ts';
import { NO_COMMAND, powerOnOwed, requestPowerOff } from '../host/power-command.ts';
import { earliestOf, HOST_POLL_MS, RECHECK_INTERVAL_MS } from '../limits.ts';
import { faultReport, ineligibleReport, machineUnreadable, poweringOffReport } from '../messages.ts';
import { isOff, type PowerCycleSeen } from '../observed.ts';
import { enterPhase, keepReport, needsCleanup, phaseOf, stayInPhase, type PhaseUpdate, type ReadyReport } from '../status.ts';
import { UNSUCCESSFUL } from './failed-attempt.ts';
import { restorePower } from './restore-power.ts';
import { whyStillWrongHost } from './wrong-host.ts';

/** Whether the backoff after the last attempt has ended; the first attempt has none. */
export const isDue = ({ object }: Pick<PowerCycleSeen, 'object'>, now: Instant): boolean =>
  phaseOf(object) !== 'backoff' || now >= (parseTime(object.status?.nextAttemptTime) ?? now);

/**
 * Before an attempt the Machine must be eligible, its Secret must not point to a host that was found to be the wrong one, the budget must have a
 * slot, and the host must report its power. Then the claim and the finalizer are written, and the host is ordered to switch off only after both
 * were read back.
 */
export function decideStart(seen: PowerCycleSeen, now: Instant): Decision {
  if (!isDue(seen, now)) return waitForRetry(seen, now);
  const { object, settings, budget, power } = seen;
  const objection = whyNotStart(seen);
  if (objection) return waitToStart(seen, now, { report: objection });
  const permission = askBudget(budget, settings, now);
  if (permission.kind === 'Wait') return waitToStart(seen, now, { ...permission, report: permission.ready });
  if (power.kind !== 'state') return waitToStart(seen, now, { report: power.kind === 'fault' ? faultReport(power) : READY });
  const first = [...(hasFinalizer(object) ? [] : [addFinalizer(object)]), ...(permission.kind === 'Granted' ? [permission.effect] : [])];
  return first.length > 0
    ? stayInPhase(object, now, { report: READY, effects: first, wakeAt: after(now, HOST_POLL_MS) })
    : startAttempt(seen, now);
}

/** Why no attempt may start on the Machine or on the host that its Secret points to. */
function whyNotStart(seen: PowerCycleSeen): ReadyReport | undefined {
  const { machine } = seen;
  switch (machine.kind) {
    case 'eligible':
      return whyStillWrongHost(seen);
    case 'unreadable':
      return machineUnreadable(machine.reason);
    case 'ineligible':
      return ineligibleReport(machine);
    case 'not-read':
      return READY;
  }
}

const READY: ReadyReport = { reason: 'Pending', message: 'about to switch the host off' };

function startAttempt(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, host } = seen;
  const { retryCount: before = 0 } = object.status ?? {};
  const isRetry = phaseOf(object) === 'backoff';
  const retryCount = isRetry ? before + 1 : 0;
  // A host that is off already needs no command, but must be switched on afterwards.
  const { set, effects } = isOff(seen) ? { ...NO_COMMAND, set: powerOnOwed(host) } : requestPowerOff(object, now, host);
  return enterPhase('power-off', object, now, {
    report: poweringOffReport(retryCount),
    set: { ...set, retryCount, nextAttemptTime: undefined, anotherHost: undefined, ...(!isRetry && { attemptsNeverOff: undefined }) },
    effects,
    wakeAt: after(now, HOST_POLL_MS),
  });
}

/** Starts nothing, for a reason that may pass. The budget slot is free for others meanwhile, and the cleanup after the last attempt continues. */
function waitToStart(seen: PowerCycleSeen, now: Instant, { report, effects = [], wakeAt }: PhaseUpdate): Decision {
  const cleanup = restorePower(seen, now);
  const soon = after(now, RECHECK_INTERVAL_MS);
  return stayInPhase(seen.object, now, {
    report,
    set: cleanup.set,
    effects: [...cleanup.effects, ...dropClaim(seen.budget), ...effects],
    wakeAt: earliestOf(soon, wakeAt ?? soon),
  });
}

/** Between two attempts. The cleanup after the last one continues: a host must not stay off for the whole backoff. */
function waitForRetry(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, budget } = seen;
  const { set, effects, report } = restorePower(seen, now);
  const next = parseTime(object.status?.nextAttemptTime) ?? now;
  return stayInPhase(object, now, {
    // Why there is a backoff matters more than a cleanup without problems.
    report:
      report?.isWarning === true
        ? report
        : keepReport(object, UNSUCCESSFUL, `the last attempt did not help; the next one starts at ${toTime(next)}`),
    set,
    effects: [...effects, ...endClaim(budget, now)],
    wakeAt: needsCleanup(object) ? earliestOf(next, after(now, RECHECK_INTERVAL_MS)) : next,
  });
}
