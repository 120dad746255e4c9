/**
 * Alert rules as kube-prometheus ships them (kubernetes-mixin): the same names, labels and severities, with waits of seconds. What no stock rule
 * knows, a team's own rules add: an error rate, and "nothing is available", which is critical.
 */
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const SOON = '5s';
const LATER = '15s';

const rule = (alert: string, expr: string, more: { severity?: string; wait?: string; summary: string }): Rule => ({
  alert,
  expr,
  for: more.wait ?? SOON,
  labels: { severity: more.severity ?? 'warning' },
  annotations: {
    summary: more.summary,
    runbook_url: `https://runbooks.prometheus-operator.dev/runbooks/kubernetes/${alert.toLowerCase()}`,
  },
});

/** Without a window, as here, the alert resolves while the container runs between two crashes. */
const APPS: readonly Rule[] = [
  rule('KubePodCrashLooping', 'kube_pod_container_status_waiting_reason{reason="CrashLoopBackOff"} >= 1', {
    summary: 'Pod is crash looping.',
    wait: '1s',
  }),
  rule(
    'KubePodNotReady',
    'sum by (namespace, pod) (max by (namespace, pod) (kube_pod_status_phase{phase=~"Pending|Unknown|Failed"}) * on (namespace, pod) group_left (owner_kind) topk by (namespace, pod) (1, max by (namespace, pod, owner_kind) (kube_pod_owner{owner_kind!="Job"}))) > 0',
    { summary: 'Pod has been in a non-ready state for more than 15 minutes.', wait: LATER },
  ),
  // The stock rule waits for an hour, which no container is created for.
  rule(
    'KubeContainerWaiting',
    'kube_pod_container_status_waiting_reason{reason!~"CrashLoopBackOff|ContainerCreating|PodInitializing"} > 0',
    {
      summary: 'Pod container waiting longer than 1 hour.',
      wait: '1s',
    },
  ),
  rule(
    'KubeDeploymentReplicasMismatch',
    '(kube_deployment_spec_replicas > kube_deployment_status_replicas_available) and (changes(kube_deployment_status_replicas_updated[10s]) == 0)',
    { summary: 'Deployment has not matched the expected number of replicas.', wait: LATER },
  ),
  rule('KubeDeploymentRolloutStuck', 'kube_deployment_status_condition{condition="Progressing", status="false"} != 0', {
    summary: 'Deployment rollout is not progressing.',
  }),
  rule(
    'KubeStatefulSetReplicasMismatch',
    '(kube_statefulset_status_replicas_ready != kube_statefulset_replicas) and (changes(kube_statefulset_status_replicas_updated[10s]) == 0)',
    { summary: 'StatefulSet has not matched the expected number of replicas.', wait: LATER },
  ),
  rule('KubeDaemonSetRolloutStuck', 'kube_daemonset_status_number_available != kube_daemonset_status_desired_number_scheduled', {
    summary: 'DaemonSet rollout is stuck.',
    wait: LATER,
  }),
  rule('KubeJobFailed', 'kube_job_failed > 0', { summary: 'Job failed to complete.' }),
  rule('KubeHpaMaxedOut', 'kube_horizontalpodautoscaler_status_current_replicas == kube_horizontalpodautoscaler_spec_max_replicas', {
    summary: 'HPA is running at max replicas',
  }),
  rule(
    'KubePdbNotEnoughHealthyPods',
    '(kube_poddisruptionbudget_status_desired_healthy - kube_poddisruptionbudget_status_current_healthy) > 0',
    { summary: 'PDB does not have enough healthy pods.' },
  ),
];

const RESOURCES: readonly Rule[] = [
  rule(
    'KubeQuotaFullyUsed',
    'max without (instance, job, type) (kube_resourcequota{type="used"}) / on (namespace, resource, resourcequota) (kube_resourcequota{type="hard"} > 0) == 1',
    { summary: 'Namespace quota is fully used.', severity: 'info' },
  ),
  // Of pods rather than containers: not every kubelet of a test measures those.
  rule(
    'CPUThrottlingHigh',
    'sum(increase(container_cpu_cfs_throttled_periods_total{pod!=""}[20s])) without (id, image, name, instance, job) / sum(increase(container_cpu_cfs_periods_total{pod!=""}[20s])) without (id, image, name, instance, job) > 0.25',
    { summary: 'Processes experience elevated CPU throttling.', severity: 'info', wait: LATER },
  ),
  rule('KubePersistentVolumeFillingUp', 'kubelet_volume_stats_available_bytes / kubelet_volume_stats_capacity_bytes < 0.03', {
    summary: 'PersistentVolume is filling up.',
    severity: 'critical',
    wait: '1s',
  }),
];

const NODES: readonly Rule[] = [
  rule(
    'KubeNodeNotReady',
    'kube_node_status_condition{condition="Ready", status="true"} == 0 and on (node) kube_node_spec_unschedulable == 0',
    {
      summary: 'Node is not ready.',
    },
  ),
  rule('KubeNodeUnreachable', 'kube_node_spec_taint{key="node.kubernetes.io/unreachable", effect="NoSchedule"} == 1', {
    summary: 'Node is unreachable.',
  }),
];

const TEAM: readonly Rule[] = [
  rule('DeploymentUnavailable', 'kube_deployment_status_replicas_available == 0', {
    summary: 'No replica is available.',
    severity: 'critical',
    wait: '25s',
  }),
  rule('HighErrorRate', 'http_requests_failed_ratio > 0.05', {
    summary: 'More than 5 % of the requests fail.',
    severity: 'critical',
    wait: '1s',
  }),
];

/** A file of rules for Prometheus. */
export const STOCK_RULES = {
  groups: [
    { name: 'kubernetes-apps', rules: APPS },
    { name: 'kubernetes-resources', rules: RESOURCES },
    { name: 'kubernetes-system-kubelet', rules: NODES },
    { name: 'team', rules: TEAM },
  ].map((group) => ({ ...group, interval: '2s' })),
};
