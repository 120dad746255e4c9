/**
 * Which resources may be remediated at all. The gateway checks before it opens a request and the orchestrator before it continues one: both
 * use this rule, so that they give the same answer about the same target.
 *
 * - `Scope` is the answer: in, out with what to do about it, or unreadable, which is neither.
 * - `judgeScope` is the rule, pure; `scopeOf` reads the namespace where the target itself has no label.
 * - `managedBy` says which tool (Argo CD, Flux, Helm) applies a resource: such a one is changed through its owner, never behind it.
 *
 * The label `kubernaut.ai/managed` on the resource or its namespace decides; some resources are never in scope. That rule is in scope.ts.
 */
export * from './managed-by.ts';
export * from './scope.ts';
