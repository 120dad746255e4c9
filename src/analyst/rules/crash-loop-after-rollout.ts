import type { Pod } from '../../api/builtin/index.ts';
import { HOUR, MINUTE, parseTime, SECOND, toTime, type Instant } from '../../base/index.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { targetName, type DeploymentEvidence, type Revision } from '../evidence.ts';
import { crashOf, isReady, type Crash } from '../pod-state.ts';
import { ranAtFirst } from '../rollout/first-crash.ts';
import { isComplete, isReused, rolledOutAt, wasAbandoned, wasUnavailableSince } from '../rollout/revision-history.ts';
import { hasSameClaims, hasSamePods } from '../rollout/same-pods.ts';

/** A rollout further back is no longer suspected. */
const RECENT_MS = HOUR;
/** Pods that are so much younger than the rollout replaced others, which ran. */
const REPLACED_MS = 5 * MINUTE;
/** For so long a Recreate rollout has no pods while the old ones end. */
const RECREATE_MS = 2 * MINUTE;
const CONFIDENCE = 0.9;

/** Everything the rule looks at, once pods of the newest revision are known to crash. */
interface Case extends DeploymentEvidence {
  readonly newest: Revision;
  readonly earlier: readonly Revision[];
  readonly crashes: readonly Crash[];
  readonly rolledOutAt: Instant;
  readonly now: Instant;
}

/**
 * All pods of the newest revision crash since it was rolled out, not long ago, and there is an earlier one that ran.
 * Undefined when that is not what is going on here.
 */
export function crashLoopAfterRollout(evidence: DeploymentEvidence, now: Instant): Diagnosis | undefined {
  const [newest, ...earlier] = evidence.revisions;
  if (!newest) return undefined;
  const crashes = newest.pods.flatMap((pod) => crashOf(pod, now) ?? []);
  const runsSomewhere = newest.pods.some((pod) => runsWell(pod, now));
  const forMemory = crashes.some(({ reason }) => reason === 'OOMKilled');
  if (crashes.length === 0 || runsSomewhere || forMemory) return undefined;
  const found: Case = { ...evidence, newest, earlier, crashes, rolledOutAt: rolledOutAt(evidence, newest, now), now };
  for (const objection of OBJECTIONS) {
    const unclear = objection(found);
    if (unclear) return { kind: 'Unclear', ...unclear };
  }
  const back = revisionToGoBackTo(found);
  if (!back) return { kind: 'Unclear', ...nothingToGoBackTo(found) };
  const doubt = doubtAbout(back, found);
  return doubt ? { kind: 'Unclear', ...doubt } : rollBack(found, back);
}

const runsWell = (pod: Pod, now: Instant): boolean => isReady(pod) && crashOf(pod, now) === undefined;

type Unclear = Omit<Extract<Diagnosis, { kind: 'Unclear' }>, 'kind'>;

/** Ordered: the first that objects says why the rollout is not taken for the cause, or why going back would not help. */
const OBJECTIONS: readonly ((found: Case) => Unclear | undefined)[] = [rolledOutLongAgo, ranBefore, changedNothing, isPaused];

function rolledOutLongAgo(found: Case): Unclear | undefined {
  if (found.now - found.rolledOutAt <= RECENT_MS) return undefined;
  return { reason: `${crashText(found)}, but it was rolled out long before, at ${toTime(found.rolledOutAt)}`, advice: readLogs(found) };
}

/** What ran well after the rollout was broken by something else: a dependency, its configuration, its data. */
function ranBefore(found: Case): Unclear | undefined {
  const { newest, now } = found;
  const ranFirst = newest.pods.some((pod) => {
    const crash = crashOf(pod, now);
    return crash !== undefined && ranAtFirst(pod, crash, now);
  });
  // Where the rollout never was complete its pods did not run well together.
  if (isComplete(found.deployment) === false || !(ranFirst || wasReplaced(found))) return undefined;
  return {
    reason: `${crashText(found)}, but only after it had run well for a while: something else changed since then`,
    advice: `check what it depends on (services, ConfigMaps, Secrets), and ${readLogs(found)}`,
  };
}

/** All its pods were made again long after the rollout. */
function wasReplaced({ newest, rolledOutAt: rollout }: Case): boolean {
  const oldest = Math.min(...newest.pods.map(({ metadata }) => parseTime(metadata.creationTimestamp) ?? rollout));
  return oldest - rollout > REPLACED_MS;
}

/** The same containers ran before, unless another revision serves until today. */
function changedNothing(found: Case): Unclear | undefined {
  const { newest, earlier, now } = found;
  const [before] = earlier;
  if (!before || !hasSamePods(before, newest)) return undefined;
  const others = earlier.filter((revision) => !hasSamePods(revision, newest));
  if (others.some(({ pods }) => pods.some((pod) => runsWell(pod, now)))) return undefined;
  const ready = before.pods.filter((pod) => runsWell(pod, now)).length;
  return {
    reason:
      `${crashText(found)}, but revision ${before.number} runs the same containers` +
      `${ready > 0 ? ` and has ${count(ready, 'ready pod')}` : ''}: the cause is not in the pod template`,
    advice: `check what the pods read when they start (ConfigMaps, Secrets, the services they call), and ${readLogs(found)}`,
  };
}

