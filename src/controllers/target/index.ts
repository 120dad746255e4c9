/**
 * The resource that a remediation is about: how it is named (`target-text.ts`), how its spec is told from a changed one (`spec-hash.ts`)
 * and how a plan for it is told from another (`plan-digest.ts`). Pure functions, used by every stage.
 */
export * from './plan-digest.ts';
export * from './spec-hash.ts';
export * from './target-text.ts';
