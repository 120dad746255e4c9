import { keyOf, keyText, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import { PlatformError, assertNever, messageOf, type Backoff, type Clock, type Logger, type Random } from '../../base/index.ts';
import type { Cache, Change, IndexQuery, Store } from '../../kube/cache/cache.ts';
import type { EventRecorder } from '../../kube/objects/events.ts';
import { CatchUp } from '../queue/catch-up.ts';
import type { Controller, Related, RelatedObjects, Watch } from '../reconcile/controller.ts';
import type { CallHandler } from '../reconcile/effects.ts';
import type { LoopMetrics } from './loop-metrics.ts';
import { storeOf, type Stores } from '../reconcile/observation-reader.ts';
import { reconcileOnce, type Outcome, type World } from '../reconcile/reconcile-once.ts';
import { SpacedWakes } from '../queue/wake-up-spacing.ts';
import { WorkQueue } from '../queue/work-queue.ts';

/** What controllers are run with. */
export interface RunnerDeps {
  readonly cache: Cache;
  readonly clock: Clock;
  /** Measures delays and durations; see WorkQueueOptions. */
  readonly steady: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: LoopMetrics;
  readonly events: EventRecorder;
  readonly calls: Readonly<Record<string, CallHandler>>;
  readonly workers: number;
  readonly backoff?: Backoff;
  /** Lets the rest of the process have a turn; awaited now and then, when passes that wait for nothing follow one another. */
  readonly breathe?: () => Promise<void>;
}

/** Leave to act, as one run of the workers sees it. */
export interface Leave {
  /** Aborts passes under way between two of their writes. */
  readonly halt: AbortSignal;
  mayAct(): boolean;
}

/** Objects found at the start wait behind what changes now. */
const PRIORITY_AT_START = -10;
/** Looks again although no change told us that the cache has caught up. */
const BEHIND_RECHECK_MS = 1_000;
const PASSES_PER_BREATH = 16;

/** Runs one controller: its watches feed a queue, its workers empty it, never two on one key. */
export class ControllerRunner {
  readonly #controller: Controller;
  readonly #deps: RunnerDeps;
  readonly #log: Logger;
  readonly #followed: readonly Followed[];
  readonly #stores: Stores;
  readonly #mapping: Mapping;
  #queue: WorkQueue | undefined;

  /** Registers the watches, so make all runners before the cache runs. */
  constructor(controller: Controller, deps: RunnerDeps) {
    this.#controller = controller;
    this.#deps = deps;
    this.#log = deps.log.with({ controller: controller.name });
    const listed: RelatedObjects = <T extends KubeObject>(resource: Resource<T>, by: IndexQuery) =>
      storeOf(this.#stores, resource).list(by) as readonly T[];
    this.#mapping = { log: this.#log, related: (resource, by) => listed(resource, by).map(keyOf), listed };
    this.#followed = follow(controller, deps.cache, this.#mapping);
    this.#stores = readable(this.#followed);
    deps.metrics.followQueue(controller.name, () => this.#queue?.depth ?? 0);
  }

  /** Works until `close`, from the state that the cache holds now. */
  async work(leave: Leave): Promise<void> {
    const queue = this.#newQueue();
    const catchUp = new CatchUp((key) => queue.add(key));
    this.#queue = queue;
    const spaced = new SpacedWakes(this.#deps.steady, (key) => queue.add(key));
    const wake: Wake = (key, canWait) => {
      const everyMs = this.#intervalOf(key, canWait);
      return everyMs === undefined ? queue.add(key) : spaced.wake(key, everyMs);
    };
    const unsubscribe = [...this.#followed.map((followed) => this.#subscribe(followed, wake, catchUp)), this.#listen(wake)];
    this.#addAll(queue);
    const alarms = new AbortController();
    const alarmsEnded = Promise.all([queue.run(alarms.signal), spaced.run(alarms.signal)]);
    try {
      const shift = { queue, catchUp, world: this.#worldFor(leave) };
      await Promise.all(Array.from({ length: this.#deps.workers }, () => this.#worker(shift)));
    } finally {
      for (const stop of unsubscribe) stop();
      alarms.abort();
      await alarmsEnded;
      // A later term may have its own by now: this one's last pass can outlive it.
      if (this.#queue === queue) this.#queue = undefined;
    }
  }

  /** Begins no new pass; `work` ends with the last one under way. */
  close(): void {
    void this.#queue?.close();
  }

  /** How many passes are under way. */
  get working(): number {
    return this.#queue?.working ?? 0;
  }

  #intervalOf(key: string, canWait = false): number | undefined {
    const { atMostEveryMs } = this.#controller;
    return (canWait ? this.#controller.patienceMs?.(parseKey(key), this.#mapping.listed) : undefined) ?? atMostEveryMs;
  }

  #newQueue(): WorkQueue {
    const { clock, steady, random, backoff, metrics } = this.#deps;
    return new WorkQueue({ clock, steady, random, hooks: metrics.queueHooks(this.#controller.name), ...(backoff && { backoff }) });
  }

  #subscribe({ store, touched, canWait }: Followed, wake: Wake, catchUp: CatchUp): () => void {
    const stops = [
      store.onChange((change) => {
        for (const key of touched(change)) wake(key, canWait(change));
        catchUp.changed(store);
      }),
      // The watch often shows a write before its answer comes: no change will follow that could wake who waits for the answer.
      store.onSettled(() => catchUp.changed(store)),
    ];
    return () => stops.forEach((stop) => stop());
  }

  /** To what is beyond the cache. */
  #listen(wake: Wake): () => void {
    const { related, listed } = this.#mapping;
    return this.#controller.wokenBy?.((key, canWait) => wake(keyText(key), canWait), related, listed) ?? (() => undefined);
  }

  /** Level, not edge: whatever happened while no pass ran shows in what exists. */
  #addAll(queue: WorkQueue): void {
    const primary = this.#stores.get(resourceName(this.#controller.primary));
    for (const object of primary?.list() ?? []) queue.add(keyText(keyOf(object)), PRIORITY_AT_START);
  }

  async #worker(shift: Shift): Promise<void> {
    const { queue } = shift;
    for (let passes = 1, key = await queue.get(); key !== undefined; passes++, key = await queue.get()) {
      await this.#pass(key, shift);
      queue.done(key);
      if (passes % PASSES_PER_BREATH === 0) await this.#deps.breathe?.();
    }
  }

  async #pass(key: string, { queue, catchUp, world }: Shift): Promise<void> {
    const { steady, metrics } = this.#deps;
    catchUp.forget(key);
    const begun = steady.now();
    const outcome = await reconcileOnce(this.#controller, parseKey(key), world);
    metrics.passed(this.#controller.name, outcome, (steady.now() - begun) / 1_000);
    this.#plan(key, outcome, { queue, catchUp });
  }

  #worldFor(leave: Leave): World {
    const { cache, clock, events, calls } = this.#deps;
    return {
      stores: this.#stores,
      client: cache.client,
      clock,
      events,
      calls,
      log: this.#log,
      signal: leave.halt,
      mayAct: () => leave.mayAct(),
    };
  }

  /** What the outcome means for the key's next pass. */
  #plan(key: string, outcome: Outcome, { queue, catchUp }: Pick<Shift, 'queue' | 'catchUp'>): void {
    switch (outcome.kind) {
      case 'settled':
        if (outcome.late) return this.#planLate(key, queue);
        queue.forget(key);
        return queue.wakeAt(key, outcome.wakeAt);
      case 'gone':
        queue.forget(key);
        return queue.wakeAt(key, undefined);
      case 'behind':
        queue.retryIn(key, BEHIND_RECHECK_MS);
        return catchUp.wait(key, outcome.lags);
      case 'stale':
        this.#log.debug('stale view', { key, error: outcome.error.message });
        return void queue.retry(key);
      case 'failed':
        return this.#planFailed(key, outcome, queue);
      case 'stopped':
        // Leave may come back within the same term; once the queue is closed this means nothing.
        return void queue.retry(key);
      default:
        return assertNever(outcome);
    }
  }

  /** A decision that asks to be woken in the past would spin; it gets its next pass, but ever later. */
  #planLate(key: string, queue: WorkQueue): void {
    const retryInMs = queue.retry(key);
    this.#log.warn('decision asked for a wake-up in the past', { key, retryInMs });
  }

  #planFailed(key: string, failed: Extract<Outcome, { kind: 'failed' }>, queue: WorkQueue): void {
    const fields = { key, step: failed.step, error: failed.error };
    if (failed.retry === 'never') {
      queue.forget(key);
      queue.wakeAt(key, undefined);
      this.#log.error('pass ended for good; only a change brings it back', fields);
      return;
    }
    const retryInMs = queue.retry(key);
    if (failed.step === 'decide') this.#log.error('decide threw, which is a bug', { ...fields, retryInMs });
    else this.#log.warn('pass not finished', { ...fields, retryInMs });
  }
}

interface Shift {
  readonly queue: WorkQueue;
  readonly catchUp: CatchUp;
  readonly world: World;
}

type Wake = (key: string, canWait?: boolean) => void;

interface Followed {
  readonly store: Store<KubeObject>;
  /** The keys that a change wakes. */
  readonly touched: (change: Change<KubeObject>) => ReadonlySet<string>;
  readonly canWait: (change: Change<KubeObject>) => boolean;
}

/** Changes of the primary kind always wake their own key, whatever keys its watch names. */
function follow(controller: Controller, cache: Cache, mapping: Mapping): readonly Followed[] {
  const isPrimary = ({ resource }: Watch): boolean => resourceName(resource) === resourceName(controller.primary);
  const own: Watch = { resource: controller.primary, keys: () => [] };
  const watches = controller.watches.some(isPrimary) ? controller.watches : [own, ...controller.watches];
  return watches.map((watch) => {
    const named = namedBy(watch, mapping);
    const isOwn = isPrimary(watch);
    const touched: Followed['touched'] = (change) =>
      new Set([...(isOwn ? [keyText(keyOf(change.object))] : []), ...(isConcerned(watch, change) ? concernedKeys(change, named) : [])]);
    return { store: cache.store(watch), touched, canWait: (change) => canWait(watch, change) };
  });
}

/** What appears or goes never can. */
const canWait = (watch: Watch, change: Change<KubeObject>): boolean =>
  change.kind === 'put' && change.before !== undefined && watch.canWait?.(change.before, change.object) === true;

const isConcerned = (watch: Watch, change: Change<KubeObject>): boolean =>
  change.kind === 'gone' || change.before === undefined || (watch.concerns?.(change.before, change.object) ?? true);

type Naming = (object: KubeObject) => readonly ObjectKey[];

interface Mapping {
  readonly log: Logger;
  readonly related: Related;
  readonly listed: RelatedObjects;
}

/** The keys that a watch names. Where it throws they are none: its mistake must not cost other keys their turn. */
function namedBy(watch: Watch, { log, related, listed }: Mapping): Naming {
  return (object) => {
    try {
      return watch.keys(object, related, listed);
    } catch (error) {
      log.error('mapping a change to keys threw', { object: keyText(keyOf(object)), error: messageOf(error) });
      return [];
    }
  };
}

/** Observations read a kind through its one store: with two of them, what only the second holds would look absent. */
function readable(followed: readonly Followed[]): Stores {
  const stores = new Map<string, Store<KubeObject>>();
  for (const { store } of followed) {
    const name = resourceName(store.resource);
    if ((stores.get(name) ?? store) !== store)
      throw new PlatformError('Internal', `following ${name}: one controller watches it with two selectors`, { retry: 'never' });
    stores.set(name, store);
  }
  return stores;
}

/** An object that moved from one owner to another concerns both. */
function concernedKeys(change: Change<KubeObject>, named: Naming): readonly string[] {
  const before = change.kind === 'put' && change.before !== undefined ? named(change.before) : [];
  return [...named(change.object), ...before].map(keyText);
}

const parseKey = (text: string): ObjectKey => {
  const slash = text.indexOf('/');
  return slash < 0 ? { namespace: '', name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
};
