/** ReplicaSets: `decide.ts` keeps their number of pods, under the names of `pod-names.ts`. */
import { Pod, ReplicaSet } from '../../api/builtin/index.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import { controlledBy, controllerKeys, CONTROLLER_INDEX } from '../controlled-by.ts';
import { decide, type ReplicaSetSeen } from './decide.ts';

/** Keeps the pods of ReplicaSets. */
export const replicaSetController: Controller<ReplicaSetSeen> = {
  name: 'replicaset',
  primary: ReplicaSet,
  watches: [{ resource: Pod, indexes: CONTROLLER_INDEX, keys: controllerKeys('ReplicaSet') }],
  observe(key, reader) {
    const replicaSet = reader.get(ReplicaSet, key);
    if (replicaSet.kind !== 'value') return undefined;
    return { object: replicaSet.value, pods: reader.list(Pod, controlledBy(replicaSet.value.metadata.uid)) };
  },
  decide,
};
