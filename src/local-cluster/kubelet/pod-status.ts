import type { ContainerStatus, Pod, PodCondition } from '../../api/builtin/index.ts';
import { toTime, type Instant } from '../../base/index.ts';
import { carryConditions } from '../carry-conditions.ts';

type PodStatus = NonNullable<Pod['status']>;

/** The status of a pod whose containers are as given; `isOver` when none of them will run again. */
export function podStatus(pod: Pod, containers: readonly ContainerStatus[], isOver: boolean, now: Instant): PodStatus {
  const phase = phaseOf(containers, isOver);
  return {
    ...pod.status,
    phase,
    startTime: pod.status?.startTime ?? toTime(now),
    conditions: carryConditions(pod.status?.conditions, conditionsOf(phase, containers), now),
    containerStatuses: containers,
  };
}

/** What the node controller writes on pods of a node that does not report. */
export function unreachable(pod: Pod, now: Instant): Pod['status'] {
  const conditions = pod.status?.conditions;
  const ready = conditions?.find(({ type }) => type === 'Ready');
  if (!ready || ready.status !== 'True') return pod.status;
  const wanted = {
    ...ready,
    status: 'False',
    reason: 'NodeNotReady',
    message: 'Node is not ready',
    lastTransitionTime: toTime(now),
  } as const;
  return { ...pod.status, conditions: conditions?.map((one) => (one === ready ? wanted : one)) ?? [] };
}

/** The condition of a pod that goes soon, and not by its own fault. */
export const ORPHANED = 'DisruptionTarget';

/** What the pod garbage collector writes on pods whose node is gone. It does not outlive the return of the node. */
export function orphaned(pod: Pod, now: Instant): PodStatus {
  const message = 'PodGC: node no longer exists';
  const mark = { type: ORPHANED, status: 'True', reason: 'DeletionByPodGC', message, lastTransitionTime: toTime(now) } as const;
  return { ...pod.status, conditions: [...(pod.status?.conditions ?? []), mark] };
}

/** A pod that no node can take. */
export const unschedulable = (pod: Pod, message: string, now: Instant): PodStatus => ({
  ...pod.status,
  phase: 'Pending',
  conditions: carryConditions(pod.status?.conditions, [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }], now),
});

function phaseOf(containers: readonly ContainerStatus[], isOver: boolean): NonNullable<PodStatus['phase']> {
  if (isOver) return containers.every(({ state }) => state?.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed';
  const isNew = ({ state, restartCount }: ContainerStatus): boolean =>
    restartCount === 0 && state?.waiting !== undefined && !isBackOff(state);
  return containers.some(isNew) ? 'Pending' : 'Running';
}

const isBackOff = ({ waiting }: NonNullable<ContainerStatus['state']>): boolean => waiting?.reason === 'CrashLoopBackOff';

function conditionsOf(phase: PodStatus['phase'], containers: readonly ContainerStatus[]): readonly PodCondition[] {
  const readiness = readinessOf(phase, containers);
  return [
    { type: 'Initialized', status: 'True' },
    { type: 'Ready', ...readiness },
    { type: 'ContainersReady', ...readiness },
    { type: 'PodScheduled', status: 'True' },
  ];
}

function readinessOf(phase: PodStatus['phase'], containers: readonly ContainerStatus[]): Omit<PodCondition, 'type'> {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const unready = containers.filter(({ ready }) => !ready).map(({ name }) => name);
  if (unready.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
}
