import { Job } from '../../api/builtin/index.ts';
import { sameJson, type Instant } from '../../base/index.ts';
import type { Cache, Store } from '../../kube/cache/cache.ts';
import type { ApiRequest, Transport } from '../../kube/client/transport.ts';
import type { Controller, Decision, Effect } from '../../runtime/reconcile/controller.ts';
import { decide } from './decide.ts';
import { ERRAND_LABEL, type Errand } from './errand.ts';
import { errandController } from './index.ts';
import type { ErrandSeen } from './observe.ts';

/**
 * Five ways to get it wrong, each the sample controller but for one rule of the reconcile contract. All of them work when
 * nothing fails, but for `neverBehind`, which acts on the past even then; the simulation has to catch every one.
 */

/** Rule 2 broken: effects come with the transition only. A crash between the two loses them. */
export const effectsOnTheEdge: Controller<ErrandSeen> = {
  ...errandController,
  decide(seen, now) {
    const decision = decide(seen, now);
    if (sameJson(decision.status, seen.object.status)) return { ...decision, effects: [] };
    const moved = { ...seen, object: { ...seen.object, status: decision.status as Errand['status'] } } as ErrandSeen;
    return { ...decision, effects: [...decision.effects, ...decide(moved, now).effects] };
  },
};

/** Rule 3 broken: each attempt to create the run gives it another name (and lets it go at once, as such controllers do). */
export function randomNames(roll: () => number): Controller<ErrandSeen> {
  const rename = (effect: Effect): Effect => {
    if (effect.kind !== 'Create' || effect.resource !== Job) return effect;
    const { metadata } = effect.object;
    return { ...effect, object: { ...effect.object, metadata: { ...metadata, name: `${metadata.name ?? ''}-${roll()}` } } };
  };
  return {
    ...oneStepStart,
    async observe(key, reader, now) {
      const seen = await errandController.observe(key, reader, now);
      const ours = reader.list(Job);
      const found =
        ours.kind === 'value' ? ours.value.find((job) => job.metadata.labels?.[ERRAND_LABEL] === seen?.object.metadata.uid) : undefined;
      return seen && found ? { ...seen, run: { kind: 'value', value: found } } : seen;
    },
    decide: (seen, now) => mapEffects(oneStepStart.decide(seen, now), rename),
  };
}

/** Rule 4 broken: the run is created ready to go, and nothing stops a leader that was replaced while it stood still. */
export const oneStepStart: Controller<ErrandSeen> = {
  ...errandController,
  decide: (seen: ErrandSeen, now: Instant) => mapEffects(decide(seen, now), letGo),
};

function letGo(effect: Effect): Effect {
  if (effect.kind !== 'Create' || effect.resource !== Job) return effect;
  const object = effect.object as unknown as { readonly spec: object };
  return { ...effect, object: { ...effect.object, spec: { ...object.spec, suspend: false } } as typeof effect.object };
}

const mapEffects = (decision: Decision, change: (effect: Effect) => Effect): Decision => ({
  ...decision,
  effects: decision.effects.map(change),
});

/** Rule 5 broken: writes say nothing of the version or the object that they were decided on. */
export const withoutPreconditions = (transport: Transport): Transport => ({
  request: (request, signal) => transport.request(isElection(request) ? request : stripped(request), signal),
  watch: (request, signal) => transport.watch(request, signal),
});

/** The election is not what is under test. */
const isElection = (request: ApiRequest): boolean => request.path.includes('/leases');

function stripped(request: ApiRequest): ApiRequest {
  if (request.method === 'DELETE') return { ...request, body: undefined };
  if (request.method !== 'PATCH' || !Array.isArray(request.body)) return request;
  const operations = request.body as readonly { readonly path: string }[];
  return { ...request, body: operations.filter(({ path }) => path !== '/metadata/resourceVersion' && path !== '/metadata/uid') };
}

/** Rule 6 broken: no pass checks whether the cache has seen our own last write. */
export const neverBehind = (cache: Cache): Cache => ({
  store: (wanted) => {
    const store = cache.store(wanted);
    return new Proxy(store, {
      get(target, property) {
        if (property === 'isBehind' || property === 'isListBehind') return () => false;
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? (value as (...args: never[]) => unknown).bind(target) : value;
      },
    }) as Store<never>;
  },
  run: (signal) => cache.run(signal),
  synced: (signal) => cache.synced(signal),
  client: cache.client,
});
