import { getCondition } from '../../kube/objects/conditions.ts';
import type { Effect } from '../../runtime/reconcile/controller.ts';
import { conditionEvent } from '../kubernetes-events.ts';

interface ReasonedStatus {
  readonly conditions?: Parameters<typeof getCondition>[0];
}

/** A reason and a message, as both the condition and the Event show them. */
interface EventReport {
  readonly reason: string;
  readonly message: string;
  /** Whether an operator should act. */
  readonly isWarning?: boolean | undefined;
}

/** The Event for a Ready condition, recorded only where the condition did not have that reason before: a status that repeats itself records none. */
export function eventOnNewReason(
  before: ReasonedStatus | undefined,
  { reason, message, isWarning = false }: EventReport,
): readonly Effect[] {
  if (getCondition(before?.conditions, 'Ready')?.reason === reason) return [];
  return [conditionEvent({ type: isWarning ? 'Warning' : 'Normal', reason, message })];
}
