/**
 * Runs controllers: from a change in the cache to a pass, and from a decision to the world.
 *
 * - `controller.ts` is the contract: what a controller watches, observes and decides. Start there.
 * - `reconcile-once.ts` is one pass, with the rules that carry weight; `observation-reader.ts` is what it reads with,
 *   `effects.ts` how each effect is performed so that doing it twice does it once.
 * - `two-step-start.ts` is for what acts on a cluster and must act at most once; `held-runs.ts` lets such runs go.
 * - `control-loop.ts` runs all controllers through a `Term`; `controller-runner.ts` one of them, on a `WorkQueue`.
 * - `leader-election.ts` gives a process its term, by a Lease; without others, `soleTerm` does.
 * - `health.ts`, `metrics.ts` and `logger.ts` tell people and Prometheus how it goes.
 */
export * from './control-loop.ts';
export * from './controller.ts';
export { type CallHandler } from './effects.ts';
export * from './health.ts';
export * from './held-runs.ts';
export * from './leader-election.ts';
export * from './logger.ts';
export * from './loop-metrics.ts';
export * from './metered-transport.ts';
export * from './metrics.ts';
export { createObservationReader } from './observation-reader.ts';
export * from './reconcile-once.ts';
export * from './serve-health.ts';
export * from './term.ts';
export * from './two-step-start.ts';
export * from './work-queue.ts';
