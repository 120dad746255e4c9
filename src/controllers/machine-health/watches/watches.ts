import { Cluster, Node } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { keyText, type KubeObject, type ObjectKey } from '../../../api/meta.ts';
import { sameJson } from '../../../base/index.ts';
import type { Related, RelatedObjects, Watch } from '../../../runtime/reconcile/controller.ts';
import { clusterNameOf } from '../targets/cluster-of-machine.ts';
import { checkedConditionsChanged, type IsCheckedType } from '../targets/node-state.ts';

export const BY_NODE_NAME = 'node';
export const BY_CLUSTER = 'cluster';
/** A Node of one cluster: two clusters may have Nodes of the same name. */
export const BY_CLUSTER_NODE = 'place';
export const BY_NAMESPACE = 'namespace';

export type MapToKeys<T extends KubeObject> = (object: T, related: Related, listed: RelatedObjects) => readonly ObjectKey[];

/** Which objects an event of each kind enqueues. */
export interface WatchMapping {
  /** Which conditions of a Node are checked. */
  readonly isCheckedType: IsCheckedType;
  readonly machines: MapToKeys<Machine>;
  readonly checks: MapToKeys<MachineHealthCheck>;
  readonly nodes: MapToKeys<Node>;
  readonly clusters: MapToKeys<Cluster>;
}

const inNamespace = ({ metadata }: KubeObject): readonly string[] => [metadata.namespace ?? ''];
const clusterOfMachine = (machine: Machine): ObjectKey => ({ namespace: machine.metadata.namespace ?? '', name: clusterNameOf(machine) });

/** The index value of BY_CLUSTER_NODE. */
export const clusterNodeKey = (cluster: ObjectKey, node: string): string => `${keyText(cluster)}/${node}`;

/** Shared by both reconcilers, which share the cache. */
const MACHINE_INDEXES = {
  [BY_NODE_NAME]: ({ status }: Machine): readonly string[] => (status?.nodeRef?.name ? [status.nodeRef.name] : []),
  [BY_CLUSTER]: (machine: Machine): readonly string[] => [keyText(clusterOfMachine(machine))],
  [BY_CLUSTER_NODE]: (machine: Machine): readonly string[] => {
    const node = machine.status?.nodeRef?.name ?? '';
    return node === '' ? [] : [clusterNodeKey(clusterOfMachine(machine), node)];
  },
  [BY_NAMESPACE]: inNamespace,
};
const NAMESPACE_INDEX = { [BY_NAMESPACE]: inNamespace };

/**
 * The kinds that both reconcilers watch. A Node event without a change of checked conditions enqueues nothing, a check's own status does not
 * enqueue other checks, and a change that affects only counts may be delayed.
 */
export function watchesOf({ isCheckedType, machines, checks, nodes, clusters }: WatchMapping): readonly Watch[] {
  const machineWatch: Watch<Machine> = {
    resource: Machine,
    indexes: MACHINE_INDEXES,
    keys: machines,
  };
  const checkWatch: Watch<MachineHealthCheck> = {
    resource: MachineHealthCheck,
    indexes: NAMESPACE_INDEX,
    keys: checks,
    concerns: affectsOtherChecks,
    canWait: (before, now) => !affectsOtherChecks(before, now) && sameJson(recordOf(before), recordOf(now)),
  };
  const nodeWatch: Watch<Node> = {
    resource: Node,
    keys: nodes,
    keep: trimNode,
    concerns: (before, now) => checkedConditionsChanged(before, now, isCheckedType),
    canWait: () => true,
  };
  const clusterWatch: Watch<Cluster> = { resource: Cluster, isOptional: true, indexes: NAMESPACE_INDEX, keys: clusters };
  return [machineWatch, checkWatch, nodeWatch, clusterWatch] as readonly Watch[];
}

const affectsOtherChecks = (before: MachineHealthCheck, now: MachineHealthCheck): boolean =>
  before.metadata.generation !== now.metadata.generation || !sameJson(gateOf(before), gateOf(now)) || isMetadataChanged(before, now);

/** The status fields that the check itself reads in its next pass. */
const recordOf = ({ status }: MachineHealthCheck): unknown => [status?.remediations, status?.storm, status?.attempts];

/** The status fields that other checks of the same Machines read. */
const gateOf = ({ metadata, status }: MachineHealthCheck): unknown => [
  status?.observedGeneration === metadata.generation,
  ...['RemediationAllowed', 'Paused'].map((word) => status?.conditions?.find(({ type }) => type === word)?.status),
];

/** Whether its pause, deletion or managing controller may have changed. */
const isMetadataChanged = (before: MachineHealthCheck, now: MachineHealthCheck): boolean =>
  !sameJson(before.metadata.annotations, now.metadata.annotations) ||
  !sameJson(before.metadata.labels, now.metadata.labels) ||
  before.metadata.deletionTimestamp !== now.metadata.deletionTimestamp;

/** Drops image lists and other fields that no check reads. */
export const trimNode = ({ apiVersion, kind, metadata, status }: Node): Node => {
  const { name, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, uid, resourceVersion, creationTimestamp },
    status: { conditions: status?.conditions ?? [] },
  };
};
