import type { ConfigMap } from '../../api/builtin/index.ts';
import type { Condition } from '../../api/meta.ts';
import { instant, type Instant } from '../../base/index.ts';
import type { Effect } from '../../runtime/reconcile/controller.ts';
import type { Settings } from '../settings.ts';
import type { Waiter } from './claim.ts';
import { judgeBudget, type BudgetQuestion } from './judge-budget.ts';
import { createLedger, writeLedger } from './ledger.ts';
import { budgetWords } from './messages.ts';

/** What a decision about the budget rests on. */
export type SeenBudget =
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'value';
      readonly ledger: ConfigMap;
      readonly question: Omit<BudgetQuestion, 'settings' | 'now'> & { readonly asking: Waiter };
    };

/** Why it does not start, as people see it. */
type Ready = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** What the budget says to one that could start. */
export type Leave =
  /** Its claim was seen on the ledger: it may start. */
  | { readonly kind: 'Claimed' }
  /** There is room. The effect makes the claim, or fails and with it everything that was to follow. */
  | { readonly kind: 'Granted'; readonly effect: Effect }
  | { readonly kind: 'Wait'; readonly ready: Ready; readonly effects: readonly Effect[]; readonly wakeAt?: Instant };

/** May it start now, and what is to be done for it? */
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

const LEDGER_MISSING = waiting('WaitingForLedger', 'the ledger of the budget does not exist yet; it is being created');

function waiting(reason: string, message: string): Ready {
  return { type: 'Ready', status: 'False', reason, message };
}
