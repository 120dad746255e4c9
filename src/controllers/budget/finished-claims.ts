import type { Claim, Waiter } from './claim.ts';
import { judgeBudget, type BudgetQuestion } from './judge-budget.ts';
import { isOpen } from './queue.ts';

/** Tells whether the work that claims of one kind are for is over. */
export interface OverJudge {
  /** From what is cached: `over` only where that is final, `unsure` where the server has to be asked. */
  look(claim: Claim): 'over' | 'running' | 'unsure';
  /** From a live read; false where it cannot say. */
  ask(claim: Claim): Promise<boolean>;
}

/** A judge for each kind of claimant. A claim of a kind without a judge counts as running. */
export type OverJudges = ReadonlyMap<string, OverJudge>;

/** Which claims are finished. The server is asked only when a waiter is blocked by work that may have ended. */
export async function findOver(
  question: Omit<BudgetQuestion, 'over'> & { readonly asking: Waiter },
  judges: OverJudges,
): Promise<ReadonlySet<string>> {
  const open = question.claims.filter((claim) => isOpen(claim) && claim.uid !== question.asking.uid);
  const looks = open.map((claim) => ({ claim, look: judges.get(claim.kind)?.look(claim) ?? 'running' }));
  const over = new Set(looks.flatMap(({ claim, look }) => (look === 'over' ? [claim.uid] : [])));
  const unsure = looks.filter(({ look }) => look === 'unsure');
  if (unsure.length === 0 || !wantsEnd({ ...question, over })) return over;
  for (const { claim } of unsure) if (await judges.get(claim.kind)?.ask(claim)) over.add(claim.uid);
  return over;
}

function wantsEnd(question: BudgetQuestion & { readonly asking: Waiter }): boolean {
  const verdict = judgeBudget(question);
  return verdict.kind === 'Wait' ? verdict.blocks.some(({ counts }) => counts === 'running') : verdict.kind === 'Held';
}
