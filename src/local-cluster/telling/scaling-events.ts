import { ReplicaSet } from '../../api/builtin/index.ts';
import type { Effect } from '../../runtime/reconcile/controller.ts';
import type { DeploymentSeen } from '../deployment/decide.ts';

/** The Events of kube-controller-manager about what a step of a rollout does to ReplicaSets, each beside its effect. */
export function withScalingEvents({ replicaSets }: DeploymentSeen, effects: readonly Effect[]): readonly Effect[] {
  const sizeOf = (name: string): number =>
    replicaSets.kind === 'value' ? (replicaSets.value.find(({ metadata }) => metadata.name === name)?.spec.replicas ?? 0) : 0;
  return effects.flatMap((effect) => {
    const step = scaled(effect);
    if (!step) return [effect];
    const before = sizeOf(step.name);
    const message = `Scaled ${step.replicas < before ? 'down' : 'up'} replica set ${step.name} from ${before} to ${step.replicas}`;
    return [effect, { kind: 'Event', type: 'Normal', reason: 'ScalingReplicaSet', message } as const];
  });
}

function scaled(effect: Effect): { readonly name: string; readonly replicas: number } | undefined {
  if (effect.kind === 'Create' && effect.resource === ReplicaSet) {
    const { metadata, spec } = effect.object as unknown as ReplicaSet;
    return { name: metadata.name, replicas: spec.replicas ?? 0 };
  }
  if (effect.kind !== 'Patch' || effect.resource !== ReplicaSet) return undefined;
  const change = effect.operations.find(({ path }) => path === '/spec/replicas');
  return change && { name: effect.key.name, replicas: Number(change.value) };
}
