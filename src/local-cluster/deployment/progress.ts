import type { Deployment, DeploymentCondition, ReplicaSet } from '../../api/builtin/index.ts';
import { after, parseTime, SECOND, toTime, type Instant } from '../../base/index.ts';
import { replicaSetName } from './revisions.ts';
import { wantedReplicas } from './rollout.ts';

type Status = NonNullable<Deployment['status']>;

/** What the condition Progressing can say, with its message. */
const MESSAGES = {
  NewReplicaSetCreated: (name: string) => `Created new replica set "${name}"`,
  FoundNewReplicaSet: (name: string) => `Found new replica set "${name}"`,
  ReplicaSetUpdated: (name: string) => `ReplicaSet "${name}" is progressing.`,
  NewReplicaSetAvailable: (name: string) => `ReplicaSet "${name}" has successfully progressed.`,
  ProgressDeadlineExceeded: (name: string) => `ReplicaSet "${name}" has timed out progressing.`,
} as const;
type Reason = keyof typeof MESSAGES;

const PROGRESS_DEADLINE_SECONDS = 600;

/** What a rollout is judged by. */
export interface Progress {
  readonly counts: Status;
  readonly current: ReplicaSet | undefined;
  readonly now: Instant;
}

/** Whether all pods are of the current template and available, and no other is left. */
export function isComplete(deployment: Deployment, { updatedReplicas = 0, replicas = 0, availableReplicas = 0 }: Status): boolean {
  const wanted = wantedReplicas(deployment);
  return updatedReplicas === wanted && replicas === wanted && availableReplicas === wanted;
}

/** The condition Progressing. When it was last updated moves only when the rollout does: its deadline counts from there. */
export function progressOf(deployment: Deployment, progress: Progress): DeploymentCondition | undefined {
  const before = deployment.status?.conditions?.find(({ type }) => type === 'Progressing');
  const reason = reasonOf(deployment, before, progress);
  if (reason === undefined) return before;
  const message = MESSAGES[reason](replicaSetName(deployment));
  if (before?.reason === reason && before.message === message && reason !== 'ReplicaSetUpdated') return before;
  const status = reason === 'ProgressDeadlineExceeded' ? 'False' : 'True';
  return { type: 'Progressing', status, reason, message, lastUpdateTime: toTime(progress.now) };
}

/** When a rollout that does not move has taken too long. */
export const progressDeadline = ({ spec }: Deployment, { lastUpdateTime }: DeploymentCondition, now: Instant): Instant =>
  after(parseTime(lastUpdateTime) ?? now, (spec.progressDeadlineSeconds ?? PROGRESS_DEADLINE_SECONDS) * SECOND);

/** What is new about the rollout; undefined when nothing is. */
function reasonOf(deployment: Deployment, before: DeploymentCondition | undefined, { counts, current, now }: Progress): Reason | undefined {
  if (!current) return deployment.spec.paused ? undefined : 'NewReplicaSetCreated';
  if (wasCompleted(before, counts)) return undefined;
  if (isComplete(deployment, counts)) return 'NewReplicaSetAvailable';
  if (hasMoved(deployment.status ?? {}, counts)) return 'ReplicaSetUpdated';
  if (!before) return 'FoundNewReplicaSet';
  const isLate = before.reason !== 'NewReplicaSetAvailable' && now >= progressDeadline(deployment, before, now);
  return isLate ? 'ProgressDeadlineExceeded' : undefined;
}

/** A rollout that was completed stays so until the next one: what ails its pods later is another matter. */
const wasCompleted = (before: DeploymentCondition | undefined, { replicas = 0, updatedReplicas = 0 }: Status): boolean =>
  before?.reason === 'NewReplicaSetAvailable' && replicas === updatedReplicas;

function hasMoved(before: Status, counts: Status): boolean {
  const oldLeft = ({ replicas = 0, updatedReplicas = 0 }: Status): number => replicas - updatedReplicas;
  const grew = (name: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas'): boolean => (counts[name] ?? 0) > (before[name] ?? 0);
  return grew('updatedReplicas') || grew('readyReplicas') || grew('availableReplicas') || oldLeft(counts) < oldLeft(before);
}
