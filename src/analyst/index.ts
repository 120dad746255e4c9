/**
 * Why something is ill and what helps, from what the cluster shows: no model, no key, the same answer every time.
 *
 *   gatherEvidence ─▶ Evidence ─▶ diagnose(now) ─▶ Diagnosis ─▶ selectWorkflow ─▶ Selection
 *
 * - `gather-evidence.ts` does the reading, of what manages the target in the end (`find-root.ts`); everything after it is pure.
 * - `rules/` holds one file per cause; `diagnose.ts` asks them in order and says what is left when none knows it.
 *   A rule would rather be unclear, with advice for people, than wrong.
 * - `past.ts` is what is known of earlier remediations and whether they helped, `past-warnings.ts` the same in words.
 * - `select-workflow.ts` picks from the catalogue what fits, and of that what helped before; `check-parameters.ts` holds values against what a workflow declares.
 * Start with diagnosis.ts and rules/crash-loop-after-rollout.ts; rules/ill-node.ts is for Nodes.
 */
export * from './check-parameters.ts';
export * from './diagnose.ts';
export type * from './diagnosis.ts';
export * from './evidence.ts';
export * from './find-root.ts';
export * from './gather-evidence.ts';
export * from './past.ts';
export * from './past-warnings.ts';
export * from './select-workflow.ts';
export * from './variable-name.ts';
