/**
 * Finds the cause of a fault and a workflow against it, from what the cluster shows. Rules only: the same evidence gives the same answer.
 *
 *   gatherEvidence ─▶ Evidence ─▶ diagnose(now) ─▶ Diagnosis ─▶ selectWorkflow ─▶ Selection
 *
 * In reading order:
 * - `evidence.ts` and `diagnosis.ts` are the types.
 * - `gather-evidence.ts` reads the resource that finally owns the target (`find-root.ts`) and its pods; everything after it is pure.
 * - `diagnose.ts` tries the rules in order, and says what is left when none of them applies (`judge-health.ts`). `rules/` holds one file per
 *   cause; `rules/crash-loop-after-rollout.ts` is the one to start with. A rule prefers an unclear answer with advice to a wrong one.
 *   `rollout/` is what the cluster still shows of earlier rollouts; `change-through-owner.ts` hands over what another tool applies.
 * - `surroundings/` are the Warnings, last log lines, claims and called Services around a target that is not well; `findings/` says what all of that shows, and
 *   `hand-over.ts` adds it to a diagnosis. `object-evidence.ts` and `judge-object.ts` are for all kinds but Deployments and Nodes.
 * - `select-workflow.ts` picks the workflow that fits and helped before; `check-parameters.ts` validates values against their declarations.
 * - `remediation-history.ts` is what is known of earlier remediations and whether they helped, `history-warnings.ts` the warnings drawn from it.
 */
export * from './check-parameters.ts';
export * from './diagnose.ts';
export type * from './diagnosis.ts';
export type * from './evidence-reader.ts';
export * from './evidence.ts';
export * from './find-root.ts';
export * from './gather-evidence.ts';
export * from './remediation-history.ts';
export * from './history-warnings.ts';
export * from './select-workflow.ts';
