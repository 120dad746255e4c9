import { after, parseTime, toTime, type Instant } from '../../../../base/index.ts';
import type { Decision } from '../../../../runtime/reconcile/controller.ts';
import { askBudget } from '../../../budget/index.ts';
import { whyAnothers } from './wrong-host.ts';
import { giveBack, withdraw } from '../budget/budget-claims.ts';
import { NOTHING_TOLD, owedTo, tellOff } from '../host/power-command.ts';
import { addFinalizer, hasFinalizer } from '../finalizer.ts';
import { earliest, LOOK_AGAIN_MS, POLL_MS } from '../limits.ts';
import { isOff, type PowerCycleSeen } from '../observed.ts';
import { enter, isOwing, phaseOf, stay, stillSaying, type Saying, type Words } from '../status.ts';
import { towardsOn } from './restore-power.ts';
import { UNSUCCESSFUL } from './failed-attempt.ts';
import { leftWords, poweringOff, troubleWords } from '../messages.ts';

/** Whether the pause after the last attempt is over; the first one has none before it. */
export const isDue = ({ object }: Pick<PowerCycleSeen, 'object'>, now: Instant): boolean =>
  phaseOf(object) !== 'backoff' || now >= (parseTime(object.status?.nextAttemptTime) ?? now);

/**
 * Before an attempt: the Machine must say that it fails, its Secret not lead to a host that was found to be another's, there must be room in
 * the budget, and the host must tell its power; then the claim and the finalizer, and only when both were seen is the host told.
 */
export function decideBegin(seen: PowerCycleSeen, now: Instant): Decision {
  if (!isDue(seen, now)) return pause(seen, now);
  const { object, settings, budget, power } = seen;
  const alone = whyAlone(seen);
  if (alone) return hold(seen, now, { words: alone });
  const leave = askBudget(budget, settings, now);
  if (leave.kind === 'Wait') return hold(seen, now, { ...leave, words: leave.ready });
  if (power.kind !== 'state') return hold(seen, now, { words: power.kind === 'fault' ? troubleWords(power) : READY });
  const first = [...(hasFinalizer(object) ? [] : [addFinalizer(object)]), ...(leave.kind === 'Granted' ? [leave.effect] : [])];
  // Both are to be seen on the server before the host is told.
  return first.length > 0 ? stay(object, now, { words: READY, effects: first, wakeAt: after(now, POLL_MS) }) : begin(seen, now);
}

/** Why the Machine, or a host that is not its own, is left alone; undefined when it is not. */
function whyAlone(seen: PowerCycleSeen): Words | undefined {
  const { machine } = seen;
  if (machine.kind === 'ill') return whyAnothers(seen);
  if (machine.kind === 'unreadable') return { reason: 'MachineUnreadable', message: machine.why, isWarning: true };
  return leftWords(machine);
}

const READY: Words = { reason: 'Pending', message: 'about to switch the host off' };

function begin(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, host } = seen;
  const { retryCount: before = 0 } = object.status ?? {};
  const isRetry = phaseOf(object) === 'backoff';
  const retryCount = isRetry ? before + 1 : 0;
  // Off already, by itself or by somebody: it has yet to be switched on.
  const { set, effects } = isOff(seen) ? { ...NOTHING_TOLD, set: owedTo(host) } : tellOff(object, now, host);
  return enter('power-off', object, now, {
    words: poweringOff(retryCount),
    set: { ...set, retryCount, nextAttemptTime: undefined, anotherHost: undefined, ...(!isRetry && { attemptsNeverOff: undefined }) },
    effects,
    wakeAt: after(now, POLL_MS),
  });
}

/** Begins nothing, for a reason that may pass: whoever else waits for room gets it, and what is owed to the host is not forgotten. */
function hold(seen: PowerCycleSeen, now: Instant, { words, effects = [], wakeAt }: Saying): Decision {
  const owed = towardsOn(seen, now);
  const soon = after(now, LOOK_AGAIN_MS);
  return stay(seen.object, now, {
    words,
    set: owed.set,
    effects: [...owed.effects, ...withdraw(seen.budget), ...effects],
    wakeAt: earliest(soon, wakeAt ?? soon),
  });
}

/** Between two attempts. What the last one left undone is made good meanwhile: a host must not stay off for that long. */
function pause(seen: PowerCycleSeen, now: Instant): Decision {
  const { object, budget } = seen;
  const { set, effects, words } = towardsOn(seen, now);
  const next = parseTime(object.status?.nextAttemptTime) ?? now;
  return stay(object, now, {
    // Why there is a pause is worth more than that all goes well meanwhile.
    words:
      words?.isWarning === true
        ? words
        : stillSaying(object, UNSUCCESSFUL, `the last attempt did not help; the next one begins at ${toTime(next)}`),
    set,
    effects: [...effects, ...giveBack(budget, now)],
    wakeAt: isOwing(object) ? earliest(next, after(now, LOOK_AGAIN_MS)) : next,
  });
}
