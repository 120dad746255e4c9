import { describe, expect, test } from 'vitest';
import { targetIn, TARGET_LABELS } from './target-labels.ts';

type Labels = Readonly<Record<string, string>>;

function textOf(labels: Labels): string {
  const target = targetIn(labels);
  if (target.kind === 'none') return 'none';
  const { resource, key } = target.object;
  return [key.namespace, resource.kind, key.name].filter(Boolean).join('/');
}

/** What a scrape adds where the metric has no label of that name, as the charts of kube-prometheus-stack configure it. */
const STATE_METRICS: Labels = {
  job: 'kube-state-metrics',
  instance: '10.0.1.7:8080',
  endpoint: 'http',
  service: 'kps-kube-state-metrics',
  container: 'kube-state-metrics',
  pod: 'kps-kube-state-metrics-6c8f-x2x9p',
  namespace: 'monitoring',
};
/** The same under another name. */
const RENAMED: Labels = { ...STATE_METRICS, service: 'ksm', pod: 'ksm-6c8f-x2x9p' };
const NODE_EXPORTER: Labels = {
  job: 'node-exporter',
  instance: '10.0.0.4:9100',
  endpoint: 'http-metrics',
  service: 'kps-prometheus-node-exporter',
  container: 'node-exporter',
  pod: 'kps-prometheus-node-exporter-bk2nd',
  namespace: 'monitoring',
};
const KUBELET: Labels = {
  job: 'kubelet',
  instance: '10.0.0.4:10250',
  endpoint: 'https-metrics',
  service: 'kps-kubelet',
  metrics_path: '/metrics',
  namespace: 'kube-system',
  node: 'worker-1',
};
const CERT_MANAGER: Labels = {
  job: 'cert-manager',
  instance: '10.0.2.2:9402',
  service: 'cert-manager',
  container: 'cert-manager-controller',
  pod: 'cert-manager-7d-abcde',
  namespace: 'cert-manager',
};
const SHOP: Labels = { namespace: 'shop' };

