import type { Deployment, ReplicaSet } from '../../api/builtin/index.ts';

/** How many pods a ReplicaSet is to have. */
export interface Scale {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

/** How far a rollout may go above and below the number of pods that was asked for. */
export interface Leeway {
  readonly surge: number;
  readonly unavailable: number;
}

export const wantedReplicas = ({ spec }: Deployment): number => spec.replicas ?? 1;
export const sizeOf = ({ spec }: ReplicaSet): number => spec.replicas ?? 1;
export const isRecreated = ({ spec }: Deployment): boolean => spec.strategy?.type === 'Recreate';

/** A share is rounded up for the surge and down for what may be missing; without either, one pod may be missing, or nothing would move. */
export function leewayOf(deployment: Deployment): Leeway {
  if (isRecreated(deployment)) return { surge: 0, unavailable: wantedReplicas(deployment) };
  const { maxSurge = '25%', maxUnavailable = '25%' } = deployment.spec.strategy?.rollingUpdate ?? {};
  const surge = Math.ceil(share(maxSurge, wantedReplicas(deployment)));
  const unavailable = Math.min(Math.floor(share(maxUnavailable, wantedReplicas(deployment))), wantedReplicas(deployment));
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}

function share(value: number | string, of: number): number {
  const [, percent] = /^(\d+)%$/.exec(String(value)) ?? [];
  return percent === undefined ? Number(value) || 0 : (Number(percent) * of) / 100;
}

/** The size of the ReplicaSet of the current template: as large as the surge allows. */
export function currentSize(deployment: Deployment, current: number, old: readonly ReplicaSet[]): number {
  const wanted = wantedReplicas(deployment);
  if (current >= wanted || isRecreated(deployment)) return wanted;
  const room = wanted + leewayOf(deployment).surge - current - sum(old, sizeOf);
  return current + Math.max(0, Math.min(room, wanted - current));
}

/** What the old ReplicaSets shrink to: pods that are not available first, then as many others as the new ones make up for. */
export function shrinkOld(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): readonly Scale[] {
  if (isRecreated(deployment)) return old.filter((set) => sizeOf(set) > 0).map((replicaSet) => ({ replicaSet, replicas: 0 }));
  const atLeast = wantedReplicas(deployment) - leewayOf(deployment).unavailable;
  const missingNew = sizeOf(current) - available(current);
  const spare = sum([current, ...old], sizeOf) - atLeast - missingNew;
  const byAge = old.toSorted((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1));
  const unhealthy = takeAway(byAge, spare, (set) => sizeOf(set) - available(set));
  const overdone = sum([current, ...old], available) - atLeast;
  const taken = (set: ReplicaSet): number => unhealthy.get(set) ?? 0;
  const healthy = takeAway(byAge, Math.min(overdone, spare - sum(byAge, taken)), (set) => sizeOf(set) - taken(set));
  return byAge
    .map((replicaSet) => ({ replicaSet, replicas: sizeOf(replicaSet) - taken(replicaSet) - (healthy.get(replicaSet) ?? 0) }))
    .filter(({ replicaSet, replicas }) => replicas !== sizeOf(replicaSet));
}

/** Distributes a number of pods to delete, oldest ReplicaSet first, to each at most what it has. */
function takeAway(sets: readonly ReplicaSet[], count: number, most: (set: ReplicaSet) => number): ReadonlyMap<ReplicaSet, number> {
  let left = Math.max(0, count);
  const taken = new Map<ReplicaSet, number>();
  for (const set of sets) {
    const part = Math.max(0, Math.min(left, most(set)));
    taken.set(set, part);
    left -= part;
  }
  return taken;
}

export const available = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0;

export const sum = <T>(items: readonly T[], of: (item: T) => number): number => items.reduce((total, item) => total + of(item), 0);
