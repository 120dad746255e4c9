/**
 * The resource that a remediation is about: how it is named (`target-text.ts`), how it is read with the ConfigMaps that its pods are given
 * (`read-target.ts`, `config-map-refs.ts`), how its state is told from a changed one (`fingerprint.ts`, over `spec-hash.ts` and
 * `config-map-hash.ts`), whether it is still as it was analysed (`freshness.ts`), how a plan for it is told from another
 * (`plan-digest.ts`), and what a workflow left on it to take its change back by (../../api/undo-record.ts). Used by every stage. Whoever records or
 * compares a state takes `fingerprint` of what `readTarget` or `withConfigMaps` returned: `specHash` alone does not see the ConfigMaps.
 */
export * from './config-map-hash.ts';
export * from './config-map-refs.ts';
export * from './fingerprint.ts';
export * from './freshness.ts';
export * from './plan-digest.ts';
export * from './read-target.ts';
export * from './spec-hash.ts';
export * from './target-text.ts';
export * from '../../api/undo-record.ts';
