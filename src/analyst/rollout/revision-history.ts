import { instant, parseTime, type Instant } from '../../base/index.ts';
import type { DeploymentEvidence, Revision } from '../evidence.ts';

/** Set by the deployment controller on a ReplicaSet that is used again: the revisions that it was before. */
const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';

const createdAt = ({ replicaSet }: Revision): Instant => parseTime(replicaSet.metadata.creationTimestamp) ?? instant(0);

const formerNumbers = ({ replicaSet }: Revision): readonly number[] =>
  (replicaSet.metadata.annotations?.[REVISION_HISTORY] ?? '')
    .split(',')
    .map(Number)
    .filter((number) => number > 0);

/** Whether the ReplicaSet of the revision is older than its rollout: the same template was rolled out again. */
export const isReused = (revision: Revision, revisions: readonly Revision[]): boolean =>
  formerNumbers(revision).length > 0 || revisions.some((other) => other.number < revision.number && createdAt(other) > createdAt(revision));

/**
 * When the newest revision was rolled out, as closely as the cluster still shows it. A ReplicaSet is created with its first rollout; one that is
 * reused is older than that, so that its pods and the end of the rollout tell the time.
 */
export function rolledOutAt({ deployment, revisions }: DeploymentEvidence, newest: Revision, now: Instant): Instant {
  if (!isReused(newest, revisions)) return parseTime(newest.replicaSet.metadata.creationTimestamp) ?? now;
  const starts = newest.pods.flatMap(({ metadata }) => parseTime(metadata.creationTimestamp) ?? []);
  const known = [...starts, ...completedAt(deployment)];
  // None of these comes before the rollout, so that the first of them is the closest.
  return known.length > 0 ? instant(Math.min(...known)) : (progressedAt(deployment) ?? now);
}

type Deployment = DeploymentEvidence['deployment'];

const progressing = ({ status }: Deployment) => status?.conditions?.find(({ type }) => type === 'Progressing');

const progressedAt = (deployment: Deployment): Instant | undefined => parseTime(progressing(deployment)?.lastUpdateTime);

/** The deployment controller leaves the condition alone once a rollout is complete. */
function completedAt(deployment: Deployment): readonly Instant[] {
  const at = isComplete(deployment) ? progressedAt(deployment) : undefined;
  return at === undefined ? [] : [at];
}

/** Whether a revision was already rolled back to an older one. */
export function wasAbandoned(revision: Revision, revisions: readonly Revision[]): boolean {
  const [next] = revisions
    .flatMap((other) => [other.number, ...formerNumbers(other)].map((number) => ({ number, other })))
    .filter(({ number, other }) => number > revision.number && other !== revision)
    .toSorted((a, b) => a.number - b.number);
  return next !== undefined && createdAt(next.other) < createdAt(revision);
}

/** Whether the last rollout was complete at any time; undefined where the cluster does not say. */
export function isComplete(deployment: Deployment): boolean | undefined {
  const condition = progressing(deployment);
  return condition && condition.reason === 'NewReplicaSetAvailable';
}

/** Whether the Deployment has been unavailable since before that time: then the revision that was there before did not run either. */
export function wasUnavailableSince({ status }: Deployment, before: number): boolean {
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  const since = parseTime(available?.lastTransitionTime ?? undefined);
  return available?.status === 'False' && since !== undefined && since < before;
}
