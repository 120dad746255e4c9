import { keyOf, keyText } from '../../../api/meta.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { instant, parseTime, type Instant } from '../../../base/index.ts';
import type { Claim, Waiter } from '../../budget/index.ts';
import { parseTarget } from '../../target/index.ts';

/** Reasons of Ready that stand for a place in the queue. */
const QUEUED: ReadonlySet<string> = new Set(['WaitingForBudget', 'BudgetPaused']);

/** Whether the execution waits for nothing but the budget. */
export const isQueued = ({ status }: WorkflowExecution): boolean =>
  status?.phase === 'Pending' && QUEUED.has(status.conditions?.find(({ type }) => type === 'Ready')?.reason ?? '');

/** How executions are found by what they are to the budget. */
export const BY_BUDGET_ROLE = 'budget';

/** The values of that index: who waits, and who runs whether or not it is on the ledger. */
export function executionBudgetRole(execution: WorkflowExecution): readonly ('waiting' | 'running')[] {
  if (isQueued(execution)) return ['waiting'];
  return execution.status?.phase === 'Running' ? ['running'] : [];
}

/** An execution as it asks. Which node a pod is on is not in its spec: it is known only for the one that asks. */
export function executionWaiter(execution: WorkflowExecution, podNode?: string): Waiter {
  const { metadata, spec } = execution;
  const { kind, name, namespace } = parseTarget(spec.targetResource) ?? {};
  const node = kind === 'Node' ? name : podNode;
  return {
    uid: metadata.uid,
    kind: execution.kind,
    key: keyText(keyOf(execution)),
    target: spec.targetResource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(node === undefined ? {} : { node }),
    createdAt: parseTime(metadata.creationTimestamp) ?? instant(0),
  };
}

/** The claim that an execution lacks although its run works: the claim was removed, or the run was released from outside. */
export function missingClaimOf(execution: WorkflowExecution, now: Instant): Claim {
  const { createdAt: _, ...asker } = executionWaiter(execution);
  return { ...asker, claimedAt: parseTime(execution.status?.startTime) ?? now };
}
