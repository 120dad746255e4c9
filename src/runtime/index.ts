/**
 * Runs controllers: from a change in the cache to a pass, and from a decision to the world.
 *
 * - `controller.ts` is the contract: what a controller watches, observes and decides. Start there.
 * - `reconcile-once.ts` is one pass, with the rules that carry weight; `observation-reader.ts` is what it reads with,
 *   `effects.ts` how each effect is performed so that doing it twice does it once.
 * - `two-step-start.ts` is for what acts on a cluster and must act at most once; `release-suspended-runs.ts` releases such runs; `finalizers.ts` adds and removes finalizers.
 * - `control-loop.ts` runs all controllers through a `Term`; `controller-runner.ts` one of them, on a `WorkQueue`.
 * - `leader-election.ts` gives a process its term, by a Lease; without others, `soleTerm` does.
 * - `metrics.ts` and `logger.ts` report to Prometheus and to people.
 */
export * from './loop/control-loop.ts';
export * from './reconcile/controller.ts';
export { type CallHandler } from './reconcile/effects.ts';
export * from './reconcile/release-suspended-runs.ts';
export * from './election/leader-election.ts';
export * from './logger.ts';
export * from './loop/loop-metrics.ts';
export * from './metered-transport.ts';
export * from './metrics.ts';
export { createObservationReader } from './reconcile/observation-reader.ts';
export * from './reconcile/reconcile-once.ts';
export * from './election/term.ts';
export * from './reconcile/two-step-start.ts';
export * from './queue/work-queue.ts';
