/**
 * Explains a remediation: why it is in its state, and what would move it on. API, command line and console show it.
 *
 * - `explain` (explain.ts) turns what was read into an `Explanation`: every gate with its inputs and state (`gates.ts`), what blocks the
 *   request now and what comes next (`next-step.ts`). It judges nothing itself: checks and blocks are judged in `routing`, which gives it
 *   the verdicts.
 * - `explainText` formats it as text.
 */
export * from './explain-text.ts';
export * from './explain.ts';
export * from './explanation.ts';
