import type { Cluster, Node, Pod } from '../../api/builtin/index.ts';
import type { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import type { MachineSet } from '../../api/machine-set/machine-set.ts';
import type { Machine } from '../../api/machine/machine.ts';
import type { KubeObject } from '../../api/meta.ts';
import { parseTime } from '../../base/index.ts';
import { readyOf } from '../machines/fleet.ts';
import { covers, isPaused as isCheckPaused } from '../machines/oracle.ts';
import { stated } from '../machines/remediators.ts';

/**
 * The story's own idea of what an owner may do, written from the requirements and the decision records and from nothing of the product's.
 * Names of labels and annotations are spelled out: they are what people write.
 */
const POOL = 'machines.sickbay.dev/pool';
const POOL_NAMESPACE = 'machines.sickbay.dev/pool-namespace';
const CLAIM = 'machines.sickbay.dev/claimed-by';
const PAUSED = 'cluster.x-k8s.io/paused';
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

const has = ({ metadata }: KubeObject, annotation: string): boolean => metadata.annotations?.[annotation] !== undefined;

export const isLeaving = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

/** Its check reports that it fails, and requested remediation from its owner. */
export const isAsked = (machine: Machine): boolean =>
  stated(machine, 'HealthCheckSucceeded')?.status === 'False' && stated(machine, 'OwnerRemediated')?.status === 'False';

/** Its owner has said that it will go. */
export const isGivenUp = (machine: Machine): boolean => stated(machine, 'OwnerRemediated')?.reason === 'MachineDeleting';

/** An operator paused it. */
export const isPaused = (machine: Machine): boolean => has(machine, PAUSED);

/** It may not be replaced. One that is only excluded from remediation still gets a Node, and is drained when another client deletes it. */
export const isLeftAlone = (machine: Machine): boolean => isPaused(machine) || has(machine, 'cluster.x-k8s.io/skip-remediation');

export const isOf = ({ metadata: { uid } }: MachineSet, { metadata }: Machine): boolean =>
  metadata.ownerReferences?.some((reference) => reference.uid === uid && reference.controller === true) === true;

/** Machines of a set that are not being deleted. */
export const stayingOf = (set: MachineSet, machines: readonly Machine[]): readonly Machine[] =>
  machines.filter((machine) => isOf(set, machine) && !isLeaving(machine));

/** Whether the set, or the cluster of its Machines, is paused. */
export const isSetPaused = (set: MachineSet, clusters: readonly Cluster[]): boolean =>
  has(set, PAUSED) || clusters.some(({ metadata, spec }) => metadata.name === set.spec.clusterName && spec?.paused === true);

/** Whether a check still reports the health of the Machine. */
export const isRenewed = (machine: Machine, checks: readonly MachineHealthCheck[]): boolean => {
  const about = checks.filter((check) => covers(check, machine));
  return about.length === 0 || about.some((check) => !isCheckPaused(check));
};

/** How many may be replaced at the same time: a share is rounded up. */
export function mostInFlight({ spec: { remediation, replicas = 1 } }: MachineSet): number {
  const most = remediation?.maxInFlight ?? Number.POSITIVE_INFINITY;
  return typeof most === 'number' ? most : Math.ceil((Number.parseInt(most, 10) * replicas) / 100);
}

/** The Machine that the Node names as its owner, by UID. */
export const claimantOf = ({ metadata }: Node): string | undefined => metadata.annotations?.[CLAIM]?.split('/')[2];

/** A Node that may be touched: in the pool of these Machines, and not of the control plane. */
export const isOfPool = ({ metadata }: Node): boolean =>
  !!metadata.labels?.[POOL] && metadata.labels[POOL_NAMESPACE] === 'metal' && metadata.labels[CONTROL_PLANE] === undefined;

export const isClosed = ({ spec }: Node): boolean => spec?.unschedulable === true;

/** May be given to a Machine that has none. */
export const isFit = (node: Node): boolean => !isClosed(node) && !isLeaving(node) && readyOf(node) === 'True';

/** Pods that keep a Node from being empty, at that time. On an unreachable Node those past their grace period are not waited for. */
export const inTheWay = (node: Node, pods: readonly Pod[], now: number): readonly Pod[] =>
  pods.filter(
    (pod) =>
      pod.spec?.nodeName === node.metadata.name &&
      mustLeave(pod) &&
      !(readyOf(node) === 'Unknown' && isLeaving(pod) && (parseTime(pod.metadata.deletionTimestamp) ?? now) <= now),
  );

export const mustLeave = ({ metadata, status }: Pod): boolean =>
  !metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') && !['Succeeded', 'Failed'].includes(status?.phase ?? '');
