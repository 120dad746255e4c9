import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, instant, MINUTE, parseTime, type Instant } from '../../../base/index.ts';
import type { Settings } from '../../settings.ts';

/** How long clearing up may take, from the end of the cooldown on, before people are told that it does not work. */
const CLEARING_MS = 5 * MINUTE;

/** Until when run and lock of an execution that is over are kept: others keep off the target, and people can look. */
export function keptUntil({ status }: WorkflowExecution, { cooldownMs }: Settings): Instant {
  const end = parseTime(status?.completionTime);
  return end === undefined ? instant(0) : after(end, cooldownMs);
}

/** Whether everything of the execution should be deleted by now; false where it is unknown when it ended. */
export const isClearingLate = (execution: WorkflowExecution, settings: Settings, now: Instant): boolean =>
  execution.status?.completionTime !== undefined && now >= after(keptUntil(execution, settings), CLEARING_MS);

/** What the cooldown of the target means for the next execution. */
export type CooldownVerdict =
  | { readonly kind: 'WaitForCooldown'; readonly until: Instant; readonly after: string }
  /** Orphaned by a finished execution: its run is deleted first, then its lock. */
  | { readonly kind: 'CleanUpStale' };

/** The next execution waits until the cooldown after the one of that name is over. An end at an unknown time is no reason to wait. */
export function coolDown(
  { endedAt, name }: { readonly endedAt: Instant | undefined; readonly name: string },
  { cooldownMs, now }: { readonly cooldownMs: number; readonly now: Instant },
): CooldownVerdict {
  const until = endedAt === undefined ? now : after(endedAt, cooldownMs);
  return now < until ? { kind: 'WaitForCooldown', until, after: name } : { kind: 'CleanUpStale' };
}
