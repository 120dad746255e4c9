import { CronJob, DaemonSet, Deployment, Job, Node, Pod, ReplicaSet, StatefulSet } from '../../api/builtin/index.ts';
import type { Resource } from '../../api/resource.ts';
import type { Candidate } from '../signal.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Which label names which kind, likeliest target first: what manages pods, what it manages, pods and nodes. `job`, `service`, `instance`,
 * `endpoint` and `container` say how a metric was scraped, not what is unhealthy; a Job is named by `job_name`.
 */
const KINDS: readonly (readonly [label: string, resource: Resource])[] = [
  ['cronjob', CronJob],
  ['daemonset', DaemonSet],
  ['deployment', Deployment],
  ['statefulset', StatefulSet],
  ['job_name', Job],
  ['replicaset', ReplicaSet],
  ['pod', Pod],
  ['node', Node],
];

/** The labels that name a target, for messages. */
export const TARGET_LABELS = KINDS.map(([label]) => label);

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_NAME = 253;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * The resources that an alert's labels name, likeliest first. What cannot be a name is skipped. Beside any other resource a node only says where
 * that runs: a pod that is gone is no reason to work on the node.
 */
export function targetsIn(labels: Labels): readonly Candidate[] {
  const named = candidatesIn(labels);
  const inNamespace = named.filter(({ resource }) => resource.namespaced);
  return inNamespace.length > 0 ? inNamespace : named;
}

function candidatesIn(labels: Labels): readonly Candidate[] {
  const namespace = labelOf(labels, 'namespace') ?? 'default';
  return KINDS.flatMap(([label, resource]) => {
    const name = labelOf(labels, label);
    if (name === undefined || name.length > LONGEST_NAME || !NAME.test(name)) return [];
    if (!resource.namespaced) return [{ resource, key: { namespace: '', name } }];
    return NAMESPACE.test(namespace) ? [{ resource, key: { namespace, name } }] : [];
  });
}

/** Where an exporter has a label of the same name, Prometheus renames the label that the metric is about. */
const labelOf = (labels: Labels, name: string): string | undefined => labels[`exported_${name}`] || labels[name] || undefined;
