import { after, toMicroTime, type Instant } from '../../../../base/index.ts';
import type { Decision } from '../../../../runtime/reconcile/controller.ts';
import { giveBack } from '../budget/budget-claims.ts';
import { hasPassed, LOOK_AGAIN_MS, TELL_AGAIN_MS } from '../limits.ts';
import { isOn, type LeftMachine, type PowerCycleSeen } from '../observed.ts';
import { enter } from '../status.ts';
import { leftWords } from '../messages.ts';

/**
 * The Machine, where it is to be left alone and nothing is under way on its host: that is on, and was not told for so long that only somebody who
 * stands still can be at it.
 */
export function calledOff(seen: PowerCycleSeen, now: Instant): LeftMachine | undefined {
  const { machine, object } = seen;
  if (machine.kind !== 'left' || !isOn(seen)) return undefined;
  return hasPassed(object.status?.powerOffRequestedAt, TELL_AGAIN_MS, now) ? machine : undefined;
}

/**
 * Ends an attempt before its host went off: others wait for its place. The next one waits for nothing but the Machine, and this one was no power
 * cycle. What is owed to the host stays so.
 */
export const callOff = ({ object, budget }: PowerCycleSeen, now: Instant, machine: LeftMachine): Decision =>
  enter('backoff', object, now, {
    words: leftWords(machine),
    set: { nextAttemptTime: toMicroTime(now), attemptsNeverOff: (object.status?.attemptsNeverOff ?? 0) + 1 },
    effects: giveBack(budget, now),
    wakeAt: after(now, LOOK_AGAIN_MS),
  });
