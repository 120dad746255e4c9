import type {
  Certificate,
  CronJob,
  DaemonSet,
  HorizontalPodAutoscaler,
  Job,
  PersistentVolumeClaim,
  Pod,
  PodCondition,
  PodDisruptionBudget,
  Service,
  StatefulSet,
} from '../api/builtin/index.ts';
import { MINUTE, type Instant } from '../base/index.ts';
import type { Diagnosis } from './diagnosis.ts';
import { describeCommand, targetName, type ObjectEvidence } from './evidence.ts';
import { isFreshPod, isReady, readySince, shakiestRun } from './pod-state.ts';

/** What an object shows by itself. */
interface State {
  readonly is: 'healthy' | 'unhealthy' | 'settling';
  readonly text: string;
}

type Judge = (evidence: ObjectEvidence, now: Instant) => State;

/** What is seen of an object for which no rule proposes an action. It is handed over with its state, or it is healthy. */
export function judgeObject(evidence: ObjectEvidence, now: Instant): Diagnosis {
  const name = targetName(evidence.target);
  const advice = `examine it: ${describeCommand(evidence.target)}${rolloutCommand(evidence)}`;
  const judge = JUDGES[evidence.object.kind];
  if (!judge) return { kind: 'Unclear', reason: `${name} is there; what is wrong with it does not show in its own state`, advice };
  const { is, text } = judge(evidence, now);
  if (is === 'healthy') return { kind: 'NothingWrong', reason: `${name} ${text}` };
  return is === 'settling' ? { kind: 'NotYet', reason: `${name} ${text}`, advice } : { kind: 'Unclear', reason: `${name} ${text}`, advice };
}

/** Of what has rollouts: how to see and undo the last one. No workflow does that for these kinds. */
function rolloutCommand({ target: { kind, name, namespace = '' } }: ObjectEvidence): string {
  if (kind !== 'StatefulSet' && kind !== 'DaemonSet') return '';
  const at = `-n ${namespace} ${kind.toLowerCase()}/${name}`;
  return `; if it began with a release, roll it back: kubectl rollout history ${at}, then kubectl rollout undo ${at}`;
}

const statusOf = <T extends { readonly status?: unknown }>({ object }: ObjectEvidence): NonNullable<T['status']> | undefined =>
  (object as unknown as T).status as NonNullable<T['status']> | undefined;

const conditionText = (conditions: readonly PodCondition[] | undefined, type: string, status: string): string | undefined => {
  const found = conditions?.find((condition) => condition.type === type && condition.status === status);
  return found && [found.reason, found.message].filter(Boolean).join(': ');
};

const JUDGES: Readonly<Record<string, Judge>> = {
  StatefulSet: (evidence, now) => judgePods(evidence, (evidence.object as StatefulSet).spec.replicas ?? 1, now),
  DaemonSet: (evidence, now) => judgePods(evidence, statusOf<DaemonSet>(evidence)?.desiredNumberScheduled ?? evidence.pods.length, now),
  Pod: judgePod,
  Job: (evidence) => judgeJob(evidence.object as Job),
  CronJob: judgeCronJob,
  PersistentVolumeClaim: judgeClaim,
  Service: judgeService,
  HorizontalPodAutoscaler: judgeAutoscaler,
  PodDisruptionBudget: judgeBudget,
  Certificate: judgeCertificate,
  Ingress: judgeIngress,
};

function judgePods({ pods }: ObjectEvidence, wanted: number, now: Instant): State {
  if (wanted === 0) return { is: 'healthy', text: 'is scaled to zero: there is no pod that could fail' };
  const ready = pods.filter(isReady);
  const text = `has ${ready.length} of ${wanted} pods ready`;
  if (ready.length < wanted) return { is: 'unhealthy', text: `${text}${whichAreNot(pods)}` };
  return ready.every((pod) => isCalm(pod, now))
    ? { is: 'healthy', text: `${text}, none restarted lately` }
    : { is: 'settling', text: `${text}, but some only just` };
}

const MOST_NAMES = 3;

