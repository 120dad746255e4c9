import { Pod, type ReplicaSet } from '../../api/builtin/index.ts';
import type { Draft } from '../../api/meta.ts';
import { after, parseTime, SECOND, type Instant } from '../../base/index.ts';
import { ownerReference } from '../../kube/objects/owner-references.ts';
import type { Decision, Effect, Listed } from '../../runtime/reconcile/controller.ts';
import { remove } from '../../runtime/reconcile/delete-object.ts';
import { holds } from '../carry-conditions.ts';
import { earliest, lookAgain } from '../look-again.ts';
import { freePodNames } from './pod-names.ts';

/** All that a decision about a ReplicaSet rests on. */
export interface ReplicaSetSeen {
  readonly object: ReplicaSet;
  /** The pods that it manages, those on their way out included. */
  readonly pods: Listed<Pod>;
}

/** Keeps as many pods as are asked for. */
export function decide({ object, pods }: ReplicaSetSeen, now: Instant): Decision {
  if (pods.kind === 'unreadable') return { effects: [], wakeAt: lookAgain(now) };
  const active = pods.value.filter(isActive);
  const availableAt = active.map((pod) => availableFrom(pod, object)).filter((moment) => moment !== undefined);
  const status = statusOf(object, active, availableAt.filter((moment) => moment <= now).length);
  const effects = object.metadata.deletionTimestamp === undefined ? adjust(object, pods.value, active) : [];
  return { status, effects, wakeAt: earliest(now, ...availableAt.filter((moment) => moment > now)) };
}

const isActive = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';

const isReady = ({ status }: Pod): boolean => holds(status?.conditions, 'Ready');

/** When a pod that is ready counts as available; undefined while it is not ready. */
function availableFrom(pod: Pod, { spec }: ReplicaSet): Instant | undefined {
  const ready = pod.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True');
  const since = ready && parseTime(ready.lastTransitionTime ?? undefined);
  return since === undefined ? undefined : after(since, (spec.minReadySeconds ?? 0) * SECOND);
}

function statusOf({ metadata }: ReplicaSet, active: readonly Pod[], available: number): ReplicaSet['status'] {
  const ready = active.filter(isReady).length;
  return {
    replicas: active.length,
    ...(active.length > 0 && { fullyLabeledReplicas: active.length }),
    ...(ready > 0 && { readyReplicas: ready }),
    ...(available > 0 && { availableReplicas: available }),
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
  };
}

function adjust(replicaSet: ReplicaSet, all: readonly Pod[], active: readonly Pod[]): readonly Effect[] {
  const wanted = replicaSet.spec.replicas ?? 1;
  const { name, uid } = replicaSet.metadata;
  if (active.length <= wanted) {
    const taken = new Set(all.map((pod) => pod.metadata.name));
    return freePodNames({ name, uid }, taken, wanted - active.length).map((pod) => createPod(replicaSet, pod));
  }
  const surplus = active.toSorted(leastMissedFirst).slice(0, active.length - wanted);
  return surplus.map((pod) => remove(Pod, pod));
}

/** Which pod goes first: one without a node, then one that is not ready, then the one that restarts most, then the youngest. */
function leastMissedFirst(a: Pod, b: Pod): number {
  const order =
    Number(a.spec.nodeName !== undefined) - Number(b.spec.nodeName !== undefined) ||
    Number(isReady(a)) - Number(isReady(b)) ||
    restarts(b) - restarts(a) ||
    (parseTime(b.metadata.creationTimestamp) ?? 0) - (parseTime(a.metadata.creationTimestamp) ?? 0);
  return order || (a.metadata.name < b.metadata.name ? -1 : 1);
}

const restarts = ({ status }: Pod): number => Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));

function createPod(replicaSet: ReplicaSet, name: string): Effect {
  const { template } = replicaSet.spec;
  const object: Draft<Pod> = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...template?.metadata,
      name,
      namespace: replicaSet.metadata.namespace ?? '',
      ownerReferences: [ownerReference(replicaSet, { controller: true, blockOwnerDeletion: true })],
    },
    spec: template?.spec ?? { containers: [] },
  };
  return { kind: 'Create', resource: Pod, object };
}
