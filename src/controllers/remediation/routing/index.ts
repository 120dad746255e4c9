/**
 * Whether a request may go on: seven checks, asked in a fixed order before the analysis (four of them), after it and after an approval (all).
 * The first that does not pass has the word.
 *
 * - `route.ts` is the order and where to start; `checks/` has one file for each, `(evidence, now) → Verdict`. All of it is pure.
 * - `gather.ts` reads the `Evidence` through `indexes.ts`, never by scanning; `read-scope.ts` is its part that may ask the server.
 * - `failure-history.ts` is what earlier requests of a fingerprint mean for the next, `target-history.ts` what earlier remediations of a target
 *   do; `backoff.ts` is how long is waited.
 * - `reevaluate.ts` says what becomes of a block, and `freedBy` in `indexes.ts` who is woken by what changed.
 */
export * from './failure-backoff.ts';
export * from './evidence.ts';
export * from './failure-history.ts';
export * from './gather-evidence.ts';
export * from './indexes.ts';
export { SCOPE_KINDS } from './read-scope.ts';
export * from './reevaluate-block.ts';
export * from './route.ts';
export * from './check-verdict.ts';