function whichAreNot(pods: readonly Pod[]): string {
  const names = pods
    .filter((pod) => !isReady(pod))
    .map(({ metadata, spec }) => `${metadata.name}${spec.nodeName ? ` on ${spec.nodeName}` : ''}`);
  if (names.length === 0) return '';
  return `; not ready: ${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''}`;
}

/** For so long must nothing have ended, at least. */
function isCalm(pod: Pod, now: Instant): boolean {
  const since = readySince(pod);
  const run = shakiestRun(pod, now);
  const isSteady = run === undefined || run.forMs >= Math.min(Math.max(3 * run.beforeMs, MINUTE), 15 * MINUTE);
  return isSteady && !isFreshPod(pod, now) && (since === undefined || now - since >= MINUTE);
}

function judgePod(evidence: ObjectEvidence, now: Instant): State {
  const pod = evidence.object as Pod;
  const { deletionTimestamp, finalizers = [] } = pod.metadata;
  if (deletionTimestamp !== undefined)
    return {
      is: 'unhealthy',
      text: `is being deleted since ${deletionTimestamp}${finalizers.length > 0 ? ` and held by finalizers ${finalizers.join(', ')}` : ''}`,
    };
  if (pod.status?.phase === 'Succeeded') return { is: 'healthy', text: 'has completed' };
  if (!isReady(pod)) return { is: 'unhealthy', text: 'is not ready, and nothing recreates it elsewhere: it has no controller' };
  return isCalm(pod, now)
    ? { is: 'healthy', text: 'is ready, and was not restarted lately' }
    : { is: 'settling', text: 'is ready, but only just' };
}

function judgeJob({ spec, status }: Job): State {
  const failed = conditionText(status?.conditions, 'Failed', 'True');
  if (failed !== undefined) return { is: 'unhealthy', text: `failed: ${failed}` };
  if (conditionText(status?.conditions, 'Complete', 'True') !== undefined) return { is: 'healthy', text: 'has completed' };
  if (spec.suspend === true) return { is: 'unhealthy', text: 'is suspended: none of its pods starts' };
  const { active = 0, failed: failures = 0 } = status ?? {};
  return { is: 'unhealthy', text: `has not completed: ${active} active and ${failures} failed pods` };
}

function judgeCronJob({ object, jobs: [newest] }: ObjectEvidence): State {
  const { spec, status } = object as CronJob;
  if (spec.suspend === true) return { is: 'unhealthy', text: 'is suspended: no Job of it starts until it is resumed' };
  const last =
    status?.lastScheduleTime === undefined ? 'it has never started one' : `the last one was started at ${status.lastScheduleTime}`;
  if (!newest) return { is: 'unhealthy', text: `has no Job: ${last}` };
  const { is, text } = judgeJob(newest);
  return is === 'healthy'
    ? { is: 'unhealthy', text: `is scheduled as ${spec.schedule}; ${last}, and its newest Job ${newest.metadata.name} has completed` }
    : { is, text: `is scheduled as ${spec.schedule}; its newest Job ${newest.metadata.name} ${text}` };
}

function judgeClaim(evidence: ObjectEvidence): State {
  const { spec } = evidence.object as PersistentVolumeClaim;
  const phase = statusOf<PersistentVolumeClaim>(evidence)?.phase ?? 'Unknown';
  const storage = `storage class ${spec?.storageClassName ?? 'of the cluster'}`;
  return phase === 'Bound' ? { is: 'healthy', text: `is bound (${storage})` } : { is: 'unhealthy', text: `is ${phase} (${storage})` };
}

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: number | string;
}

function judgeService({ object, pods }: ObjectEvidence): State {
  const spec = (object as Service).spec as (NonNullable<Service['spec']> & { readonly ports?: readonly ServicePort[] }) | undefined;
  const selector = Object.entries(spec?.selector ?? {}).map(([key, value]) => `${key}=${value}`);
  if (selector.length === 0) return { is: 'unhealthy', text: 'has no selector: its endpoints are not managed by Kubernetes' };
  if (pods.length === 0) return { is: 'unhealthy', text: `selects no pod: no pod has the labels of its selector ${selector.join(',')}` };
  const ready = pods.filter(isReady);
  if (ready.length === 0)
    return { is: 'unhealthy', text: `has no ready endpoint: 0 of ${pods.length} pods that it selects (${selector.join(',')}) are ready` };
  const missing = (spec?.ports ?? []).find(
    ({ targetPort }) => typeof targetPort === 'string' && !ready.some((pod) => hasPort(pod, targetPort)),
  );
  if (missing) return { is: 'unhealthy', text: `has a wrong target port: no container of its pods has a port named ${missing.targetPort}` };
  return { is: 'healthy', text: `has ${ready.length} ready pods behind it` };
}

