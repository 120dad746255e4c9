import { Machine } from '../../../../api/machine/machine.ts';
import { keyOf } from '../../../../api/meta.ts';
import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { after, backoffDelay, toMicroTime, toTime, type Instant } from '../../../../base/index.ts';
import type { Decision, Effect } from '../../../../runtime/reconcile/controller.ts';
import { withConditions, conditionOf, type DesiredCondition } from '../../../machine-health/conditions/cluster-api-conditions.ts';
import { anothersHost } from './wrong-host.ts';
import { giveBack } from '../budget/budget-claims.ts';
import { isOwedToAnother } from '../host/host-identity.ts';
import { BETWEEN_ATTEMPTS, LOOK_AGAIN_MS, limitsOf, POLL_MS } from '../limits.ts';
import type { LeftAlone, PowerCycleSeen, Standing } from '../observed.ts';
import { enter, isOwing, phaseOf, stay, stillSaying, type Words } from '../status.ts';
import { towardsOn } from './restore-power.ts';

/** The reason that is given for a pause. */
export const UNSUCCESSFUL = 'PowerCycleUnsuccessful';
const ESCALATED = 'Escalated';

const UNCOUNTED = '; the Machine is not given up for this, as its host was never seen off';

/**
 * An attempt did not help: the next one comes after a pause or, where that is asked for and enough were made, the owner is asked. One in which
 * the host was never seen off was no power cycle: whoever may read its power and not switch it must not have Machines deleted.
 */
export function unsuccessful(seen: PowerCycleSeen, now: Instant, why: string): Decision {
  const { object, machine, budget } = seen;
  const said = `${why}${troubleOf(seen)}`;
  const retries = countedRetries(object);
  const isLast = wasOff(seen) && retries >= limitsOf(object).retries;
  if (isLast && machine.kind === 'unreadable') {
    const { set, effects } = towardsOn(seen, now);
    const words = { reason: 'MachineUnreadable', message: machine.why, isWarning: true };
    return stay(object, now, { words, set, effects, wakeAt: after(now, LOOK_AGAIN_MS) });
  }
  if (isLast && machine.kind === 'ill')
    return enter('escalated', object, now, {
      words: escalated(`${said}; its owner is asked to replace the Machine after ${retries} retries without success`),
      set: { escalatedFailure: failureOf(machine.machine) },
      effects: [...giveBack(budget, now), ...askOwner(machine.machine, now)],
      wakeAt: after(now, LOOK_AGAIN_MS),
    });
  return tryAgain(seen, now, said);
}

/** An attempt that ends before that ends in `power-off`. Another's host is not that of the Machine; nor is one that the Secret does not lead to any more. */
const wasOff = ({ object, host }: PowerCycleSeen): boolean =>
  phaseOf(object) !== 'power-off' && anothersHost(object) === undefined && !(host && isOwedToAnother(object.status, host));

const countedRetries = ({ status: { retryCount = 0, attemptsNeverOff = 0 } = {} }: PowerCycleRemediation): number =>
  retryCount - attemptsNeverOff;

function tryAgain(seen: PowerCycleSeen, now: Instant, said: string): Decision {
  const { object, budget } = seen;
  const { retryCount = 0, attemptsNeverOff = 0 } = object.status ?? {};
  const next = after(now, backoffDelay(BETWEEN_ATTEMPTS, retryCount + 1));
  const isUncounted = !wasOff(seen) && limitsOf(object).retries !== Infinity;
  return enter('backoff', object, now, {
    words: {
      reason: UNSUCCESSFUL,
      message: `${said}; retry ${retryCount + 1} begins at ${toTime(next)}${isUncounted ? UNCOUNTED : ''}`,
      isWarning: true,
    },
    set: { nextAttemptTime: toMicroTime(next), ...(!wasOff(seen) && { attemptsNeverOff: attemptsNeverOff + 1 }) },
    effects: giveBack(budget, now),
    wakeAt: isOwing(object) ? after(now, LOOK_AGAIN_MS) : next,
  });
}

function troubleOf({ power, trouble }: PowerCycleSeen): string {
  const found = power.kind === 'fault' ? power : trouble;
  return found ? ` (${found.message})` : '';
}

const escalated = (message: string): Words => ({ reason: ESCALATED, message, isWarning: true });

/** Since when it says that it fails: what tells one failure from the next. */
const failureOf = ({ status = {} }: Machine): string | undefined => conditionOf(status, 'HealthCheckSucceeded')?.lastTransitionTime;

const isAsked = ({ status = {} }: Machine): boolean => conditionOf(status, 'OwnerRemediated')?.status === 'False';

/** Whether the Machine fails anew since its owner was asked, and nobody asked for that. */
const failsAnew = ({ object, machine }: PowerCycleSeen): boolean =>
  machine.kind === 'ill' &&
  !isAsked(machine.machine) &&
  (object.status?.escalatedFailure === undefined || failureOf(machine.machine) !== object.status.escalatedFailure);

const ANEW: Words = { reason: 'FailedAnew', message: 'the Machine recovered and fails again: it is power-cycled as if for the first time' };

/**
 * Given up: the owner is asked for as long as the Machine is ill with what it was given up for, and for no other failure: nobody tried yet to
 * mend that one. The host is not left off all the same.
 */
export function decideEscalated(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, machine, budget } = seen;
  if (failsAnew(seen))
    return enter('pending', object, now, { words: ANEW, set: { escalatedFailure: undefined }, wakeAt: after(now, POLL_MS) });
  const { set, effects, words } = towardsOn(seen, now);
  const asked = machine.kind === 'ill' ? askOwner(machine.machine, now) : [];
  const isResting = asked.length === 0 && isSettled(seen);
  return stay(object, now, {
    words:
      words?.isWarning === true
        ? words
        : stillSaying(object, ESCALATED, 'power cycles did not help; its owner is asked to replace the Machine'),
    set,
    effects: [...effects, ...giveBack(budget, now), ...asked],
    ...(!isResting && { wakeAt: after(now, LOOK_AGAIN_MS) }),
  });
}

/** Whether nothing is left to do before the Machine says something else. What could not be read may hide something. */
const isSettled = ({ object, machine, budget }: PowerCycleSeen): boolean =>
  !isOwing(object) && budget.kind !== 'unreadable' && tellsWhenOver(machine);

/** Why a Machine is left alone, where the Machine itself tells when that is over; of checks, Clusters and Nodes nobody tells us. */
const TOLD_BY_MACHINE: ReadonlySet<LeftAlone> = new Set(['MachineMissing', 'MachineHealthy', 'MachineDeleting']);

const tellsWhenOver = (machine: Standing): boolean =>
  machine.kind === 'ill' || (machine.kind === 'left' && TOLD_BY_MACHINE.has(machine.reason));

const WAITING_FOR_OWNER: DesiredCondition = {
  type: 'OwnerRemediated',
  holds: false,
  reason: 'WaitingForRemediation',
  message: 'power cycles did not help: its owner is asked to replace it',
  old: { reason: 'WaitingForRemediation', message: '' },
};

/** What an owner that was asked already says about it stays. */
function askOwner(machine: Machine, now: Instant): readonly Effect[] {
  const before = machine.status ?? {};
  if (isAsked(machine)) return [];
  const status = withConditions(before, [WAITING_FOR_OWNER], { generation: machine.metadata.generation ?? 0, now });
  const { resourceVersion } = machine.metadata;
  return [{ kind: 'PatchStatus', resource: Machine, key: keyOf(machine), resourceVersion, status }];
}
