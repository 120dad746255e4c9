import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { AttemptLimit } from '../../../api/machine-health-check/safeguards.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { after, formatDuration, toTime, type Instant } from '../../../base/index.ts';
import type { DesiredCondition } from '../conditions/cluster-api-conditions.ts';
import { shortList } from './remediation-block.ts';
import { healthySince } from './healthy-delay.ts';

export type Attempts = NonNullable<NonNullable<MachineHealthCheck['status']>['attempts']>;

/**
 * Attempts still counted: of existing Machines that have not been healthy for long enough. The attempts of Machines that the check does
 * not select now (by UID) are kept too: a temporary pause or opt-out is not a recovery.
 */
export function attemptsStillCounted(
  before: Attempts,
  machines: readonly Machine[],
  {
    limit,
    now,
    deselectedWithAttempts = [],
  }: { limit: AttemptLimit; now: Instant; deselectedWithAttempts?: readonly string[] | undefined },
): Attempts {
  const byName = new Map(machines.map((machine) => [machine.metadata.name, machine]));
  return before.filter(({ machine, uid }) => {
    if (deselectedWithAttempts.includes(uid)) return true;
    const present = byName.get(machine);
    const since = present && healthySince(present);
    return present?.metadata.uid === uid && (since === undefined || now < after(since, limit.forgottenAfterMs));
  });
}

/** When the attempts of each healthy Machine expire, if it stays healthy. */
export function attemptsExpireAt(attempts: Attempts, machines: readonly Machine[], { forgottenAfterMs }: AttemptLimit): readonly Instant[] {
  const names = new Set(attempts.map(({ machine }) => machine));
  return machines.flatMap((machine) => {
    const since = names.has(machine.metadata.name) ? healthySince(machine) : undefined;
    return since === undefined ? [] : [after(since, forgottenAfterMs)];
  });
}

/** The attempts with one more for each of these Machines. */
export function withNewAttempts(
  before: Attempts,
  begun: readonly { readonly machine: string; readonly uid: string }[],
  now: Instant,
): Attempts {
  const counts = new Map(before.map((attempt) => [attempt.machine, attempt]));
  for (const { machine, uid } of begun) {
    counts.set(machine, { machine, uid, count: (counts.get(machine)?.count ?? 0) + 1, last: toTime(now) });
  }
  return [...counts.values()].toSorted((a, b) => (a.machine < b.machine ? -1 : 1));
}

/** The attempts without those recorded in vain: their remediation was begun by another check. */
export const withoutLostAttempts = (before: Attempts, lost: readonly { readonly uid: string; readonly since: string }[]): Attempts =>
  before.flatMap((attempt) => {
    if (!lost.some(({ uid, since }) => uid === attempt.uid && since === attempt.last)) return [attempt];
    return attempt.count > 1 ? [{ ...attempt, count: attempt.count - 1 }] : [];
  });

/** Whether remediation of a Machine was requested as often as the limit allows. */
export const isAttemptLimitReached = (attempts: Attempts, machine: string, { max }: AttemptLimit): boolean =>
  attempts.some((attempt) => attempt.machine === machine && attempt.count >= max);

/** The condition GivenUp: which Machines reached the limit. */
export function givenUpCondition(names: readonly string[], { max, forgottenAfterMs }: AttemptLimit): DesiredCondition {
  if (names.length === 0) return { type: 'GivenUp', holds: false, reason: 'NobodyGivenUp', message: '' };
  const message =
    `remediation was requested ${max} times without lasting recovery, and is not requested again for ${shortList(names)}. ` +
    `Next: fix or replace them. After ${formatDuration(forgottenAfterMs)} of health the count starts again`;
  return { type: 'GivenUp', holds: true, reason: 'AttemptsUsedUp', message };
}
