/**
 * The kinds. One source per kind gives its TypeScript type, its CustomResourceDefinition and its reference page.
 *
 * - `define-kind.ts`  what a kind is made of; a `KindDefinition` is its own `Resource`, so clients and caches take it as it is.
 * - `<kind>/`         one folder each: the schemas, `phases.ts` (its life as data), `sample.ts`, `violations.ts` (what its rules refuse).
 * - `schema/`         the words that schemas are written in; `parts/` what several kinds share.
 * - `crd-of.ts`       a kind as CustomResourceDefinition. `scripts/generate.ts` writes `deploy/crds` and `docs/kinds` from it.
 * - `builtin/`        types for the kinds of others that we touch.
 * A kind with several spellings (MachineHealthCheck) has a `normalise.ts`, and nothing else reads its spec.
 * Start with `remediation-request/`.
 */
export * from './action-type/action-type.ts';
export * from './ai-analysis/ai-analysis.ts';
export * from './ai-analysis/phases.ts';
export * from './ai-analysis/status.ts';
export * from './builtin/index.ts';
export * from './crd-of.ts';
export * from './define-kind.ts';
export * from './effectiveness-assessment/effectiveness-assessment.ts';
export * from './effectiveness-assessment/phases.ts';
export * from './kinds.ts';
export * from './machine-health-check/unhealthy-limit.ts';
export * from './machine-health-check/machine-health-check.ts';
export * from './machine-health-check/normalise.ts';
export * from './machine-set/machine-set.ts';
export * from './machine/machine.ts';
export * from './meta.ts';
export * from './notification-request/notification-request.ts';
export * from './notification-request/phases.ts';
export * from './parts/group.ts';
export * from './phases.ts';
export * from './pipeline-remediation/phases.ts';
export * from './pipeline-remediation/pipeline-remediation-template.ts';
export * from './pipeline-remediation/pipeline-remediation.ts';
export * from './power-cycle-remediation/phases.ts';
export * from './power-cycle-remediation/power-cycle-remediation-template.ts';
export * from './power-cycle-remediation/power-cycle-remediation.ts';
export * from './remediation-approval-request/phases.ts';
export * from './remediation-approval-request/remediation-approval-request.ts';
export * from './remediation-request/phases.ts';
export * from './remediation-request/remediation-request.ts';
export * from './remediation-request/status.ts';
export * from './remediation-workflow/remediation-workflow.ts';
export * from './resource.ts';
export * from './signal-processing/phases.ts';
export * from './signal-processing/signal-processing.ts';
export * from './well-known.ts';
export * from './workflow-execution/phases.ts';
export * from './workflow-execution/status.ts';
export * from './workflow-execution/workflow-execution.ts';
