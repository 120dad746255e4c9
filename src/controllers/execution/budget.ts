import type { ConfigMap } from '../../api/builtin/index.ts';
import { keyOf, keyText } from '../../api/meta.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { instant, parseTime, type Instant } from '../../base/index.ts';
import type { Effect } from '../../runtime/controller.ts';
import { budgetWords, createLedger, judgeBudget, writeLedger, type BudgetQuestion, type Claim, type Waiter } from '../budget/index.ts';
import type { Settings } from '../settings.ts';
import { parseTarget } from '../target/index.ts';
import { waiting, type Wanted } from './status.ts';

/** What a decision about the budget rests on. */
export type SeenBudget =
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'value';
      readonly ledger: ConfigMap;
      readonly question: Omit<BudgetQuestion, 'settings' | 'now'> & { readonly asking: Waiter };
    };

/** What the budget says to an execution that has its lock. */
export type Leave =
  /** Its claim was seen on the ledger: the run may be let go. */
  | { readonly kind: 'Claimed' }
  /** There is room. The effect makes the claim, or fails and with it everything that was to follow. */
  | { readonly kind: 'Granted'; readonly effect: Effect }
  | { readonly kind: 'Wait'; readonly ready: Wanted; readonly effects: readonly Effect[]; readonly wakeAt?: Instant };

/** May the execution start now, and what is to be done for it? */
export function askBudget(budget: SeenBudget, settings: Settings, now: Instant): Leave {
  if (budget.kind === 'unreadable') return { kind: 'Wait', ready: waiting('BudgetUnreadable', budget.reason), effects: [] };
  if (budget.kind === 'absent') return { kind: 'Wait', ready: LEDGER_MISSING, effects: [createLedger(settings.namespace)] };
  const verdict = judgeBudget({ ...budget.question, settings: settings.budget, now });
  if (verdict.kind === 'Claimed') return verdict;
  if (verdict.kind === 'Granted') return { kind: 'Granted', effect: writeLedger(budget.ledger, verdict.claims) };
  const { reason, message } = budgetWords(verdict);
  const times = verdict.kind === 'Wait' ? verdict.blocks.flatMap(({ until }) => (until !== undefined && until > now ? [until] : [])) : [];
  const wakeAt = times.length > 0 ? { wakeAt: instant(Math.min(...times)) } : {};
  return { kind: 'Wait', ready: waiting(reason, message), effects: [], ...wakeAt };
}

const LEDGER_MISSING = waiting('WaitingForLedger', 'the ledger of the budget is not there yet; it is being made');

/** Reasons of Ready that stand for a place in the queue. */
const QUEUED: ReadonlySet<string> = new Set(['WaitingForBudget', 'BudgetPaused']);

/** Whether the execution waits for nothing but the budget. */
export const isQueued = ({ status }: WorkflowExecution): boolean =>
  status?.phase === 'Pending' && QUEUED.has(status.conditions?.find(({ type }) => type === 'Ready')?.reason ?? '');

/** How executions are found by what they are to the budget. */
export const BY_BUDGET = 'budget';

/** The values of that index: who waits, and who runs whether or not it is on the ledger. */
export function budgetRole(execution: WorkflowExecution): readonly ('waiting' | 'running')[] {
  if (isQueued(execution)) return ['waiting'];
  return execution.status?.phase === 'Running' ? ['running'] : [];
}

/** An execution as it asks. Which node a pod is on is not in its spec: it is known only for the one that asks. */
export function waiterOf(execution: WorkflowExecution, podNode?: string): Waiter {
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

/** The claim that an execution should have that runs without one: somebody removed it, or let the run go. */
export function lateClaimOf(execution: WorkflowExecution, now: Instant): Claim {
  const { createdAt: _, ...asker } = waiterOf(execution);
  return { ...asker, claimedAt: parseTime(execution.status?.startTime) ?? now };
}
