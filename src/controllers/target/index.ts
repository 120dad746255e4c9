/**
 * The resource that a remediation is about: how it is named (`target-text.ts`), how its spec is told from a changed one (`spec-hash.ts`),
 * whether it is still as it was analysed (`freshness.ts`), and how a plan for it is told from another (`plan-digest.ts`). Used by every stage.
 */
export * from './freshness.ts';
export * from './plan-digest.ts';
export * from './spec-hash.ts';
export * from './target-text.ts';
