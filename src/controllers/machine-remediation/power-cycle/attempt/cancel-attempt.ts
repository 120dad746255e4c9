import { after, toMicroTime, type Instant } from '../../../../base/index.ts';
import type { Decision } from '../../../../runtime/reconcile/controller.ts';
import { endClaim } from '../budget/budget-claims.ts';
import { COMMAND_REPEAT_MS, hasElapsed, RECHECK_INTERVAL_MS } from '../limits.ts';
import { ineligibleReport } from '../messages.ts';
import { isOn, type IneligibleMachine, type PowerCycleSeen } from '../observed.ts';
import { enterPhase } from '../status.ts';

/**
 * Why an attempt is cancelled: the Machine became ineligible, its host is still on, and the last command is so old that only a frozen process could
 * still be sending it. Undefined otherwise.
 */
export function whyCancel(seen: PowerCycleSeen, now: Instant): IneligibleMachine | undefined {
  const { machine, object } = seen;
  if (machine.kind !== 'ineligible' || !isOn(seen)) return undefined;
  return hasElapsed(object.status?.powerOffRequestedAt, COMMAND_REPEAT_MS, now) ? machine : undefined;
}

/**
 * Ends an attempt before its host went off, which frees its budget slot. It does not count as a power cycle, and the next attempt starts as soon as
 * the Machine is eligible. `switchOnOwed` stays: a late command may still switch the host off.
 */
export const cancelAttempt = ({ object, budget }: PowerCycleSeen, now: Instant, machine: IneligibleMachine): Decision =>
  enterPhase('backoff', object, now, {
    report: ineligibleReport(machine),
    set: { nextAttemptTime: toMicroTime(now), attemptsNeverOff: (object.status?.attemptsNeverOff ?? 0) + 1 },
    effects: endClaim(budget, now),
    wakeAt: after(now, RECHECK_INTERVAL_MS),
  });
