import type { ContainerStatus, Pod } from '../../api/builtin/index.ts';
import { HOUR, parseTime, type Instant } from '../../base/index.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { describeCommand, targetName, type DeploymentEvidence } from '../evidence.ts';
import { containersOf, isReady } from '../pod-state.ts';
import { hasSamePods } from '../rollout/same-pods.ts';

/** A kill further back is no longer what an alert is about. */
const RECENT_MS = 6 * HOUR;
/** A container that ran for so long until it was killed grew slowly, as with a leak: more memory would only delay the next kill. */
const SLOW_MS = HOUR;
/** From so many restarts on a kill counts as repeated. */
const REPEATED = 2;
const CONFIDENCE = 0.85;

/** A container that was killed for memory. */
interface Kill {
  readonly pod: Pod;
  readonly container: string;
  readonly ranForMs: number;
  readonly restarts: number;
}

/**
 * Containers that are killed again and again because they reach their own memory limit get a higher one. A slow growth, a missing limit (then the node
 * is out of memory), and a limit that another container shares are handed over. Undefined where nothing was killed lately.
 */
export function outOfMemory(evidence: DeploymentEvidence, now: Instant): Diagnosis | undefined {
  const [newest] = evidence.revisions;
  const kills = (newest?.pods ?? []).flatMap((pod) => killsOf(pod, now));
  const [kill] = kills;
  if (!newest || !kill) return undefined;
  const names = [...new Set(kills.map(({ container }) => container))];
  const limit = limitOf(evidence, kill.container);
  const name = `${targetName(evidence.target)}: container ${names.join(', ')} was killed for memory (OOMKilled) in ${[...new Set(kills.map(({ pod }) => pod.metadata.name))].slice(0, 3).join(', ')}`;
  const hand = (why: string): Diagnosis => ({ kind: 'Unclear', reason: `${name}, ${why}`, advice: adviceOn(evidence, kill) });
  if (limit === undefined) return hand('and has no memory limit: its node ran out of memory');
  if (names.length > 1) return hand('more than one container: a person decides which of them needs more');
  if (kills.every(({ ranForMs }) => ranForMs >= SLOW_MS))
    return hand(`but only after hours: its memory grows slowly, which looks like a leak (limit ${limit})`);
  if (kills.every(({ restarts }) => restarts < REPEATED) && kills.some(({ pod }) => isReady(pod)))
    return hand(`once or twice only (limit ${limit})`);
  return {
    kind: 'Diagnosed',
    fault: 'OutOfMemory',
    cause: `${name}: its limit of ${limit} is too low`,
    actionType: 'IncreaseMemoryLimits',
    target: evidence.target,
    parameters: { CONTAINER: kill.container },
    confidence: CONFIDENCE,
    evidence: [
      `${kills.length} of ${newest.pods.length} pods were killed at the limit of ${limit} of container ${kill.container}, after up to ${Math.max(...kills.map(({ restarts }) => restarts))} restarts`,
      `it ran for ${Math.round(Math.max(...kills.map(({ ranForMs }) => ranForMs)) / 1_000)} s until it was killed: no slow growth over hours`,
      ...releaseNote(evidence),
    ],
  };
}

function killsOf(pod: Pod, now: Instant): readonly Kill[] {
  return containersOf(pod).flatMap((status) => {
    const end = endOf(status);
    const at = parseTime(end?.finishedAt);
    if (end?.reason !== 'OOMKilled' || at === undefined || now - at > RECENT_MS) return [];
    const ranForMs = Math.max(0, at - (parseTime(end.startedAt) ?? at));
    return [{ pod, container: status.name, ranForMs, restarts: status.restartCount }];
  });
}

const endOf = ({ state, lastState }: ContainerStatus) => state?.terminated ?? lastState?.terminated;

const limitOf = ({ deployment }: DeploymentEvidence, container: string): string | number | undefined =>
  deployment.spec.template.spec.containers.find(({ name }) => name === container)?.resources?.limits?.['memory'];

function releaseNote({ revisions: [newest, before] }: DeploymentEvidence): readonly string[] {
  return newest && before && !hasSamePods(newest, before)
    ? [
        `revision ${newest.number} differs from revision ${before.number}: if that release needs more memory by mistake, roll it back instead`,
      ]
    : [];
}

const adviceOn = ({ target }: DeploymentEvidence, { pod, container }: Kill): string =>
  `compare its use with its limit: kubectl top pod -n ${target.namespace ?? ''} ${pod.metadata.name} --containers; ` +
  `its log before: kubectl logs -n ${target.namespace ?? ''} ${pod.metadata.name} -c ${container} --previous; and ${describeCommand(target)}`;
