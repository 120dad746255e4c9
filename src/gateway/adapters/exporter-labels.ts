type Labels = Readonly<Record<string, string>>;

/** An exporter that reports on other objects, as `job`, `service` or the label of its pods names it. */
interface Exporter {
  readonly name: RegExp;
  /** Whether the label `pod` names a pod of the exporter itself. */
  readonly isOwnPod: (labels: Labels) => boolean;
}

/** Exporters of a whole cluster. Any other target that is scraped reports on itself: its pod is what the alert is about. */
const EXPORTERS: readonly Exporter[] = [
  { name: /kube-state-metrics/, isOwnPod: isPodOfStateMetrics },
  { name: /node-exporter|cert-manager|ingress-nginx/, isOwnPod: () => true },
  // The series of containers carry the pod that they belong to.
  { name: /(^|-)kubelet$/, isOwnPod: () => false },
];

/**
 * The labels of an alert that come from the scrape and not from what was measured: they name the exporter. Its pod, Service and namespace
 * are not what the alert is about.
 */
export function exporterLabels(labels: Labels): ReadonlySet<string> {
  // Prometheus renames a label of the metric only where the target has one of the same name: what is not renamed is the target's.
  if (labels['exported_namespace']) return new Set(['pod', 'service', 'namespace']);
  const own = new Set<string>();
  if (labels['job'] || labels['instance'] || labels['endpoint']) own.add('service');
  if (EXPORTERS.find(({ name }) => isNamed(name, labels))?.isOwnPod(labels)) own.add('pod');
  return own;
}

const isNamed = (name: RegExp, labels: Labels): boolean =>
  ['job', 'service', 'app_kubernetes_io_name'].some((label) => name.test(labels[label] ?? ''));

/**
 * Series of pods carry the pod that they are about, and its UID; on all others the label is the exporter's own. The alerts of pods are known
 * by name where they leave the UID out.
 */
function isPodOfStateMetrics({ pod = '', service, alertname = '', uid }: Labels): boolean {
  if (uid || /^Kube(Pod|Container)/.test(alertname)) return false;
  return pod.includes('kube-state-metrics') || (service !== undefined && service !== '' && pod.startsWith(`${service}-`));
}
