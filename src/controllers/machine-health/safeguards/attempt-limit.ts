import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { AttemptLimit } from '../../../api/machine-health-check/safeguards.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { after, formatDuration, toTime, type Instant } from '../../../base/index.ts';
import type { DesiredCondition } from '../conditions/cluster-api-conditions.ts';
import { shortList } from './remediation-block.ts';
import { healthySince } from './healthy-delay.ts';

export type Attempts = NonNullable<NonNullable<MachineHealthCheck['status']>['attempts']>;

/**
 * What is still remembered: of Machines that are there and have not stayed healthy for long enough. Nobody says how those are that the check is
 * not about now (`aside`, by UID): to be paused or opted out for a while is no recovery.
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

/** When each of those that are well is forgotten, if they stay so. */
export function attemptsExpireAt(attempts: Attempts, machines: readonly Machine[], { forgottenAfterMs }: AttemptLimit): readonly Instant[] {
  const names = new Set(attempts.map(({ machine }) => machine));
  return machines.flatMap((machine) => {
    const since = names.has(machine.metadata.name) ? healthySince(machine) : undefined;
    return since === undefined ? [] : [after(since, forgottenAfterMs)];
  });
}

/** With one more attempt for each of these. */
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

/** Whether a Machine has been handed out as often as it may be. */
export const isAttemptLimitReached = (attempts: Attempts, machine: string, { max }: AttemptLimit): boolean =>
  attempts.some((attempt) => attempt.machine === machine && attempt.count >= max);

/** Says which Machines are given up. */
export function givenUpCondition(names: readonly string[], { max, forgottenAfterMs }: AttemptLimit): DesiredCondition {
  if (names.length === 0) return { type: 'GivenUp', holds: false, reason: 'NobodyGivenUp', message: '' };
  const message =
    `remediation was requested ${max} times without lasting recovery, and is not requested again for ${shortList(names)}. ` +
    `Next: fix or replace them. After ${formatDuration(forgottenAfterMs)} of health the count starts again`;
  return { type: 'GivenUp', holds: true, reason: 'AttemptsUsedUp', message };
}
