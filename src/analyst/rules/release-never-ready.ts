import type { Pod } from '../../api/builtin/index.ts';
import { HOUR, MINUTE, parseTime, toTime, type Instant } from '../../base/index.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { targetName, type DeploymentEvidence, type Revision } from '../evidence.ts';
import { containersOf, crashOf, isReady } from '../pod-state.ts';
import { rolledOutAt } from '../rollout/revision-history.ts';
import { fitsNoNode } from '../rollout/fits-no-node.ts';
import { missesReference } from '../rollout/misses-reference.ts';
import type { FindSymptom, Symptom } from '../rollout/symptom.ts';
import { wayBack, type FailedRollout } from '../rollout/way-back.ts';
import { deadServices } from '../surroundings/dead-services.ts';
import { plainText } from '../surroundings/log-lines.ts';

/** A rollout further back is no longer suspected. */
const RECENT_MS = HOUR;
/** An image that cannot be pulled at first may be there a moment later. */
const LASTING_MS = MINUTE;
const CONFIDENCE = 0.9;

/** Ordered: the first that is shown is the cause. */
const SYMPTOMS: readonly FindSymptom[] = [unpullable, missesReference, fitsNoNode, neverReady];

/**
 * No pod of the newest revision ever became ready, because its image cannot be pulled, it needs a ConfigMap or Secret that does not exist, fits no
 * node or its probe never succeeded, while an earlier revision still serves: it is rolled back to. Undefined when that is not what is going on here.
 */
export function releaseNeverReady(evidence: DeploymentEvidence, now: Instant): Diagnosis | undefined {
  const [newest, ...earlier] = evidence.revisions;
  if (!newest || newest.pods.length === 0 || newest.pods.some((pod) => isReady(pod) || crashOf(pod, now))) return undefined;
  const found: FailedRollout = { ...evidence, newest, earlier, rolledOutAt: rolledOutAt(evidence, newest, now), now };
  const age = now - found.rolledOutAt;
  if (age < LASTING_MS || age > RECENT_MS) return undefined;
  const back = wayBack(found);
  // Without pods that serve there is no proof that the way back is open: images may be gone, dependencies too.
  if (back.kind !== 'revision' || back.readyPods === 0) return undefined;
  const symptom = SYMPTOMS.map((find) => find(found, back.revision)).find((one) => one !== undefined);
  return symptom && rollBack(found, symptom, back);
}

const PULL = /^(ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull)$/;
/** The registry or the credentials fail: a person has to see to it, whatever the release. */
const NOT_THE_IMAGE =
  /unauthori[sz]ed|\b40[13]\b|denied|forbidden|credential|authentication|\b429\b|too ?many ?requests|timeout|timed out|deadline|refused|unreachable|reset by peer|\b50[0-4]\b|x509|certificate/i;

/** Every pod waits for an image that the revision before does not use, and nothing says that the registry or the credentials are at fault. */
function unpullable({ newest, earlier, around }: FailedRollout): Symptom | undefined {
  const waits = newest.pods.map((pod) => containersOf(pod).find(({ state }) => PULL.test(state?.waiting?.reason ?? '')));
  const images = [...new Set(waits.flatMap((container) => (container ? imageOf(newest, container.name) : '')))];
  if (images.some((image) => image === '' || earlier.some((revision) => usesImage(revision, image)))) return undefined;
  const messages = [
    ...waits.flatMap((container) => container?.state?.waiting?.message ?? []),
    ...(around?.events ?? []).filter(({ reason }) => reason === 'Failed').flatMap(({ message }) => message ?? []),
  ];
  if (messages.some((message) => NOT_THE_IMAGE.test(message.replaceAll(/"[^"]*"/g, '')))) return undefined;
  const [said] = messages;
  return {
    fault: 'ImageCannotBePulled',
    text: `cannot pull its image ${images.join(', ')}${said === undefined ? '' : ` (${plainText(said)})`}`,
  };
}

const containersIn = ({ replicaSet }: Revision) => {
  const { containers = [], initContainers = [] } = replicaSet.spec.template?.spec ?? {};
  return [...initContainers, ...containers];
};

const imageOf = (revision: Revision, container: string): string =>
  containersIn(revision).find(({ name }) => name === container)?.image ?? '';

const usesImage = (revision: Revision, image: string): boolean => containersIn(revision).some((container) => container.image === image);

/** The deployment controller has given up waiting, and every pod runs without ever having been ready. */
function neverReady(found: FailedRollout): Symptom | undefined {
  const progressing = found.deployment.status?.conditions?.find(({ type }) => type === 'Progressing');
  if (progressing?.reason !== 'ProgressDeadlineExceeded' || deadServices(found).length > 0) return undefined;
  if (!found.newest.pods.every(runsUnready)) return undefined;
  return { fault: 'ReleaseNeverReady', text: 'never became ready within its progress deadline' };
}

function runsUnready(pod: Pod): boolean {
  const containers = containersOf(pod);
  return pod.status?.phase === 'Running' && containers.length > 0 && !isReady(pod) && wasNeverReady(pod);
}

/** For so long after its start may a pod report that it is not ready yet. */
const FIRST_REPORT_MS = MINUTE / 2;

function wasNeverReady({ metadata, status }: Pod): boolean {
  const since = parseTime(status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? undefined);
  const start = parseTime(status?.startTime ?? metadata.creationTimestamp);
  return since !== undefined && start !== undefined && since - start <= FIRST_REPORT_MS;
}

function rollBack(
  { newest, target, rolledOutAt: rollout }: FailedRollout,
  { fault, text }: Symptom,
  { revision, readyPods }: { readonly revision: Revision; readonly readyPods: number },
): Diagnosis {
  const at = `${toTime(rollout).slice(11, 16)} UTC`;
  return {
    kind: 'Diagnosed',
    fault,
    cause: `revision ${newest.number} of ${targetName(target)}, rolled out at ${at}, ${text}`,
    actionType: 'RollbackDeployment',
    target,
    parameters: { REVISION: String(revision.number) },
    confidence: CONFIDENCE,
    evidence: [
      `0 of ${newest.pods.length} pods of revision ${newest.number} are ready since it was rolled out at ${at}`,
      `revision ${revision.number} still serves with ${readyPods} ready ${readyPods === 1 ? 'pod' : 'pods'}`,
    ],
  };
}