function isPaused(found: Case): Unclear | undefined {
  if (found.deployment.spec.paused !== true) return undefined;
  const { name, namespace } = found.deployment.metadata;
  return {
    reason: `${crashText(found)}, but its rollouts are paused`,
    advice: `while it is paused nothing can be rolled back: kubectl rollout resume -n ${namespace} deploy/${name}`,
  };
}

/**
 * The newest that serves now; where none does, the newest. A rollout before this one may have been as bad. What was gone back from is no aim:
 * the two would take turns for ever.
 */
function revisionToGoBackTo({ newest, earlier, revisions, now }: Case): Revision | undefined {
  const others = earlier.filter((revision) => revision.number > 0 && !hasSamePods(revision, newest) && !wasAbandoned(revision, revisions));
  return others.find(({ pods }) => pods.some((pod) => runsWell(pod, now))) ?? others[0];
}

/** Why it is not known that going back helps. */
function doubtAbout(back: Revision, found: Case): Unclear | undefined {
  const { now, newest } = found;
  const advice = `see what each revision is: ${rolloutHistory(found)}; and ${readLogs(found)}`;
  if (back.pods.some((pod) => crashOf(pod, now) !== undefined))
    return { reason: `${crashText(found)}, and pods of revision ${back.number} crash too: going back would not help`, advice };
  if (!back.pods.some((pod) => runsWell(pod, now)) && neverRan(back, found))
    return { reason: `${crashText(found)}, but the pods of revision ${back.number} before it were not ready either`, advice };
  if (!hasSameClaims(back, newest))
    return { reason: `${crashText(found)}, but revision ${back.number} keeps its data in other volume claims`, advice };
  return undefined;
}

/** Its pods are not ready, or the Deployment was unavailable already when it was replaced. */
function neverRan(back: Revision, { deployment, rolledOutAt: rollout }: Case): boolean {
  const slack = deployment.spec.strategy?.type === 'Recreate' ? RECREATE_MS : SECOND;
  return back.pods.length > 0 || wasUnavailableSince(deployment, rollout - slack);
}

const nothingToGoBackTo = (found: Case): Unclear =>
  isReused(found.newest, found.revisions) && found.earlier.length > 0
    ? { reason: `${crashText(found)}, and it is itself a return to an earlier one`, advice: readLogs(found) }
    : {
        reason: `${crashText(found)}, and there is no earlier revision that differs`,
        advice: `there is nothing to go back to; ${readLogs(found)}`,
      };

function rollBack(found: Case, back: Revision): Diagnosis {
  const { newest, target, crashes } = found;
  const serving = back.pods.filter(isReady).length;
  const restarts = Math.max(...crashes.map((crash) => crash.restarts));
  return {
    kind: 'Diagnosed',
    fault: 'CrashLoopAfterRollout',
    cause: `${crashText(found)} since it was rolled out at ${clockText(found.rolledOutAt)}`,
    actionType: 'RollbackDeployment',
    target,
    parameters: { REVISION: String(back.number) },
    confidence: CONFIDENCE,
    evidence: [
      `${crashes.length} of ${newest.pods.length} pods of revision ${newest.number} crash (${exitText(crashes)}), with up to ${count(restarts, 'restart')}; none runs well`,
      `revision ${newest.number} was rolled out at ${clockText(found.rolledOutAt)}, and the crashes began with it`,
      serving > 0
        ? `revision ${back.number} still has ${count(serving, 'ready pod')}`
        : `revision ${back.number} is the one before it; no pod of it is left to show how it ran`,
    ],
  };
}

const crashText = ({ newest, target, crashes }: Case): string =>
  `revision ${newest.number} of ${targetName(target)} crashes (${exitText(crashes)})`;

function exitText(crashes: readonly Crash[]): string {
  const codes = [...new Set(crashes.flatMap(({ exitCode }) => exitCode ?? []))].toSorted((a, b) => a - b);
  return codes.length === 0 ? 'exit code not known' : `exit code ${codes.join(', ')}`;
}

const readLogs = ({ deployment: { metadata } }: DeploymentEvidence): string =>
  `look at the logs: kubectl logs -n ${metadata.namespace} deploy/${metadata.name} --previous`;

const rolloutHistory = ({ deployment: { metadata } }: DeploymentEvidence): string =>
  `kubectl rollout history -n ${metadata.namespace} deploy/${metadata.name}`;

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

const clockText = (at: Instant): string => `${toTime(at).slice(11, 16)} UTC`;
