import { keyOf, type ObjectKey } from '../../api/meta.ts';
import { sameJson, type Clock, type Instant, PlatformError } from '../../base/index.ts';
import type { Controller, Decision, Subject } from './controller.ts';
import { StaleView, Stopped, writeStatus, type Performer } from './effects.ts';
import { createObservationReader, storeOf, type Lag, type ObservationReader, type Stores } from './observation-reader.ts';
import { performAll } from './perform-all.ts';

/** Everything outside: what is read, what is written, what time it is. */
export interface World extends Performer {
  readonly stores: Stores;
  readonly clock: Clock;
}

/** How a pass ended, and so when the next one is due. */
export type Outcome =
  /** Everything decided was done. `late` says that the wake-up asked for was not ahead when it was decided. */
  | { readonly kind: 'settled'; readonly wakeAt?: Instant; readonly late: boolean; readonly writes: number }
  | { readonly kind: 'gone' }
  /** The cache does not show our own last writes yet; nothing was done. */
  | { readonly kind: 'behind'; readonly lags: readonly Lag[] }
  /** Something changed since it was observed; nothing was done after that. */
  | { readonly kind: 'stale'; readonly error: StaleView }
  | { readonly kind: 'failed'; readonly step: Step; readonly error: unknown; readonly retry: 'backoff' | 'never' }
  /** The process may no longer act; what is left is for the next leader. */
  | { readonly kind: 'stopped' };

/** Where a pass was when it failed. A failure in `decide` is a bug: decisions are total. */
export type Step = 'observe' | 'decide' | 'act';

/**
 * One pass over one object: the only place where a decision meets the world. Never throws.
 *
 *   observe ─▶ behind our own writes? wait ─▶ decide ─▶ status, under the observed version ─▶ effects, in order ─▶ wake-up
 *
 * Status comes first: a conflict proves that the view was stale, and then no effect may run.
 */
export async function reconcileOnce<Observed extends Subject>(
  controller: Controller<Observed>,
  key: ObjectKey,
  world: World,
): Promise<Outcome> {
  let step: Step = 'observe';
  try {
    const reader = createObservationReader(world);
    // One moment for both: what was not late when it was read is not late when it is judged.
    const now = world.clock.now();
    const seen = await observe(controller, key, { world, reader, now });
    if (reader.lags.length > 0) return { kind: 'behind', lags: reader.lags };
    if (seen === undefined) return { kind: 'gone' };
    step = 'decide';
    const decision = controller.decide(seen, now);
    step = 'act';
    const writes = await act(decision, seen, { controller, world });
    return settled(decision, now, writes);
  } catch (error) {
    return failure(error, step, world);
  }
}

async function observe<Observed extends Subject>(
  controller: Controller<Observed>,
  key: ObjectKey,
  { world, reader, now }: { readonly world: World; readonly reader: ObservationReader; readonly now: Instant },
): Promise<Observed | undefined> {
  const store = storeOf(world.stores, controller.primary);
  // Without the kind there is no telling what is gone; and the subject is judged for lag even if the observation reads it elsewhere.
  const subject = reader.get(controller.primary, key);
  if (subject.kind === 'unreadable') throw new PlatformError('Unavailable', `reading ${store.resource.kind}: ${subject.reason}`);
  return reader.lags.length > 0 ? undefined : controller.observe(key, reader, now);
}

async function act<Observed extends Subject>(
  decision: Decision,
  seen: Observed,
  { controller, world }: { readonly controller: Controller<Observed>; readonly world: World },
): Promise<number> {
  const { object } = seen;
  let writes = 0;
  if (decision.status !== undefined && !sameJson(decision.status, object.status)) {
    const { resourceVersion } = object.metadata;
    await writeStatus({ resource: controller.primary, key: keyOf(object), resourceVersion, status: decision.status }, world);
    writes++;
  }
  await performAll(decision, object, world);
  return writes + decision.effects.length;
}

const settled = ({ wakeAt }: Decision, now: Instant, writes: number): Outcome =>
  wakeAt === undefined ? { kind: 'settled', late: false, writes } : { kind: 'settled', wakeAt, late: !isAhead(wakeAt, now), writes };

/** NaN is not ahead: in a timetable it would never be due and never let others be. */
const isAhead = (at: Instant, now: Instant): boolean => at > now;

function failure(error: unknown, step: Step, world: World): Outcome {
  if (error instanceof Stopped || world.signal.aborted) return { kind: 'stopped' };
  if (error instanceof StaleView) return { kind: 'stale', error };
  return { kind: 'failed', step, error, retry: error instanceof PlatformError ? error.retry : 'backoff' };
}
