/**
 * Whether a request may continue: eight checks in a fixed order, run before the analysis (four of them), after it and after an approval
 * (all). The first check that does not pass decides.
 *
 * - `route.ts` holds the order; start there. `checks/` has one file per check, `(evidence, now) → CheckVerdict`. All of it is pure.
 * - `pass-checks.ts` turns the first objection into a decision, `block-request.ts` moves the request to Blocked.
 * - `gather-evidence.ts` reads the `RoutingEvidence` through `indexes.ts`, never by scanning; `read-scope.ts` may read from the server.
 * - `failure-history.ts` is what earlier requests of a fingerprint mean for the next, `target-history.ts` what earlier remediations of a
 *   target mean; `failure-backoff.ts` is how long a failure suppresses the fingerprint.
 * - `when-window-lets.ts` is how a block by a change freeze ends; the calendar is in `../../change-windows`. `freeze-override.ts` records what became of
 *   an override, `restoring.ts` is what no freeze holds back.
 * - `reevaluate-block.ts` decides when a block ends, and `unblockedBy` in `indexes.ts` which requests a changed object may unblock.
 */
export * from './failure-backoff.ts';
export * from './evidence.ts';
export * from './failure-history.ts';
export { digestOfOverride, overrideIn } from './freeze-override.ts';
export * from './gather-evidence.ts';
export * from './indexes.ts';
export { SCOPE_KINDS } from './read-scope.ts';
export * from './reevaluate-block.ts';
export * from './route.ts';
export * from './check-verdict.ts';
