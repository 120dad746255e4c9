import { HOUR, MINUTE, parseTime, toTime, type Instant } from '../../base/index.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { targetName, type DeploymentEvidence, type Revision } from '../evidence.ts';
import { crashOf, isReady, type Crash } from '../pod-state.ts';
import { ranAtFirst } from '../rollout/first-crash.ts';
import { isComplete, rolledOutAt } from '../rollout/revision-history.ts';
import { adviceWithoutWayBack, runsWell, wayBack, type FailedRollout, type WayBack } from '../rollout/way-back.ts';
import { deadServices } from '../surroundings/dead-services.ts';

/** A rollout further back is no longer suspected. */
const RECENT_MS = HOUR;
/** Pods that are so much younger than the rollout replaced others, which ran. */
const REPLACED_MS = 5 * MINUTE;
const CONFIDENCE = 0.9;

/** Everything the rule looks at, once pods of the newest revision are known to crash. */
interface Case extends FailedRollout {
  readonly crashes: readonly Crash[];
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
  const back = wayBack(found);
  return back.kind === 'revision' ? rollBack(found, back.revision) : noWayBack(found, back);
}

const noWayBack = (found: Case, { why, look }: Extract<WayBack, { readonly kind: 'none' }>): Diagnosis => ({
  kind: 'Unclear',
  reason: `${crashText(found)}, ${why}`,
  advice: adviceWithoutWayBack(look, found),
});

type Unclear = Omit<Extract<Diagnosis, { kind: 'Unclear' }>, 'kind'>;

/** Ordered: the first that objects says why the rollout is not taken for the cause, or why going back would not help. */
const OBJECTIONS: readonly ((found: Case) => Unclear | undefined)[] = [rolledOutLongAgo, ranBefore, upstreamFails];

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

/** What both revisions call does not answer: going back would change nothing. */
function upstreamFails(found: Case): Unclear | undefined {
  const [down] = deadServices(found);
  if (!down) return undefined;
  return {
    reason: `${crashText(found)}, and Service ${down}, which it calls, has no ready pod: the cause is upstream`,
    advice: `examine what is behind the Service: kubectl describe -n ${found.deployment.metadata.namespace} service ${down}, and ${readLogs(found)}`,
  };
}

/** All its pods were made again long after the rollout. */
function wasReplaced({ newest, rolledOutAt: rollout }: Case): boolean {
  const oldest = Math.min(...newest.pods.map(({ metadata }) => parseTime(metadata.creationTimestamp) ?? rollout));
  return oldest - rollout > REPLACED_MS;
}

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

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

const clockText = (at: Instant): string => `${toTime(at).slice(11, 16)} UTC`;
