import { ReplicaSet, type Deployment } from '../../api/builtin/index.ts';
import { keyOf } from '../../api/meta.ts';
import type { Instant } from '../../base/index.ts';
import type { Decision, Effect, Listed } from '../../runtime/reconcile/controller.ts';
import { remove } from '../../runtime/reconcile/delete-object.ts';
import { earliest, lookAgain } from '../look-again.ts';
import { deploymentReport } from './deployment-status.ts';
import { isComplete } from './progress.ts';
import { createReplicaSet, handOnReadiness, nextRevision, numberRevisions, replicaSetName, revisionOf } from './revisions.ts';
import { currentSize, isRecreated, shrinkOld, sizeOf, sum, wantedReplicas, type Scale } from './rollout.ts';

const REVISION_HISTORY_LIMIT = 10;

/** All that a decision about a Deployment rests on. */
export interface DeploymentSeen {
  readonly object: Deployment;
  readonly replicaSets: Listed<ReplicaSet>;
}

/** Brings the pods from the old templates to the current one, never leaving too few of them. */
export function decide({ object, replicaSets }: DeploymentSeen, now: Instant): Decision {
  if (replicaSets.kind === 'unreadable') return { effects: [], wakeAt: lookAgain(now) };
  const name = replicaSetName(object);
  const current = replicaSets.value.find(({ metadata }) => metadata.name === name);
  const old = replicaSets.value.filter(({ metadata }) => metadata.name !== name);
  const { status, deadline } = deploymentReport(object, { current, old }, now);
  const isIdle = object.metadata.deletionTimestamp !== undefined;
  const effects = isIdle ? [] : object.spec.paused ? scalePaused(object, replicaSets.value) : rollOut(object, current, old);
  const leftovers = !isIdle && effects.length === 0 && isComplete(object, status) ? forgetOld(object, old) : [];
  return { status, effects: [...effects, ...leftovers], wakeAt: earliest(now, deadline) };
}

/** One careful step: the current ReplicaSet exists and has its number, then it grows, then the others shrink. */
function rollOut(deployment: Deployment, current: ReplicaSet | undefined, old: readonly ReplicaSet[]): readonly Effect[] {
  if (!current) {
    if (isRecreated(deployment) && sum(old, podsLeft) > 0)
      return old.filter((set) => sizeOf(set) > 0).map((replicaSet) => scale({ replicaSet, replicas: 0 }));
    return [createReplicaSet(deployment, { replicas: currentSize(deployment, 0, old), revision: nextRevision(old) })];
  }
  const prepared = [...numberRevisions(deployment, current, old), ...handOnReadiness(deployment, current)];
  if (prepared.length > 0) return prepared;
  const replicas = currentSize(deployment, sizeOf(current), old);
  const isHeldBack = isRecreated(deployment) && sum(old, podsLeft) > 0;
  if (replicas !== sizeOf(current) && !isHeldBack) return [scale({ replicaSet: current, replicas })];
  return shrinkOld(deployment, current, old).map(scale);
}

const podsLeft = (set: ReplicaSet): number => Math.max(sizeOf(set), set.status?.replicas ?? 0);

/** A paused Deployment keeps its revisions as they are; the one that has pods still follows the number asked for. */
function scalePaused(deployment: Deployment, sets: readonly ReplicaSet[]): readonly Effect[] {
  const [only, ...others] = sets.filter((set) => sizeOf(set) > 0);
  const isOff = only !== undefined && others.length === 0 && sizeOf(only) !== wantedReplicas(deployment);
  return isOff ? [scale({ replicaSet: only, replicas: wantedReplicas(deployment) })] : [];
}

/** Oldest revisions first, and only those without pods. */
function forgetOld({ spec }: Deployment, old: readonly ReplicaSet[]): readonly Effect[] {
  const empty = old.filter((set) => podsLeft(set) === 0 && set.metadata.deletionTimestamp === undefined);
  const surplus = empty.length - (spec.revisionHistoryLimit ?? REVISION_HISTORY_LIMIT);
  const byRevision = empty.toSorted((a, b) => revisionOf(a) - revisionOf(b));
  return byRevision.slice(0, Math.max(0, surplus)).map((set) => remove(ReplicaSet, set));
}

const scale = ({ replicaSet, replicas }: Scale): Effect => ({
  kind: 'Patch',
  resource: ReplicaSet,
  key: keyOf(replicaSet),
  uid: replicaSet.metadata.uid,
  resourceVersion: replicaSet.metadata.resourceVersion,
  operations: [{ op: 'add', path: '/spec/replicas', value: replicas }],
});
