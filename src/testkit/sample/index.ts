/**
 * The sample controller: small, but of the same build as the real ones, so that the runtime, the client and the simulation
 * are proved on something that acts. `errand.ts` is its kind, `observe.ts` and `decide.ts` its judgement, `variants.ts` five
 * ways to get it wrong, `world.ts` the cluster around it and the invariants.
 */
import { ConfigMap, Job } from '../../api/builtin/index.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import { decide } from './decide.ts';
import { Errand, ERRAND_LABEL } from './errand.ts';
import { observe, type ErrandSeen } from './observe.ts';

const ownerKeys = (object: KubeObject): readonly ObjectKey[] =>
  (object.metadata.ownerReferences ?? [])
    .filter((owner) => owner.kind === 'Errand')
    .map((owner) => ({ namespace: object.metadata.namespace ?? '', name: owner.name }));

/** Runs errands, one at a time per target, each at most once. */
export const errandController: Controller<ErrandSeen> = {
  name: 'errand',
  primary: Errand,
  watches: [
    { resource: Errand, keys: (object) => [keyOf(object)] },
    { resource: Job, labelSelector: ERRAND_LABEL, keys: ownerKeys },
    { resource: ConfigMap, labelSelector: ERRAND_LABEL, keys: ownerKeys },
  ],
  observe,
  decide,
};
