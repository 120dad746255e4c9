import type { Target } from '../../target/index.ts';

/** A metric of a target that is compared before and after the remediation. */
export interface Metric {
  /** For people. */
  readonly name: string;
  /** PromQL with one series, or none. */
  readonly query: string;
  readonly isBetter: 'lower' | 'higher';
}

/** The alphabet of generated names in Kubernetes: no vowels, and no digits that look like letters. */
const RANDOM = '[bcdfghjklmnpqrstvwxz2456789]';

/** The suffixes of a workload's pod names, for the pods of its current and its earlier rollouts. */
const POD_ENDINGS: Readonly<Record<string, string>> = {
  Pod: '',
  Deployment: `-${RANDOM}{6,10}-${RANDOM}{5}`,
  ReplicaSet: `-${RANDOM}{5}`,
  DaemonSet: `-${RANDOM}{5}`,
  StatefulSet: '-[0-9]+',
};

/** The metrics that show the health of a target; empty for kinds without metrics. Only its own pods count, never its namespace. */
export function metricsOf({ kind, name, namespace }: Target): readonly Metric[] {
  const ending = POD_ENDINGS[kind];
  if (ending !== undefined && namespace) return podMetrics(`namespace=${quoted(namespace)},pod=~${quoted(plain(name) + ending)}`);
  if (kind === 'Node') return nodeMetrics(`node=${quoted(name)}`);
  if (kind === 'PersistentVolume') return volumeMetrics(`persistentvolume=${quoted(name)}`, name);
  return [];
}

const podMetrics = (pods: string): readonly Metric[] => [
  { name: 'CPU', query: `sum(rate(container_cpu_usage_seconds_total{${pods}}[5m]))`, isBetter: 'lower' },
  { name: 'memory', query: `sum(container_memory_working_set_bytes{${pods}})`, isBetter: 'lower' },
  {
    name: 'latency',
    query: `histogram_quantile(0.95, sum by (le) (rate(http_request_duration_seconds_bucket{${pods}}[5m]))) * 1000`,
    isBetter: 'lower',
  },
  {
    name: 'errors',
    query: `sum(rate(http_requests_total{${pods},code=~"5.."}[5m])) / sum(rate(http_requests_total{${pods}}[5m]))`,
    isBetter: 'lower',
  },
  { name: 'throughput', query: `sum(rate(http_requests_total{${pods}}[5m]))`, isBetter: 'higher' },
];

const nodeMetrics = (node: string): readonly Metric[] => [
  { name: 'not ready', query: `max(kube_node_status_condition{${node},condition="Ready",status=~"false|unknown"})`, isBetter: 'lower' },
  {
    name: 'memory pressure',
    query: `max(kube_node_status_condition{${node},condition="MemoryPressure",status="true"})`,
    isBetter: 'lower',
  },
  { name: 'disk pressure', query: `max(kube_node_status_condition{${node},condition="DiskPressure",status="true"})`, isBetter: 'lower' },
];

/** What a volume holds is measured at its claim. */
const volumeMetrics = (volume: string, name: string): readonly Metric[] => {
  const claim = `* on (namespace, persistentvolumeclaim) group_left () max by (namespace, persistentvolumeclaim) (kube_persistentvolumeclaim_info{volumename=${quoted(name)}})`;
  return [
    { name: 'failed', query: `max(kube_persistentvolume_status_phase{${volume},phase="Failed"})`, isBetter: 'lower' },
    { name: 'pending', query: `max(kube_persistentvolume_status_phase{${volume},phase="Pending"})`, isBetter: 'lower' },
    {
      name: 'fill',
      query: `max(kubelet_volume_stats_used_bytes ${claim}) / max(kubelet_volume_stats_capacity_bytes ${claim})`,
      isBetter: 'lower',
    },
  ];
};

const quoted = (text: string): string => JSON.stringify(text);

/** As it stands, in a regular expression. */
const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, String.raw`\$&`);
