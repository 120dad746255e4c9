import type { ContainerStatus, Deployment, Node, Pod } from '../../api/builtin/index.ts';
import { SECOND } from '../../base/index.ts';

/** What rules are evaluated on. */
export interface ClusterState {
  readonly pods: readonly Pod[];
  readonly deployments: readonly Deployment[];
  readonly nodes: readonly Node[];
}

/** One series for which an expression holds. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** An alerting rule. */
export interface AlertRule {
  readonly name: string;
  readonly severity: 'warning' | 'critical';
  /** How long the expression must hold before the alert fires. */
  readonly forMs: number;
  /** How long the alert stays active after the expression held the last time: the window of `max_over_time`. */
  readonly keepMs?: number;
  readonly expression: (state: ClusterState) => readonly Sample[];
}

/** A minute of kube-prometheus is a second here: people are watching. */
const LOCAL_MINUTE = SECOND;

/** The rules of kube-prometheus that workflows and hand-overs answer, by the same names and with the labels of kube-state-metrics. */
export const ALERT_RULES: readonly AlertRule[] = [
  {
    name: 'KubePodCrashLooping',
    severity: 'warning',
    forMs: 15 * LOCAL_MINUTE,
    // A container runs for a moment between two waits.
    keepMs: 8 * SECOND,
    expression: ({ pods }) =>
      waiting(pods, (reason) => reason === 'CrashLoopBackOff').map(({ labels }) => ({
        labels: { ...labels, reason: 'CrashLoopBackOff' },
        summary: `Pod ${labels.namespace}/${labels.pod} (${labels.container}) is in waiting state (reason: "CrashLoopBackOff").`,
      })),
  },
  {
    name: 'KubeContainerWaiting',
    severity: 'warning',
    forMs: 60 * LOCAL_MINUTE,
    expression: ({ pods }) =>
      waiting(pods, (reason) => reason !== 'CrashLoopBackOff').map(({ labels, reason }) => ({
        labels: { ...labels, reason },
        summary: `Pod ${labels.namespace}/${labels.pod}, container ${labels.container} is waiting (reason: "${reason}").`,
      })),
  },
  {
    name: 'KubePodNotReady',
    severity: 'warning',
    forMs: 15 * LOCAL_MINUTE,
    expression: ({ pods }) =>
      pods.filter(isUnready).map(({ metadata: { namespace = '', name } }) => ({
        labels: { namespace, pod: name },
        summary: `Pod ${namespace}/${name} has been in a non-ready state.`,
      })),
  },
  {
    name: 'KubeDeploymentReplicasMismatch',
    severity: 'warning',
    forMs: 15 * LOCAL_MINUTE,
    expression: ({ deployments }) =>
      deployments.filter(misses).map(({ metadata: { namespace = '', name } }) => ({
        labels: { namespace, deployment: name },
        summary: `Deployment ${namespace}/${name} has not matched the expected number of replicas.`,
      })),
  },
  {
    name: 'KubeDeploymentRolloutStuck',
    severity: 'warning',
    forMs: 15 * LOCAL_MINUTE,
    expression: ({ deployments }) =>
      deployments.filter(isStuck).map(({ metadata: { namespace = '', name } }) => ({
        labels: { namespace, deployment: name },
        summary: `Rollout of deployment ${namespace}/${name} is not progressing.`,
      })),
  },
  {
    name: 'KubeNodeNotReady',
    severity: 'warning',
    forMs: 15 * LOCAL_MINUTE,
    expression: ({ nodes }) =>
      nodes.filter(isNotReady).map(({ metadata: { name } }) => ({ labels: { node: name }, summary: `${name} has been unready.` })),
  },
];

interface Waiting {
  readonly labels: { readonly namespace: string; readonly pod: string; readonly container: string };
  readonly reason: string;
}

const waiting = (pods: readonly Pod[], wanted: (reason: string) => boolean): readonly Waiting[] =>
  pods.filter(isStaying).flatMap(({ metadata: { namespace = '', name }, status }) =>
    (status?.containerStatuses ?? []).flatMap((container: ContainerStatus) => {
      const { reason } = container.state?.waiting ?? {};
      return reason !== undefined && wanted(reason) ? [{ labels: { namespace, pod: name, container: container.name }, reason }] : [];
    }),
  );

const isStaying = ({ metadata }: Pod): boolean => metadata.deletionTimestamp === undefined;

/** Pods of Jobs that failed are the Job's to report. */
const isUnready = (pod: Pod): boolean =>
  isStaying(pod) &&
  (pod.status?.phase === undefined || pod.status.phase === 'Pending' || pod.status.phase === 'Unknown') &&
  !pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job');

/** While a rollout moves, its counts change. */
const misses = ({ spec, status }: Deployment): boolean => (spec.replicas ?? 1) > (status?.availableReplicas ?? 0);

const isStuck = ({ status }: Deployment): boolean =>
  status?.conditions?.some(({ type, status: holds }) => type === 'Progressing' && holds === 'False') ?? false;

const isNotReady = ({ status }: Node): boolean =>
  status?.conditions?.some(({ type, status: holds }) => type === 'Ready' && holds !== 'True') ?? false;
