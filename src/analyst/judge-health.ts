import type { Pod } from '../api/builtin/index.ts';
import { MINUTE, parseTime, type Instant } from '../base/index.ts';
import type { Diagnosis } from './diagnosis.ts';
import { describeCommand, targetName, type DeploymentEvidence, type Revision } from './evidence.ts';
import { isFreshPod, isReady, readySince, shakiestRun, troubleOf } from './pod-state.ts';

/** For so long a rollout may take before its pods count as failing. */
const ROLLOUT_MS = 5 * MINUTE;
/** What restarted must run so many times longer than before it ended, within these limits, before the fault counts as gone. */
const LONGER = 3;
const CALM_MS = { least: MINUTE, most: 15 * MINUTE } as const;

/** Where no rule knows a cause: is there a fault at all, and is it time to say so? */
export function judgeHealth(evidence: DeploymentEvidence, now: Instant): Diagnosis {
  const name = targetName(evidence.target);
  const wanted = evidence.deployment.spec.replicas ?? 1;
  if (wanted === 0) return { kind: 'NothingWrong', reason: `${name} is scaled to zero: there is no pod that could fail` };
  const [newest] = evidence.revisions;
  if (newest && newest.pods.length >= wanted && newest.pods.every(isReady)) return judgeCalm(evidence, newest, now);
  const state = `${readyText(newest, wanted)}${servingText(evidence)}`;
  const advice = lookAtPods(evidence);
  return isRecent(evidence, now)
    ? { kind: 'NotYet', reason: `${name} is still being rolled out: ${state}`, advice }
    : { kind: 'Unclear', reason: `${name}: ${state}, and no rule knows why`, advice };
}

/** All are ready; but what was started or restarted a moment ago may not stay so. */
function judgeCalm(evidence: DeploymentEvidence, { number, pods }: Revision, now: Instant): Diagnosis {
  const name = targetName(evidence.target);
  const advice = lookAtPods(evidence);
  if (pods.some((pod) => isShaky(pod, now)))
    return { kind: 'NotYet', reason: `${name} is ready, but containers of it were restarted a moment ago`, advice };
  if (pods.some((pod) => isFreshPod(pod, now) || isJustReady(pod, now)))
    return { kind: 'NotYet', reason: `${name} is ready, but has only just started`, advice };
  return {
    kind: 'NothingWrong',
    reason: `all ${pods.length} pods of revision ${number} of ${name} are ready, and none was restarted lately`,
  };
}

/** Whether a container may be between two crashes: it has not run much longer than it did before it ended. */
function isShaky(pod: Pod, now: Instant): boolean {
  const run = shakiestRun(pod, now);
  return run !== undefined && run.forMs < Math.min(Math.max(LONGER * run.beforeMs, CALM_MS.least), CALM_MS.most);
}

function isJustReady(pod: Pod, now: Instant): boolean {
  const since = readySince(pod);
  return since !== undefined && now - since < CALM_MS.least;
}

function isRecent({ deployment, revisions: [newest] }: DeploymentEvidence, now: Instant): boolean {
  const since = parseTime((newest?.replicaSet ?? deployment).metadata.creationTimestamp);
  return since !== undefined && now - since < ROLLOUT_MS;
}

/** @example readyText(revision, 2): `0 of 2 pods of revision 3 are ready (ImagePullBackOff)` */
function readyText(revision: Revision | undefined, wanted: number): string {
  const pods = revision?.pods ?? [];
  const troubles = [...new Set(pods.filter((pod) => !isReady(pod)).map(troubleOf))].toSorted();
  const which = revision ? ` of revision ${revision.number}` : '';
  return `${pods.filter(isReady).length} of ${wanted} pods${which} are ready${troubles.length === 0 ? '' : ` (${troubles.join(', ')})`}`;
}

/** What the revisions before still serve: users may notice nothing of a rollout that is stuck. */
function servingText({ revisions: [, ...earlier] }: DeploymentEvidence): string {
  const serving = earlier
    .map(({ number, pods }) => ({ number, ready: pods.filter(isReady).length }))
    .filter(({ ready }) => ready > 0)
    .map(({ number, ready }) => `revision ${number} still serves with ${ready} ready ${ready === 1 ? 'pod' : 'pods'}`);
  return serving.length === 0 ? '' : `; ${serving.join(', ')}`;
}

const lookAtPods = ({ target }: DeploymentEvidence): string =>
  `look at its pods and their events: ${describeCommand(target)} and kubectl get events -n ${target.namespace ?? ''} --sort-by=.lastTimestamp`;