const hasPort = ({ spec }: Pod, name: string): boolean =>
  spec.containers.some((container) =>
    ((container as { readonly ports?: readonly { readonly name?: string }[] }).ports ?? []).some((port) => port.name === name),
  );

function judgeAutoscaler(evidence: ObjectEvidence): State {
  const { spec } = evidence.object as HorizontalPodAutoscaler;
  const { currentReplicas = 0, desiredReplicas = 0, conditions } = statusOf<HorizontalPodAutoscaler>(evidence) ?? {};
  const scales = `${spec.scaleTargetRef.kind} ${spec.scaleTargetRef.name}`;
  const unable = conditionText(conditions, 'ScalingActive', 'False') ?? conditionText(conditions, 'AbleToScale', 'False');
  if (unable !== undefined) return { is: 'unhealthy', text: `cannot scale ${scales}: ${unable}` };
  const limited = conditionText(conditions, 'ScalingLimited', 'True');
  const numbers = `${currentReplicas} replicas of ${scales}, ${desiredReplicas} desired, at most ${spec.maxReplicas}`;
  return currentReplicas >= spec.maxReplicas
    ? { is: 'unhealthy', text: `is at its maximum: ${numbers}${limited === undefined ? '' : ` (${limited})`}` }
    : { is: 'unhealthy', text: `is below its maximum: ${numbers}` };
}

function judgeBudget(evidence: ObjectEvidence): State {
  const { spec } = evidence.object as PodDisruptionBudget;
  const { disruptionsAllowed = 0, currentHealthy = 0, desiredHealthy = 0 } = statusOf<PodDisruptionBudget>(evidence) ?? {};
  const wish = spec.minAvailable === undefined ? `maxUnavailable ${spec.maxUnavailable ?? ''}` : `minAvailable ${spec.minAvailable}`;
  return {
    is: 'unhealthy',
    text: `allows ${disruptionsAllowed} disruptions (${wish}: ${currentHealthy} of ${desiredHealthy} needed pods are healthy)${disruptionsAllowed === 0 ? ', so that no pod of it can be evicted and drains wait' : ''}${whichAreNot(evidence.pods)}`,
  };
}

function judgeCertificate(evidence: ObjectEvidence): State {
  const { notAfter, conditions } = statusOf<Certificate>(evidence) ?? {};
  const expires = notAfter === undefined ? '' : `; the present one is valid until ${notAfter}`;
  const obstacle = conditionText(conditions, 'Ready', 'False') ?? conditionText(conditions, 'Ready', 'Unknown');
  const issuing = conditionText(conditions, 'Issuing', 'False') ?? conditionText(conditions, 'Issuing', 'True');
  const said = [obstacle, issuing].filter((text) => text !== undefined && text !== '').join('; ');
  return { is: 'unhealthy', text: said === '' ? `reports no fault${expires}` : `is not ready or not renewed: ${said}${expires}` };
}

function judgeIngress({ around }: ObjectEvidence): State {
  const missing = around.dependencies.filter(({ exists }) => !exists).map(({ service }) => service);
  if (missing.length > 0) return { is: 'unhealthy', text: `sends traffic to Service ${missing.join(', ')}, which does not exist` };
  const dead = around.dependencies.filter(({ readyPods }) => readyPods === 0).map(({ service }) => service);
  if (dead.length > 0) return { is: 'unhealthy', text: `sends traffic to Service ${dead.join(', ')}, which has no ready pod` };
  const names = around.dependencies.map(({ service }) => service).join(', ');
  return {
    is: 'unhealthy',
    text: `sends traffic to ${names === '' ? 'no Service that was found' : `Service ${names}, which exists and has ready pods`}`,
  };
}
