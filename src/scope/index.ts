/**
 * Which resources may be remediated at all. The gateway checks before it opens a request and the orchestrator before it continues one: both
 * use this rule, so that they give the same answer about the same target.
 *
 * - `Scope` is the answer: in, out with what to do about it, or unreadable, which is neither.
 * - `judgeScope` is the rule, pure; `scopeOf` reads the namespace where the target itself has no label.
 *
 * The label `kubernaut.ai/managed` on the resource or its namespace decides; some resources are never in scope. All of it is in scope.ts.
 */
export * from './scope.ts';
