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
const CLAIM = 'machines.sickbay.dev/claimed-by';
const PAUSED = 'cluster.x-k8s.io/paused';
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

const has = ({ metadata }: KubeObject, annotation: string): boolean => metadata.annotations?.[annotation] !== undefined;

export const isLeaving = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

/** Its check says that it fails, and its owner was asked to do something about it. */
export const isAsked = (machine: Machine): boolean =>
  stated(machine, 'HealthCheckSucceeded')?.status === 'False' && stated(machine, 'OwnerRemediated')?.status === 'False';

/** Its owner has said that it will go. */
export const isGivenUp = (machine: Machine): boolean => stated(machine, 'OwnerRemediated')?.reason === 'MachineDeleting';

/** Somebody wants nothing done to it. */
export const isPaused = (machine: Machine): boolean => has(machine, PAUSED);

/** Nobody may replace it. One that was only taken out of remediation still gets a Node, and goes when somebody else deletes it. */
export const isLeftAlone = (machine: Machine): boolean => isPaused(machine) || has(machine, 'cluster.x-k8s.io/skip-remediation');

export const isOf = ({ metadata: { uid } }: MachineSet, { metadata }: Machine): boolean =>
  metadata.ownerReferences?.some((reference) => reference.uid === uid && reference.controller === true) === true;

/** Machines of a set that nobody has deleted. */
export const stayingOf = (set: MachineSet, machines: readonly Machine[]): readonly Machine[] =>
  machines.filter((machine) => isOf(set, machine) && !isLeaving(machine));

/** Whether anybody paused the set, or the cluster of its Machines. */
export const isSetPaused = (set: MachineSet, clusters: readonly Cluster[]): boolean =>
  has(set, PAUSED) || clusters.some(({ metadata, spec }) => metadata.name === set.spec.clusterName && spec?.paused === true);

/** Whether somebody still says how the Machine is. */
export const isRenewed = (machine: Machine, checks: readonly MachineHealthCheck[]): boolean => {
  const about = checks.filter((check) => covers(check, machine));
  return about.length === 0 || about.some((check) => !isCheckPaused(check));
};

/** How many may be replaced at the same time: a share is rounded up. */
export function mostInFlight({ spec: { remediation, replicas = 1 } }: MachineSet): number {
  const most = remediation?.maxInFlight ?? Number.POSITIVE_INFINITY;
  return typeof most === 'number' ? most : Math.ceil((Number.parseInt(most, 10) * replicas) / 100);
}

/** Whose the Node says that it is, by UID. */
export const claimantOf = ({ metadata }: Node): string | undefined => metadata.annotations?.[CLAIM]?.split('/')[2];

/** A Node that may be touched: in the pool, and not of the control plane. */
export const isOfPool = ({ metadata }: Node): boolean => !!metadata.labels?.[POOL] && metadata.labels[CONTROL_PLANE] === undefined;

export const isClosed = ({ spec }: Node): boolean => spec?.unschedulable === true;

/** May be given to a Machine that has none. */
export const isFit = (node: Node): boolean => !isClosed(node) && !isLeaving(node) && readyOf(node) === 'True';

/** Pods that keep a Node from being empty, at that time. On a Node out of reach nobody waits for those whose time to end is over. */
export const inTheWay = (node: Node, pods: readonly Pod[], now: number): readonly Pod[] =>
  pods.filter(
    (pod) =>
      pod.spec?.nodeName === node.metadata.name &&
      mustLeave(pod) &&
      !(readyOf(node) === 'Unknown' && isLeaving(pod) && (parseTime(pod.metadata.deletionTimestamp) ?? now) <= now),
  );

export const mustLeave = ({ metadata, status }: Pod): boolean =>
  !metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') && !['Succeeded', 'Failed'].includes(status?.phase ?? '');
