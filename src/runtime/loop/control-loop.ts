import { after, PlatformError, type Backoff, type Clock, type Logger, type Random } from '../../base/index.ts';
import type { Cache } from '../../kube/cache/cache.ts';
import type { EventRecorder } from '../../kube/objects/events.ts';
import { ControllerRunner } from './controller-runner.ts';
import type { Controller } from '../reconcile/controller.ts';
import type { CallHandler } from '../reconcile/effects.ts';
import { noMetrics, type LoopMetrics } from './loop-metrics.ts';
import type { Term, WorkEnd } from '../election/term.ts';

export interface ControlLoopOptions {
  readonly controllers: readonly Controller[];
  readonly cache: Cache;
  readonly clock: Clock;
  /** A steady clock, for delays; `clock` when absent. */
  readonly steady?: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly events: EventRecorder;
  /** Handlers of `Call` effects, by name. */
  readonly calls?: Readonly<Record<string, CallHandler>>;
  readonly metrics?: LoopMetrics;
  /** Passes at a time, for a controller that `workersOf` does not name: what it asks for when absent, or else 8. */
  readonly workers?: number;
  readonly workersOf?: Readonly<Record<string, number>>;
  readonly backoff?: Backoff;
  /** How long passes under way may take to finish when asked to stop: 10 s when absent. */
  readonly drainMs?: number;
  /** See RunnerDeps. */
  readonly breathe?: () => Promise<void>;
}

/** All controllers of a process. */
export interface ControlLoop {
  /** Works through one term, from the cache's first sync on. Resolves when nothing is under way any more, or will not end. */
  run(term: Term): Promise<WorkEnd>;
}

const WORKERS = 8;
const DRAIN_MS = 10_000;

/** Passes of a controller at a time. */
export const workersFor = ({ name, workers }: Controller, told: Pick<ControlLoopOptions, 'workers' | 'workersOf'>): number =>
  told.workersOf?.[name] ?? told.workers ?? workers ?? WORKERS;

/** Registers what the controllers watch; make it before the cache runs. */
export function createControlLoop(options: ControlLoopOptions): ControlLoop {
  const steady = options.steady ?? options.clock;
  const deps = {
    ...options,
    steady,
    metrics: options.metrics ?? noMetrics,
    calls: options.calls ?? {},
  };
  const runners = options.controllers.map(
    (controller) => new ControllerRunner(controller, { ...deps, workers: workersFor(controller, options) }),
  );
  const drainMs = options.drainMs ?? DRAIN_MS;
  return {
    async run(term) {
      if (!(await syncedBefore(options.cache, term))) return 'ended';
      return runTerm({ runners, term, steady, drainMs, log: options.log });
    },
  };
}

async function syncedBefore(cache: Cache, term: Term): Promise<boolean> {
  const over = new AbortController();
  const giveUp = (): void => over.abort(new PlatformError('Unavailable', 'waiting for the cache: told to stop'));
  const ignore = onEither(term, giveUp);
  try {
    await cache.synced(over.signal);
  } catch (error) {
    if (!over.signal.aborted) throw error;
  } finally {
    ignore();
  }
  return !over.signal.aborted;
}

interface Running {
  readonly runners: readonly ControllerRunner[];
  readonly term: Term;
  readonly steady: Clock;
  readonly drainMs: number;
  readonly log: Logger;
}

/** stop: passes finish, within a limit; then, as at once when the term is lost: passes end before their next write. */
async function runTerm({ runners, term, steady, drainMs, log }: Running): Promise<WorkEnd> {
  const halt = new AbortController();
  const leave = { halt: halt.signal, mayAct: () => term.mayAct() };
  const working = Promise.all(runners.map((runner) => runner.work(leave)));
  const close = (): void => runners.forEach((runner) => runner.close());
  const told = new Promise<void>((resolve) => onEither(term, resolve));
  const haltNow = (): void => halt.abort(new PlatformError('Unavailable', 'the term is over'));
  if (term.lost.aborted) haltNow();
  term.lost.addEventListener('abort', haltNow, { once: true });
  try {
    await Promise.race([working, told]);
    close();
    if (await settlesWithin(working, steady, drainMs)) return 'ended';
    haltNow();
    if (await settlesWithin(working, steady, drainMs)) return 'ended';
    log.error('passes do not end', { passes: runners.reduce((sum, runner) => sum + runner.working, 0) });
    return 'stuck';
  } finally {
    haltNow();
    close();
    term.lost.removeEventListener('abort', haltNow);
  }
}

/** Calls back once, when the term ends in either way (at once if it has). Returns how to stop listening. */
function onEither(term: Term, callback: () => void): () => void {
  const ignore = (): void => {
    term.stop.removeEventListener('abort', once);
    term.lost.removeEventListener('abort', once);
  };
  const once = (): void => {
    ignore();
    callback();
  };
  if (term.stop.aborted || term.lost.aborted) callback();
  else {
    term.stop.addEventListener('abort', once);
    term.lost.addEventListener('abort', once);
  }
  return ignore;
}

async function settlesWithin(work: Promise<unknown>, clock: Clock, ms: number): Promise<boolean> {
  const settled = new AbortController();
  const tooLate = clock.waitUntil(after(clock.now(), ms), settled.signal).then(
    () => false,
    () => true,
  );
  try {
    return await Promise.race([work.then(() => true), tooLate]);
  } finally {
    settled.abort();
    await tooLate;
  }
}
