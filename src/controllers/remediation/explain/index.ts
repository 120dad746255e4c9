/**
 * Explains a remediation: why it is where it is, and what would take it on. API, command line and console show it.
 *
 * - `explain` (explain.ts) turns what was seen into an `Explanation`: every gate with its inputs and state (`gates.ts`), what holds the request
 *   up now and what comes next (`next.ts`). It judges nothing itself: checks and blocks are judged in `routing`, and it is handed their verdicts.
 * - `explainText` is the same for people.
 */
export * from './explain-text.ts';
export * from './explain.ts';
export * from './explanation.ts';
