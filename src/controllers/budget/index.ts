/**
 * The budget: how much may be done to the cluster at once, and in an hour. Whatever acts on it claims its place before it starts.
 *
 * - `claim.ts`    who asks, who waits, and a claim: leave to start one thing.
 * - `ledger.ts`   the one object that holds all claims. It changes only from the exact version that was judged, so two processes cannot
 *                 both give the last place away, however old the view of one of them is.
 * - `judge-budget.ts`  the verdict: claimed, granted (with the ledger to write), wait (with the place and what is in the way) or held.
 *                 `queue.ts` is the order, `tally.ts` the counting, `messages.ts` the messages.
 * - `ask-budget.ts`  the verdict for a decision: what is shown, and what is to be written first.
 * - `finished-claims.ts`   which claims no longer count as running: each kind that claims says how that is found out.
 * - `budget-state.ts`   the whole of it, for explanations and metrics.
 *
 * It knows nothing of who claims: see ../execution/budget/ for one that does. Start with judge-budget.ts.
 */
export * from './ask-budget.ts';
export * from './claim.ts';
export * from './judge-budget.ts';
export * from './ledger.ts';
export * from './finished-claims.ts';
export { isClaimed } from './queue.ts';
export * from './budget-state.ts';
export * from './messages.ts';
