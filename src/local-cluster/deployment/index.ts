/**
 * Deployments: `decide.ts` takes one step of a rollout at a time, `rollout.ts` is its arithmetic, `revisions.ts` the ReplicaSets of its
 * templates and their numbers, `deployment-status.ts` what people read about it. All as kube-controller-manager does it.
 */
import { Deployment, ReplicaSet } from '../../api/builtin/index.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import { controlledBy, controllerKeys, CONTROLLER_INDEX } from '../controlled-by.ts';
import { withScalingEvents } from '../telling/scaling-events.ts';
import { decide, type DeploymentSeen } from './decide.ts';

/** Rolls Deployments out. */
export const deploymentController: Controller<DeploymentSeen> = {
  name: 'deployment',
  primary: Deployment,
  watches: [{ resource: ReplicaSet, indexes: CONTROLLER_INDEX, keys: controllerKeys('Deployment') }],
  observe(key, reader) {
    const deployment = reader.get(Deployment, key);
    if (deployment.kind !== 'value') return undefined;
    return { object: deployment.value, replicaSets: reader.list(ReplicaSet, controlledBy(deployment.value.metadata.uid)) };
  },
  decide(seen, now) {
    const decision = decide(seen, now);
    return { ...decision, effects: withScalingEvents(seen, decision.effects) };
  },
};
