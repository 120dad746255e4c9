import type { Pod } from '../../../api/builtin/index.ts';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Listed, NotRead } from '../../../kube/client/read.ts';
import type { FiringAlert } from '../../../monitoring/index.ts';
import type { Target } from '../../target/index.ts';

/** The labels by which alerts name cluster-scoped objects. */
const CLUSTER_LABELS: Readonly<Record<string, string>> = { Node: 'node', PersistentVolume: 'persistentvolume' };

/** The labels by which alerts name a workload. */
const WORKLOAD_LABELS: Readonly<Record<string, string>> = {
  Deployment: 'deployment',
  StatefulSet: 'statefulset',
  DaemonSet: 'daemonset',
};

/** The labels to query the alert of the signal by; undefined if the signal has no name. */
export function alertLabels({ signalName, signalTarget }: EffectivenessAssessment['spec']): Readonly<Record<string, string>> | undefined {
  if (!signalName) return undefined;
  const { kind, name, namespace } = signalTarget;
  const label = CLUSTER_LABELS[kind];
  if (label !== undefined) return { alertname: signalName, [label]: name };
  return { alertname: signalName, ...(namespace && { namespace }) };
}

/** What is known of the target when its alerts are checked. */
export interface AlertTarget {
  readonly target: Target;
  /** Undefined where the target has no pods of its own. */
  readonly pods: Listed<Pod> | NotRead | undefined;
}

/**
 * The alerts that are about the target as it is now. An alert about a pod that is not among its pods is about an earlier pod or another
 * workload. Silenced and inhibited alerts count. Unreadable if the pods have to be known and are not.
 */
export function alertsOfTarget(alerts: readonly FiringAlert[], { target, pods }: AlertTarget): Listed<FiringAlert> {
  const label = WORKLOAD_LABELS[target.kind];
  const ours = alerts.filter(({ labels }) => label === undefined || labels[label] === undefined || labels[label] === target.name);
  if (!pods || ours.every(({ labels }) => labels['pod'] === undefined)) return { kind: 'value', value: ours };
  if (pods.kind === 'not-read') return { kind: 'unreadable', reason: 'its pods were not read' };
  if (pods.kind === 'unreadable') return { kind: 'unreadable', reason: `its pods cannot be read: ${pods.reason}` };
  const names = new Set(pods.value.map(({ metadata }) => metadata.name));
  return { kind: 'value', value: ours.filter(({ labels }) => labels['pod'] === undefined || names.has(labels['pod'])) };
}

/** 1 when no alert fires, 0 when one does. */
export const scoreAlert = (firing: readonly FiringAlert[]): 0 | 1 => (firing.length === 0 ? 1 : 0);
