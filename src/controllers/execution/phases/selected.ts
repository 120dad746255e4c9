import type { Condition } from '../../../api/meta.ts';
import type { Instant } from '../../../base/index.ts';
import { setCondition } from '../../../kube/objects/conditions.ts';
import type { LockVerdict } from '../lock/judge-lock.ts';
import { workflowOf } from '../names.ts';
import type { PendingExecution } from '../observed-execution.ts';

/**
 * Says that the plan can be run and that its target rests no more: validation, engine and cooldown are behind it. Whatever is decided then,
 * a start, a wait or an end, goes on from there; the audit trail has it from the condition.
 */
export function withSelectedCondition(seen: PendingExecution, now: Instant, verdict: LockVerdict): PendingExecution {
  if (verdict.kind === 'Wait' || verdict.kind === 'WaitForCooldown') return seen;
  const { object } = seen;
  const message = `${workflowOf(object)} can be run on ${object.spec.targetResource}`;
  const conditions = setCondition(
    object.status?.conditions as readonly Condition[] | undefined,
    { type: 'Selected', status: 'True', reason: 'SelectionCompleted', message, observedGeneration: object.metadata.generation ?? 1 },
    now,
  );
  return { ...seen, object: { ...object, status: { ...object.status, conditions: [...conditions] } } };
}
