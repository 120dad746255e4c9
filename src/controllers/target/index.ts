/**
 * The resource that a remediation is about. Every stage uses it. In reading order:
 * - `target-text.ts` names a target, and parses such names.
 * - `read-target.ts` reads a target together with the ConfigMaps that its pods use (`config-map-refs.ts`).
 * - `fingerprint.ts` is the digest that changes when the target does, over `spec-hash.ts` and `config-map-hash.ts`. To record or compare a
 *   state, take the `fingerprint` of what `readTarget` or `withConfigMaps` returned: `specHash` alone does not cover ConfigMaps.
 * - `freshness.ts` says whether a target is still as it was when it was analysed.
 * - `target-parameters.ts` are the TARGET_RESOURCE_* parameters of a workflow.
 * - `plan-digest.ts` is the digest of a plan, for approval and execution.
 * - `../../api/undo-record.ts` is what a workflow records on the target so that its change can be undone.
 */
export * from './config-map-hash.ts';
export * from './config-map-refs.ts';
export * from './fingerprint.ts';
export * from './freshness.ts';
export * from './plan-digest.ts';
export * from './read-target.ts';
export * from './spec-hash.ts';
export * from './target-parameters.ts';
export * from './target-text.ts';
export * from '../../api/undo-record.ts';
