/**
 * Which resources may be worked on at all. The gateway asks before it opens a request and the orchestrator before it goes on with one: both
 * ask here, so that they give the same answer about the same target.
 *
 * - `Scope` is the answer: in, out with what to do about it, or unreadable, which is neither.
 * - `judgeScope` is the rule, pure; `scopeOf` reads the namespace where the target itself does not say.
 *
 * It is a label, `kubernaut.ai/managed`, on the resource or its namespace; some things no label opens. All of it is in scope.ts.
 */
export * from './scope.ts';
