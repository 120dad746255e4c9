import type { Condition } from '../../api/meta.ts';
import { getCondition } from '../../kube/objects/conditions.ts';

/** Reasons of Ready that say nothing of a wait: the usual way to a start, and a run that was started. */
const USUAL: readonly string[] = ['Pending', 'Executing'];

/** Waits that others cause, and that may last: for a slot, or for the end of a pause. Waits after earlier work on the target cause no notification. */
const NOTIFIED: readonly string[] = ['WaitingForBudget', 'BudgetPaused'];

/** What an execution, or its request in the phase Executing, reports to wait for; undefined where it does not wait. */
export function reportedWait(conditions: readonly Condition[] | undefined): Condition | undefined {
  const ready = getCondition(conditions, 'Ready');
  return ready === undefined || ready.status === 'True' || USUAL.includes(ready.reason) ? undefined : ready;
}

/** Whether people are notified of a wait that lasts. */
export const isWorthANotification = ({ reason }: Condition): boolean => NOTIFIED.includes(reason);
