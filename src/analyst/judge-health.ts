import type { Pod } from '../api/builtin/index.ts';
import { MINUTE, parseTime, type Instant } from '../base/index.ts';
import type { Diagnosis } from './diagnosis.ts';
import { describeCommand, targetName, type DeploymentEvidence, type Revision } from './evidence.ts';
import { isFreshPod, isReady, lastEndOf, troubleOf } from './pod-state.ts';

/** For so long a rollout may take, and for so long must nothing have ended before all is called well: the longest wait of a crash loop. */
const CALM_MS = 5 * MINUTE;

/** Where no rule knows a cause: is there a fault at all, and is it time to say so? */
export function judgeHealth(evidence: DeploymentEvidence, now: Instant): Diagnosis {
  const name = targetName(evidence.target);
  const wanted = evidence.deployment.spec.replicas ?? 1;
  if (wanted === 0) return { kind: 'NothingWrong', reason: `${name} is scaled to zero: there is no pod that could fail` };
  const [newest] = evidence.revisions;
  if (newest && newest.pods.length >= wanted && newest.pods.every(isReady)) return judgeCalm(newest, name, now);
  const state = `${(newest?.pods ?? []).filter(isReady).length} of ${wanted} pods are ready${troublesText(newest)}`;
  return isRecent(evidence, now)
    ? { kind: 'NotYet', reason: `${name} is still being rolled out: ${state}` }
    : { kind: 'Unclear', reason: `${name}: ${state}, and no rule knows why`, advice: lookAtPods(evidence) };
}

/** All are ready; but who was started or restarted a moment ago may not stay so. */
function judgeCalm({ number, pods }: Revision, name: string, now: Instant): Diagnosis {
  const endedLately = (pod: Pod): boolean => now - (lastEndOf(pod) ?? 0) < CALM_MS;
  if (pods.some(endedLately)) return { kind: 'NotYet', reason: `${name} is ready, but containers of it were restarted a moment ago` };
  if (pods.some((pod) => isFreshPod(pod, now))) return { kind: 'NotYet', reason: `${name} is ready, but has only just started` };
  return {
    kind: 'NothingWrong',
    reason: `all ${pods.length} pods of revision ${number} of ${name} are ready, and none was restarted lately`,
  };
}

function isRecent({ deployment, revisions: [newest] }: DeploymentEvidence, now: Instant): boolean {
  const since = parseTime((newest?.replicaSet ?? deployment).metadata.creationTimestamp);
  return since !== undefined && now - since < CALM_MS;
}

function troublesText(revision: Revision | undefined): string {
  const troubles = new Set((revision?.pods ?? []).filter((pod) => !isReady(pod)).map(troubleOf));
  return troubles.size === 0 ? '' : ` (${[...troubles].toSorted().join(', ')})`;
}

const lookAtPods = ({ target }: DeploymentEvidence): string =>
  `look at its pods and their events: ${describeCommand(target)} and kubectl get events -n ${target.namespace ?? ''} --sort-by=.lastTimestamp`;
