/**
 * The plan of a remediation: which workflow runs, with which parameters, on which target. Analysis makes it, approval and remediation use it.
 *
 * In reading order:
 * - `remediation-plan.ts` reads a plan from an analysis, describes it, and says which targets are never worked on.
 * - `snapshot-workflow.ts` copies a workflow of the catalogue into a plan.
 */
export * from './remediation-plan.ts';
export * from './snapshot-workflow.ts';
