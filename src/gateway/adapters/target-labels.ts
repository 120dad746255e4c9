import {
  Certificate,
  CronJob,
  DaemonSet,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  Service,
  StatefulSet,
} from '../../api/builtin/index.ts';
import type { Resource } from '../../api/resource.ts';
import type { NamedObject } from '../signal.ts';
import { exporterLabels } from './exporter-labels.ts';

type Labels = Readonly<Record<string, string>>;

/** The object that an alert is about, or why its labels name none. */
export type AlertTarget = { readonly kind: 'named'; readonly object: NamedObject } | { readonly kind: 'none'; readonly why: string };

interface Row {
  readonly label: string;
  readonly resource: Resource;
  /** Alerts in which the label names an object of this kind; all of them, where it is absent. */
  readonly family?: (labels: Labels) => boolean;
}

/** Ruling 117: the first row whose label the alert has names the object. The most specific label comes first, the node last. */
const ROWS: readonly Row[] = [
  { label: 'persistentvolumeclaim', resource: PersistentVolumeClaim },
  { label: 'poddisruptionbudget', resource: PodDisruptionBudget },
  { label: 'horizontalpodautoscaler', resource: HorizontalPodAutoscaler },
  { label: 'hpa', resource: HorizontalPodAutoscaler },
  { label: 'job_name', resource: Job },
  { label: 'cronjob', resource: CronJob },
  { label: 'daemonset', resource: DaemonSet },
  { label: 'statefulset', resource: StatefulSet },
  { label: 'deployment', resource: Deployment },
  { label: 'replicaset', resource: ReplicaSet },
  { label: 'pod', resource: Pod },
  { label: 'service', resource: Service },
  { label: 'ingress', resource: Ingress },
  { label: 'certificate', resource: Certificate },
  { label: 'name', resource: Certificate, family: isAboutCertificate },
  { label: 'namespace', resource: Namespace, family: isAboutNamespace },
  { label: 'node', resource: Node, family: isAboutNode },
];

/** The labels that name a target, for messages. */
export const TARGET_LABELS: readonly string[] = ROWS.filter(({ family }) => !family).map(({ label }) => label);

/** They say that alerts are delivered, or which ones are muted; nothing is wrong with what they name. */
const ABOUT_ALERTING: readonly (string | undefined)[] = ['Watchdog', 'InfoInhibitor'];

/** The object that an alert is about, from its labels. */
export function targetIn(labels: Labels): AlertTarget {
  if (ABOUT_ALERTING.includes(labels['alertname'])) return { kind: 'none', why: 'it is about alerting itself' };
  const own = exporterLabels(labels);
  const row = ROWS.find(({ label, family }) => valueOf(labels, label, own) !== undefined && family?.(labels) !== false);
  if (!row) return { kind: 'none', why: NOTHING_NAMED };
  const name = valueOf(labels, row.label, own) ?? '';
  const namespace = row.resource.namespaced ? labels['exported_namespace'] || labels['namespace'] || 'default' : '';
  if (!isName(name)) return { kind: 'none', why: `its label ${row.label} is not the name of an object` };
  if (row.resource.namespaced && !isNamespace(namespace))
    return { kind: 'none', why: 'its label namespace is not the name of a namespace' };
  return { kind: 'named', object: { resource: row.resource, key: { namespace, name } } };
}

const NOTHING_NAMED = `none of its labels names an object; those of the exporter (job, instance, service, endpoint) do not count. Add namespace and one of ${TARGET_LABELS.join(', ')}, or node`;

/** What the alert says about its object. Where an exporter has a label of the same name, Prometheus renames the label of the metric. */
function valueOf(labels: Labels, label: string, own: ReadonlySet<string>): string | undefined {
  return labels[`exported_${label}`] || (own.has(label) ? undefined : labels[label]) || undefined;
}

const has = (labels: Labels, names: readonly string[]): boolean => names.some((name) => Boolean(labels[name]));

const isNamed = ({ alertname = '' }: Labels, prefix: string): boolean => alertname.startsWith(prefix);

/** cert-manager names its Certificates by `name`, as do many exporters their own objects. */
function isAboutCertificate(labels: Labels): boolean {
  return isNamed(labels, 'CertManager') || has(labels, ['issuer_name', 'issuer_kind']);
}

/** Labels that name objects of which no alert makes a target. */
const SUBJECTS: readonly string[] = ['name', 'controller', 'persistentvolume', 'customresource_kind'];

/** Labels beside which a namespace only says where something is. */
const WITHIN_NAMESPACE: readonly string[] = [
  ...SUBJECTS,
  'job',
  'instance',
  'endpoint',
  'service',
  'metrics_path',
  'pod',
  'container',
  'node',
];

/** A quota, or a namespace that nothing else stands beside. */
function isAboutNamespace(labels: Labels): boolean {
  if (has(labels, ['resourcequota']) || isNamed(labels, 'KubeQuota')) return true;
  // The scrape's own labels do not narrow a namespace that the metric itself names.
  const exported = WITHIN_NAMESPACE.map((label) => `exported_${label}`);
  return !has(labels, labels['exported_namespace'] ? [...exported, ...SUBJECTS] : WITHIN_NAMESPACE);
}

/** Beside another object, also one that cannot be remediated, a node only says where that is. */
function isAboutNode(labels: Labels): boolean {
  return !has(labels, ['persistentvolume', 'customresource_kind']);
}

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_NAME = 253;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

const isName = (text: string): boolean => text.length <= LONGEST_NAME && NAME.test(text);

const isNamespace = (text: string): boolean => NAMESPACE.test(text);
