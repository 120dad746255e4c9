import type { Deployment, DeploymentCondition, ReplicaSet } from '../../api/builtin/index.ts';
import type { Instant } from '../../base/index.ts';
import { carryConditions } from '../carry-conditions.ts';
import { isComplete, progressDeadline, progressOf } from './progress.ts';
import { available, leewayOf, sizeOf, sum, wantedReplicas } from './rollout.ts';

type Status = NonNullable<Deployment['status']>;

/** What people read about the rollout, and when it is too late for it to go on. */
export interface DeploymentReport {
  readonly status: Status;
  readonly deadline?: Instant;
}

export function deploymentReport(
  deployment: Deployment,
  sets: { current: ReplicaSet | undefined; old: readonly ReplicaSet[] },
  now: Instant,
): DeploymentReport {
  const counts = countsOf(deployment, sets);
  const progressing = progressOf(deployment, { counts, current: sets.current, now });
  const conditions = [availabilityOf(deployment, counts), ...(progressing ? [progressing] : [])];
  const carried: readonly DeploymentCondition[] = carryConditions(deployment.status?.conditions, conditions, now);
  const deadline = progressing && !isComplete(deployment, counts) ? progressDeadline(deployment, progressing, now) : undefined;
  return { status: { ...counts, conditions: carried }, ...(deadline !== undefined && { deadline }) };
}

function countsOf({ metadata }: Deployment, { current, old }: { current: ReplicaSet | undefined; old: readonly ReplicaSet[] }): Status {
  const all = current ? [current, ...old] : old;
  const availableReplicas = sum(all, available);
  return withoutZeros({
    observedGeneration: metadata.generation ?? 0,
    replicas: sum(all, ({ status }) => status?.replicas ?? 0),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum(all, ({ status }) => status?.readyReplicas ?? 0),
    availableReplicas,
    unavailableReplicas: Math.max(0, sum(all, sizeOf) - availableReplicas),
  });
}

/** As Kubernetes writes counts: none is not written. */
const withoutZeros = (counts: Readonly<Record<string, number>>): Status =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

function availabilityOf(deployment: Deployment, { availableReplicas = 0 }: Status): DeploymentCondition {
  const isEnough = availableReplicas >= wantedReplicas(deployment) - leewayOf(deployment).unavailable;
  return isEnough
    ? { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}
