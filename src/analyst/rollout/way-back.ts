import type { Pod } from '../../api/builtin/index.ts';
import { MINUTE, SECOND, type Instant } from '../../base/index.ts';
import type { DeploymentEvidence, Revision } from '../evidence.ts';
import { crashOf, isReady } from '../pod-state.ts';
import { isReused, wasAbandoned, wasUnavailableSince } from './revision-history.ts';
import { hasSameClaims, hasSamePods } from './same-pods.ts';

/** For so long a Recreate rollout has no pods while the old ones end. */
const RECREATE_MS = 2 * MINUTE;

/** The revision to go back to; or why there is none, as it reads after what is wrong. */
export type WayBack =
  | { readonly kind: 'revision'; readonly revision: Revision; readonly readyPods: number }
  | { readonly kind: 'none'; readonly why: string; readonly look: 'logs' | 'nothing' | 'history' | 'configuration' | 'resume' };

/** What a way back is sought for. */
export interface FailedRollout extends DeploymentEvidence {
  readonly newest: Revision;
  readonly earlier: readonly Revision[];
  readonly rolledOutAt: Instant;
  readonly now: Instant;
}

/** Finds the revision that ran before a failed rollout. */
export function wayBack(found: FailedRollout): WayBack {
  const obstacle = changedNothing(found) ?? isPaused(found);
  if (obstacle) return obstacle;
  const revision = revisionToGoBackTo(found);
  if (!revision) return nothingToGoBackTo(found);
  return (
    doubtAbout(revision, found) ?? { kind: 'revision', revision, readyPods: revision.pods.filter((pod) => runsWell(pod, found.now)).length }
  );
}

/** Ready, and not between two crashes. */
export const runsWell = (pod: Pod, now: Instant): boolean => isReady(pod) && crashOf(pod, now) === undefined;

const none = (why: string, look: Extract<WayBack, { readonly kind: 'none' }>['look']): WayBack => ({ kind: 'none', why, look });

/** The same containers ran before, unless another revision serves until today. */
function changedNothing({ newest, earlier, now }: FailedRollout): WayBack | undefined {
  const [before] = earlier;
  if (!before || !hasSamePods(before, newest)) return undefined;
  const others = earlier.filter((revision) => !hasSamePods(revision, newest));
  if (others.some(({ pods }) => pods.some((pod) => runsWell(pod, now)))) return undefined;
  const ready = before.pods.filter((pod) => runsWell(pod, now)).length;
  const serving = ready > 0 ? ` and has ${ready} ready ${ready === 1 ? 'pod' : 'pods'}` : '';
  return none(`but revision ${before.number} runs the same containers${serving}: the cause is not in the pod template`, 'configuration');
}

const isPaused = ({ deployment }: FailedRollout): WayBack | undefined =>
  deployment.spec.paused === true ? none('but its rollouts are paused', 'resume') : undefined;

/**
 * The newest that serves now; where none does, the newest. A rollout before this one may have been as bad. What was gone back from is no aim:
 * the two would take turns for ever.
 */
function revisionToGoBackTo({ newest, earlier, revisions, now }: FailedRollout): Revision | undefined {
  const others = earlier.filter((revision) => revision.number > 0 && !hasSamePods(revision, newest) && !wasAbandoned(revision, revisions));
  return others.find(({ pods }) => pods.some((pod) => runsWell(pod, now))) ?? others[0];
}

const nothingToGoBackTo = ({ newest, earlier, revisions }: FailedRollout): WayBack =>
  isReused(newest, revisions) && earlier.length > 0
    ? none('and it is itself a return to an earlier one', 'logs')
    : none('and there is no earlier revision that differs', 'nothing');

/** Why it is not known that going back helps. */
function doubtAbout(back: Revision, found: FailedRollout): WayBack | undefined {
  const { now, newest } = found;
  if (back.pods.some((pod) => crashOf(pod, now) !== undefined))
    return none(`and pods of revision ${back.number} crash too: going back would not help`, 'history');
  if (!back.pods.some((pod) => runsWell(pod, now)) && neverRan(back, found))
    return none(`but the pods of revision ${back.number} before it were not ready either`, 'history');
  if (!hasSameClaims(back, newest)) return none(`but revision ${back.number} keeps its data in other volume claims`, 'history');
  return undefined;
}

/** Its pods are not ready, or the Deployment was unavailable already when it was replaced. */
function neverRan(back: Revision, { deployment, rolledOutAt }: FailedRollout): boolean {
  const slack = deployment.spec.strategy?.type === 'Recreate' ? RECREATE_MS : SECOND;
  return back.pods.length > 0 || wasUnavailableSince(deployment, rolledOutAt - slack);
}

/** What a person does who finds no way back. */
export function adviceWithoutWayBack(
  look: Extract<WayBack, { readonly kind: 'none' }>['look'],
  { deployment: { metadata } }: DeploymentEvidence,
): string {
  const at = `-n ${metadata.namespace} deploy/${metadata.name}`;
  const logs = `look at the logs: kubectl logs ${at} --previous`;
  switch (look) {
    case 'resume':
      return `while it is paused nothing can be rolled back: kubectl rollout resume ${at}`;
    case 'history':
      return `see what each revision is: kubectl rollout history ${at}; and ${logs}`;
    case 'configuration':
      return `check what the pods read when they start (ConfigMaps, Secrets, the services they call), and ${logs}`;
    case 'nothing':
      return `there is nothing to go back to; ${logs}`;
    case 'logs':
      return logs;
    default:
      return look satisfies never;
  }
}
