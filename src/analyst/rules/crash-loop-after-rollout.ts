import type { PodTemplate, ReplicaSet } from '../../api/builtin/index.ts';
import { HOUR, MINUTE, parseTime, sameJson, SECOND, toTime, type Instant } from '../../base/index.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { targetName, type DeploymentEvidence, type Revision } from '../evidence.ts';
import { crashOf, isReady, type Crash } from '../pod-state.ts';

/** A rollout further back is no longer suspected. */
const RECENT_MS = HOUR;
/** Who ran for so long before the first crash was not broken when it was rolled out. */
const RAN_MS = 10 * MINUTE;
const CONFIDENCE = 0.9;

/** Set by the deployment controller on a ReplicaSet that is used again: the revisions that it was before. */
const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
const POD_TEMPLATE_HASH = 'pod-template-hash';

/** Everything the rule looks at, once pods of the newest revision are known to crash. */
interface Case extends DeploymentEvidence {
  readonly newest: Revision;
  readonly earlier: readonly Revision[];
  readonly crashes: readonly Crash[];
  readonly rolledOutAt: Instant;
  readonly now: Instant;
}

/**
 * All pods of the newest revision crash since it was rolled out, not long ago, and there is an earlier one to go back to.
 * Undefined when that is not what is going on here.
 */
export function crashLoopAfterRollout(evidence: DeploymentEvidence, now: Instant): Diagnosis | undefined {
  const [newest, ...earlier] = evidence.revisions;
  if (!newest) return undefined;
  const crashes = newest.pods.flatMap((pod) => crashOf(pod, now) ?? []);
  const runsSomewhere = newest.pods.some((pod) => isReady(pod) && crashOf(pod, now) === undefined);
  const forMemory = crashes.some(({ reason }) => reason === 'OOMKilled');
  if (crashes.length === 0 || runsSomewhere || forMemory) return undefined;
  const rolledOutAt = parseTime(newest.replicaSet.metadata.creationTimestamp) ?? now;
  const found: Case = { ...evidence, newest, earlier, crashes, rolledOutAt, now };
  for (const objection of OBJECTIONS) {
    const unclear = objection(found);
    if (unclear) return { kind: 'Unclear', ...unclear };
  }
  const back = revisionToGoBackTo(found);
  return back ? rollBack(found, back) : { kind: 'Unclear', ...nothingToGoBackTo(found) };
}

type Unclear = Omit<Extract<Diagnosis, { kind: 'Unclear' }>, 'kind'>;

/** Ordered: the first that objects says why the rollout is not taken for the cause, or why going back would not help. */
const OBJECTIONS: readonly ((found: Case) => Unclear | undefined)[] = [rolledOutLongAgo, ranBefore, cameBack, isPaused];

function rolledOutLongAgo(found: Case): Unclear | undefined {
  if (found.now - found.rolledOutAt <= RECENT_MS) return undefined;
  return { reason: `${crashText(found)}, but it was rolled out long before, at ${toTime(found.rolledOutAt)}`, advice: readLogs(found) };
}

/** The kubelet waits longer and longer between restarts; few of them in a long time mean that the container ran well at first. */
function ranBefore(found: Case): Unclear | undefined {
  const firstCrash = Math.min(...found.crashes.map((crash) => found.now - longestLoop(crash)));
  if (firstCrash - found.rolledOutAt <= RAN_MS) return undefined;
  return { reason: `${crashText(found)}, but only after it had run well for a while`, advice: readLogs(found) };
}

/** How long so many restarts can have taken at most: every run like the last one, and waits of 10 s, 20 s, … 5 min. */
function longestLoop({ restarts, ranForMs }: Crash): number {
  const waits = Array.from({ length: restarts + 1 }, (_, i) => Math.min(10 * SECOND * 2 ** i, 5 * MINUTE));
  return waits.reduce((sum, wait) => sum + wait + ranForMs, 0);
}

/** Going back from what was itself gone back to would bring the two in turn, for ever. */
function cameBack(found: Case): Unclear | undefined {
  const createdAt = (set: ReplicaSet): string => set.metadata.creationTimestamp;
  const { replicaSet } = found.newest;
  const isReturn =
    (replicaSet.metadata.annotations?.[REVISION_HISTORY] ?? '') !== '' ||
    found.earlier.some((revision) => createdAt(revision.replicaSet) > createdAt(replicaSet));
  if (!isReturn) return undefined;
  return { reason: `${crashText(found)}, and it is itself a return to an earlier one`, advice: readLogs(found) };
}

function isPaused(found: Case): Unclear | undefined {
  if (found.deployment.spec.paused !== true) return undefined;
  const { name, namespace } = found.deployment.metadata;
  return {
    reason: `${crashText(found)}, but its rollouts are paused`,
    advice: `while it is paused nothing can be rolled back: kubectl rollout resume -n ${namespace} deploy/${name}`,
  };
}

/** The newest that serves now; where none does, the newest. A rollout before this one may have been as bad. */
function revisionToGoBackTo({ newest, earlier }: Case): Revision | undefined {
  const others = earlier.filter(({ number, replicaSet }) => number > 0 && !isSameTemplate(replicaSet, newest.replicaSet));
  return others.find(({ pods }) => pods.some(isReady)) ?? others[0];
}

const isSameTemplate = (a: ReplicaSet, b: ReplicaSet): boolean => sameJson(withoutHash(a.spec.template), withoutHash(b.spec.template));

function withoutHash(template: PodTemplate | undefined): unknown {
  const { [POD_TEMPLATE_HASH]: _, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}

const nothingToGoBackTo = (found: Case): Unclear => ({
  reason: `${crashText(found)}, and there is no earlier revision that differs`,
  advice: `there is nothing to go back to; ${readLogs(found)}`,
});

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
