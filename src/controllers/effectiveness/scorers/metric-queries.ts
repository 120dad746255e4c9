import type { Target } from '../../target/index.ts';

/** A metric of a target that is compared: the time of the fault with the time after the remediation. */
export interface Metric {
  /** For people. */
  readonly name: string;
  /** PromQL with one series, or none. */
  readonly query: string;
  readonly isBetter: 'lower' | 'higher';
  /** Counts only if it has changed clearly: the fault is not known to be about it. */
  readonly onlyIfChanged?: boolean;
}

/** The fault that was remediated, by the name of its alert and the cause that was found. */
export interface Fault {
  readonly signalName?: string | undefined;
  readonly cause?: string | undefined;
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

/** The metrics that show whether a fault is over; empty for kinds without metrics. Only the target's own pods count, never its namespace. */
export function metricsOf({ kind, name, namespace }: Target, fault: Fault = {}): readonly Metric[] {
  const ending = POD_ENDINGS[kind];
  if (ending !== undefined && namespace) return podMetrics(`namespace=${quoted(namespace)},pod=~${quoted(plain(name) + ending)}`, fault);
  if (kind === 'Node') return nodeMetrics(`node=${quoted(name)}`);
  if (kind === 'PersistentVolume') return volumeMetrics(`persistentvolume=${quoted(name)}`, name);
  return [];
}

const NAMES_CPU = /cpu|throttl/i;
const NAMES_MEMORY = /[Mm]emory|OOM|oom.?kill/;
const NAMES_LATENCY = /[Ll]atency|[Ss]low|[Dd]uration|[Rr]esponse.?[Tt]ime|SLO|[Bb]udget/;
const NAMES_ERRORS = /[Ee]rror|5xx|[Ff]ail(?:ure|ed)?.?[Rr]ate|SLO|[Bb]udget/;

/** Containers use at least this share of their limit where their memory is short. */
const SHORT_OF_MEMORY = 0.9;

/**
 * Restarts and pods that are not ready belong to any fault; errors and latency to one that its alert names, and otherwise only where they changed
 * with the remediation; CPU and memory only to one that names them. How much of them is used says nothing: a healthy workload uses more than one
 * that crashes.
 */
function podMetrics(pods: string, { signalName = '', cause = '' }: Fault): readonly Metric[] {
  const named = `${signalName} ${cause}`;
  return [
    { name: 'restarts', query: `sum(increase(kube_pod_container_status_restarts_total{${pods}}[5m]))`, isBetter: 'lower' },
    { name: 'pods that are not ready', query: unready(pods), isBetter: 'lower' },
    {
      name: 'errors',
      query: `sum(rate(http_requests_total{${pods},code=~"5.."}[5m])) / sum(rate(http_requests_total{${pods}}[5m]))`,
      isBetter: 'lower',
      onlyIfChanged: !NAMES_ERRORS.test(signalName),
    },
    {
      name: 'latency',
      query: `histogram_quantile(0.95, sum by (le) (rate(http_request_duration_seconds_bucket{${pods}}[5m]))) * 1000`,
      isBetter: 'lower',
      onlyIfChanged: !NAMES_LATENCY.test(signalName),
    },
    ...(NAMES_CPU.test(named) ? [{ name: 'CPU throttling', query: throttled(`${pods},container!=""`), isBetter: 'lower' } as const] : []),
    ...(NAMES_MEMORY.test(named)
      ? [{ name: 'memory near its limit', query: short(`${pods},container!=""`), isBetter: 'lower' } as const]
      : []),
  ];
}

/** Pods that have finished are not ready either, and nothing is wrong with them. */
const unready = (pods: string): string =>
  `sum(kube_pod_status_ready{${pods},condition=~"false|unknown"} unless on (namespace, pod) (kube_pod_status_phase{${pods},phase=~"Failed|Succeeded"} == 1))`;

const throttled = (containers: string): string =>
  `sum(rate(container_cpu_cfs_throttled_periods_total{${containers}}[5m])) / sum(rate(container_cpu_cfs_periods_total{${containers}}[5m]))`;

const short = (containers: string): string =>
  `avg((container_memory_working_set_bytes{${containers}} / (container_spec_memory_limit_bytes{${containers}} > 0)) > bool ${SHORT_OF_MEMORY})`;

const nodeMetrics = (node: string): readonly Metric[] => [
  { name: 'not ready', query: `max(kube_node_status_condition{${node},condition="Ready",status=~"false|unknown"})`, isBetter: 'lower' },
  {
    name: 'memory pressure',
    query: `max(kube_node_status_condition{${node},condition="MemoryPressure",status="true"})`,
    isBetter: 'lower',
  },
  { name: 'disk pressure', query: `max(kube_node_status_condition{${node},condition="DiskPressure",status="true"})`, isBetter: 'lower' },
];

/** From this share on the alerts about volumes that fill up begin. */
const NEARLY_FULL = 0.85;

/** What a volume holds is measured at its claim. */
const volumeMetrics = (volume: string, name: string): readonly Metric[] => {
  const claim = `* on (namespace, persistentvolumeclaim) group_left () max by (namespace, persistentvolumeclaim) (kube_persistentvolumeclaim_info{volumename=${quoted(name)}})`;
  return [
    { name: 'failed', query: `max(kube_persistentvolume_status_phase{${volume},phase="Failed"})`, isBetter: 'lower' },
    { name: 'pending', query: `max(kube_persistentvolume_status_phase{${volume},phase="Pending"})`, isBetter: 'lower' },
    {
      name: 'nearly full',
      query: `max(kubelet_volume_stats_used_bytes ${claim}) / max(kubelet_volume_stats_capacity_bytes ${claim}) > bool ${NEARLY_FULL}`,
      isBetter: 'lower',
    },
  ];
};

const quoted = (text: string): string => JSON.stringify(text);

/** As it stands, in a regular expression. */
const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, String.raw`\$&`);