/** The alerts of kube-prometheus' stock rules (kubernetes-mixin, node-mixin, Prometheus' and cert-manager's own), with the labels that they carry. */
const STOCK: readonly (readonly [alert: string, labels: Labels, target: string])[] = [
  [
    'KubePodCrashLooping',
    { ...STATE_METRICS, ...SHOP, pod: 'web-1', container: 'main', uid: 'u', reason: 'CrashLoopBackOff' },
    'shop/Pod/web-1',
  ],
  ['KubePodCrashLooping', { ...STATE_METRICS, uid: 'u', reason: 'CrashLoopBackOff' }, 'monitoring/Pod/kps-kube-state-metrics-6c8f-x2x9p'],
  ['KubePodNotReady', { ...SHOP, pod: 'web-1' }, 'shop/Pod/web-1'],
  ['KubeContainerWaiting', { ...STATE_METRICS, ...SHOP, pod: 'web-1', container: 'main', reason: 'ImagePullBackOff' }, 'shop/Pod/web-1'],
  ['KubeContainerWaiting', { ...STATE_METRICS, ...SHOP, pod: 'web-1', container: 'main', reason: 'ErrImagePull' }, 'shop/Pod/web-1'],
  ['KubeDeploymentGenerationMismatch', { ...STATE_METRICS, ...SHOP, deployment: 'web' }, 'shop/Deployment/web'],
  ['KubeDeploymentReplicasMismatch', { ...STATE_METRICS, ...SHOP, deployment: 'web' }, 'shop/Deployment/web'],
  [
    'KubeDeploymentRolloutStuck',
    { ...STATE_METRICS, ...SHOP, deployment: 'web', condition: 'Progressing', status: 'false' },
    'shop/Deployment/web',
  ],
  ['KubeStatefulSetReplicasMismatch', { ...STATE_METRICS, ...SHOP, statefulset: 'db' }, 'shop/StatefulSet/db'],
  ['KubeStatefulSetGenerationMismatch', { ...RENAMED, ...SHOP, statefulset: 'db' }, 'shop/StatefulSet/db'],
  ['KubeStatefulSetUpdateNotRolledOut', { ...SHOP, job: 'kube-state-metrics', statefulset: 'db' }, 'shop/StatefulSet/db'],
  ['KubeDaemonSetRolloutStuck', { ...STATE_METRICS, ...SHOP, daemonset: 'logs' }, 'shop/DaemonSet/logs'],
  ['KubeDaemonSetNotScheduled', { ...RENAMED, ...SHOP, daemonset: 'logs' }, 'shop/DaemonSet/logs'],
  ['KubeDaemonSetMisScheduled', { ...STATE_METRICS, ...SHOP, daemonset: 'logs' }, 'shop/DaemonSet/logs'],
  ['KubeJobNotCompleted', { ...SHOP, job_name: 'report-28' }, 'shop/Job/report-28'],
  [
    'KubeJobFailed',
    { ...STATE_METRICS, ...SHOP, job_name: 'report-28', condition: 'true', reason: 'BackoffLimitExceeded' },
    'shop/Job/report-28',
  ],
  ['KubeCronJobSuspended', { ...STATE_METRICS, ...SHOP, cronjob: 'report' }, 'shop/CronJob/report'],
  ['KubeHpaReplicasMismatch', { ...STATE_METRICS, ...SHOP, horizontalpodautoscaler: 'web' }, 'shop/HorizontalPodAutoscaler/web'],
  ['KubeHpaMaxedOut', { ...STATE_METRICS, ...SHOP, horizontalpodautoscaler: 'web' }, 'shop/HorizontalPodAutoscaler/web'],
  ['KubeHpaMaxedOut', { ...STATE_METRICS, ...SHOP, hpa: 'web' }, 'shop/HorizontalPodAutoscaler/web'],
  ['KubePdbNotEnoughHealthyPods', { ...STATE_METRICS, ...SHOP, poddisruptionbudget: 'web' }, 'shop/PodDisruptionBudget/web'],
  ['KubePersistentVolumeFillingUp', { ...KUBELET, ...SHOP, persistentvolumeclaim: 'data-db-0' }, 'shop/PersistentVolumeClaim/data-db-0'],
  [
    'KubePersistentVolumeInodesFillingUp',
    { ...KUBELET, ...SHOP, persistentvolumeclaim: 'data-db-0' },
    'shop/PersistentVolumeClaim/data-db-0',
  ],
  ['KubePersistentVolumeErrors', { ...STATE_METRICS, persistentvolume: 'pv-1', phase: 'Failed' }, 'none'],
  [
    'KubePersistentVolumeErrors',
    { persistentvolume: 'pv-1', phase: 'Failed', node: 'worker-1', job: 'kubernetes-service-endpoints' },
    'none',
  ],
  ['KubeQuotaAlmostFull', { ...STATE_METRICS, ...SHOP, resourcequota: 'limits', resource: 'pods' }, 'Namespace/shop'],
  ['KubeQuotaFullyUsed', { ...SHOP, resource: 'pods' }, 'Namespace/shop'],
  ['KubeQuotaExceeded', { ...RENAMED, ...SHOP, resourcequota: 'limits', resource: 'requests.cpu' }, 'Namespace/shop'],
  ['CPUThrottlingHigh', { ...SHOP, pod: 'web-1', container: 'main' }, 'shop/Pod/web-1'],
  ['KubeCPUOvercommit', {}, 'none'],
  ['KubeMemoryOvercommit', { cluster: '' }, 'none'],
  ['KubeCPUQuotaOvercommit', {}, 'none'],
  ['KubeNodeNotReady', { ...STATE_METRICS, node: 'worker-1', condition: 'Ready', status: 'true' }, 'Node/worker-1'],
  ['KubeNodeNotReady', { ...RENAMED, node: 'worker-1', condition: 'Ready', status: 'true' }, 'Node/worker-1'],
  [
    'KubeNodeUnreachable',
    { ...STATE_METRICS, node: 'worker-1', key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
    'Node/worker-1',
  ],
  ['KubeNodePressure', { ...STATE_METRICS, node: 'worker-1', condition: 'DiskPressure', status: 'true' }, 'Node/worker-1'],
  ['KubeNodeReadinessFlapping', { node: 'worker-1' }, 'Node/worker-1'],
  ['KubeNodeEviction', { node: 'worker-1', eviction_signal: 'memory.available' }, 'Node/worker-1'],
  ['KubeletTooManyPods', { node: 'worker-1' }, 'Node/worker-1'],
  ['KubeletPlegDurationHigh', { node: 'worker-1', instance: '10.0.0.4:10250', quantile: '0.99' }, 'Node/worker-1'],
  ['KubeletPodStartUpLatencyHigh', { node: 'worker-1', instance: '10.0.0.4:10250' }, 'Node/worker-1'],
  ['KubeletClientCertificateExpiration', KUBELET, 'Node/worker-1'],
  ['KubeletServerCertificateRenewalErrors', KUBELET, 'Node/worker-1'],
  ['KubeletDown', { job: 'kubelet' }, 'none'],
  ['NodeFilesystemSpaceFillingUp', { ...NODE_EXPORTER, node: 'worker-1', device: '/dev/sda1', mountpoint: '/' }, 'Node/worker-1'],
  ['NodeFilesystemAlmostOutOfSpace', { ...NODE_EXPORTER, device: '/dev/sda1', mountpoint: '/' }, 'none'],
  ['NodeSystemdServiceFailed', { ...NODE_EXPORTER, node: 'worker-1', name: 'chronyd.service', state: 'failed' }, 'Node/worker-1'],
  ['NodeClockNotSynchronising', { ...NODE_EXPORTER, node: 'worker-1' }, 'Node/worker-1'],
  ['NodeNetworkInterfaceFlapping', { ...NODE_EXPORTER, device: 'eth0' }, 'none'],
  ['KubeAPIDown', { job: 'apiserver' }, 'none'],
  ['KubeAPIErrorBudgetBurn', { long: '1h', short: '5m' }, 'none'],
  ['KubeAggregatedAPIDown', { name: 'v1beta1.metrics.k8s.io', namespace: 'default' }, 'none'],
  ['KubeClientErrors', { instance: '10.0.0.1:6443', job: 'apiserver', namespace: 'default' }, 'none'],
  ['KubeVersionMismatch', {}, 'none'],
  ['KubeProxyDown', { job: 'kube-proxy' }, 'none'],
  ['TargetDown', { job: 'checkout', namespace: 'shop', service: 'checkout' }, 'none'],
  ['PrometheusOperatorListErrors', { controller: 'prometheus', namespace: 'monitoring' }, 'none'],
  [
    'PrometheusRuleFailures',
    { job: 'prometheus-k8s', instance: 'i', endpoint: 'web', service: 'prometheus-k8s', namespace: 'monitoring', pod: 'prometheus-k8s-0' },
    'monitoring/Pod/prometheus-k8s-0',
  ],
  [
    'AlertmanagerFailedReload',
    { job: 'alertmanager-main', namespace: 'monitoring', pod: 'alertmanager-main-0' },
    'monitoring/Pod/alertmanager-main-0',
  ],
  ['etcdMembersDown', { job: 'etcd' }, 'none'],
  ['CertManagerCertExpirySoon', { ...CERT_MANAGER, exported_namespace: 'shop', name: 'web-tls' }, 'shop/Certificate/web-tls'],
  ['CertManagerCertNotReady', { ...CERT_MANAGER, ...SHOP, name: 'web-tls', condition: 'False' }, 'shop/Certificate/web-tls'],
  ['CertManagerCertNotReady', { ...SHOP, name: 'web-tls', condition: 'False' }, 'shop/Certificate/web-tls'],
  ['CertManagerAbsent', { job: 'cert-manager' }, 'none'],
  ['Watchdog', { severity: 'none' }, 'none'],
  ['InfoInhibitor', { ...SHOP, pod: 'web-1', severity: 'none' }, 'none'],
];

describe('the object that an alert of the stock rules is about', () => {
  test.each(STOCK)('ruling 117: %s %j', (alertname, labels, target) =>
    expect(textOf({ alertname, severity: 'warning', prometheus: 'monitoring/k8s', ...labels })).toBe(target),
  );

  test('is asserted of at least 40 of them', () => expect(new Set(STOCK.map(([alertname]) => alertname)).size).toBeGreaterThanOrEqual(40));
});

/** Each label, the most specific first. */
const ORDER: readonly (readonly [label: string, target: string])[] = [
  ['persistentvolumeclaim', 'shop/PersistentVolumeClaim/x'],
  ['poddisruptionbudget', 'shop/PodDisruptionBudget/x'],
  ['horizontalpodautoscaler', 'shop/HorizontalPodAutoscaler/x'],
  ['job_name', 'shop/Job/x'],
  ['cronjob', 'shop/CronJob/x'],
  ['daemonset', 'shop/DaemonSet/x'],
  ['statefulset', 'shop/StatefulSet/x'],
  ['deployment', 'shop/Deployment/x'],
  ['replicaset', 'shop/ReplicaSet/x'],
  ['pod', 'shop/Pod/x'],
  ['service', 'shop/Service/x'],
  ['ingress', 'shop/Ingress/x'],
  ['certificate', 'shop/Certificate/x'],
];

describe('of several labels the most specific names the object', () => {
  test.each(ORDER.map(([label, target], at) => ({ label, target, at })))(
    'ruling 117: $label before all that follow, and before a node',
    ({ target, at }) => {
      const labels = Object.fromEntries(ORDER.slice(at).map(([label]) => [label, 'x']));
      expect(textOf({ ...labels, namespace: 'shop', node: 'worker-1' })).toBe(target);
    },
  );

  test('ruling 117: a namespace alone names itself', () => expect(textOf({ ...SHOP, team: 'blue' })).toBe('Namespace/shop'));

  test('ruling 117: a node is last', () => expect(textOf({ ...SHOP, node: 'worker-1' })).toBe('Node/worker-1'));
});

describe('labels of the scrape name nothing', () => {
  const cases: readonly (readonly [reason: string, labels: Labels, target: string])[] = [
    ['the job that scrapes is no Job', { job: 'kube-state-metrics', namespace: 'shop', pod: 'web-1' }, 'shop/Pod/web-1'],
    ['neither do service, instance, endpoint and container', { service: 's', instance: 'i', endpoint: 'e', container: 'c' }, 'none'],
    ['a Service that was scraped', { ...SHOP, service: 'checkout', job: 'checkout' }, 'none'],
    ['a Service that the rule aggregates by', { ...SHOP, service: 'checkout' }, 'shop/Service/checkout'],
    ['a Service that the metric names', { ...SHOP, exported_service: 'checkout', service: 's', job: 'j' }, 'shop/Service/checkout'],
    ['an Ingress behind its controller', { job: 'ingress-nginx', pod: 'c-1', namespace: 'shop', ingress: 'web' }, 'shop/Ingress/web'],
    ['containers of a namespace', { ...SHOP, container: 'main' }, 'none'],
    [
      'the exporter renames what the metric is about',
      { namespace: 'monitoring', pod: 'kube-state-metrics-0', exported_namespace: 'shop', exported_pod: 'web-1' },
      'shop/Pod/web-1',
    ],
    [
      'beside a renamed namespace the pod is the exporter’s',
      { namespace: 'monitoring', pod: 'x-0', node: 'worker-1', exported_namespace: 'shop', job: 'x' },
      'Namespace/shop',
    ],
    [
      'beside a renamed container a namespace only says where',
      { namespace: 'm', exported_namespace: 'shop', exported_container: 'c' },
      'none',
    ],
    ['an object of another kind', { ...SHOP, customresource_kind: 'Kafka', name: 'events', node: 'worker-1' }, 'none'],
    ['a name that is no certificate', { ...SHOP, name: 'events' }, 'none'],
    ['a name with its issuer', { ...SHOP, name: 'web-tls', issuer_name: 'letsencrypt' }, 'shop/Certificate/web-tls'],
  ];
  test.each(cases)('ruling 117: %s', (_, labels, target) => expect(textOf(labels)).toBe(target));
});

describe('what can be a name', () => {
  const cases: readonly (readonly [reason: string, labels: Labels, target: string])[] = [
    ['no namespace means default', { statefulset: 'db' }, 'default/StatefulSet/db'],
    ['an empty label is none', { namespace: '', pod: '', exported_pod: '', deployment: 'web' }, 'default/Deployment/web'],
    ['a node does not stand in for what cannot be a name', { deployment: '../secrets', pod: 'Web', node: 'worker-1' }, 'none'],
    ['one that is too long', { pod: 'a'.repeat(254) }, 'none'],
    ['the longest name', { pod: 'a'.repeat(253) }, `default/Pod/${'a'.repeat(253)}`],
    ['a dotted name', { node: 'ip-10-0-0-1.eu.internal' }, 'Node/ip-10-0-0-1.eu.internal'],
    ['a namespace that cannot be one', { namespace: 'a.b', pod: 'web', node: 'n' }, 'none'],
    ['a namespace that is too long', { namespace: 'a'.repeat(64), pod: 'web' }, 'none'],
  ];
  test.each(cases)('%s', (_, labels, target) => expect(textOf(labels)).toBe(target));

  test('a label that every object inherits names nothing', () =>
    expect(textOf(JSON.parse('{"__proto__":"x","constructor":"y"}') as Labels)).toBe('none'));
});

describe('why there is no target', () => {
  test.each([
    [{ job: 'x' }, `none of its labels names an object`],
    [{ deployment: 'A' }, 'its label deployment is not the name of an object'],
    [{ deployment: 'a', namespace: 'B' }, 'its label namespace is not the name of a namespace'],
    [{ alertname: 'Watchdog', pod: 'a' }, 'it is about alerting itself'],
  ])('%j', (labels, why) =>
    expect(targetIn(labels as unknown as Labels)).toMatchObject({ kind: 'none', why: expect.stringContaining(why) as string }),
  );

  test('the labels that would name one are listed', () => expect(TARGET_LABELS).toContain('deployment'));
});
