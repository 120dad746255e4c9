import { Cluster, Node } from '../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import { sameJson } from '../../base/index.ts';
import type { Related, Watch } from '../../runtime/controller.ts';
import { clusterNameOf } from './cluster-seen.ts';
import { stateOf } from './node-state.ts';

const BY_NODE = 'node';
const BY_CLUSTER = 'cluster';
const BY_NAMESPACE = 'namespace';

type Keys<T extends KubeObject> = (object: T, related: Related) => readonly ObjectKey[];

/** Whom a change of each kind wakes. */
export interface Mapping {
  readonly machines: Keys<Machine>;
  readonly checks: Keys<MachineHealthCheck>;
  readonly nodes: Keys<Node>;
  readonly clusters: Keys<Cluster>;
}

const inNamespace = ({ metadata }: KubeObject): readonly string[] => [metadata.namespace ?? ''];
const clusterKey = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`;

/** Shared by both reconcilers, which share the cache. */
const MACHINE_INDEXES = {
  [BY_NODE]: ({ status }: Machine): readonly string[] => (status?.nodeRef?.name ? [status.nodeRef.name] : []),
  [BY_CLUSTER]: (machine: Machine): readonly string[] => [clusterKey(machine.metadata.namespace, clusterNameOf(machine))],
  [BY_NAMESPACE]: inNamespace,
};
const CHECK_INDEXES = { [BY_NAMESPACE]: inNamespace };

/** The kinds that both reconcilers read. A heartbeat of a Node wakes nobody, nor does what a check writes about itself. */
export function watchesOf({ machines, checks, nodes, clusters }: Mapping): readonly Watch[] {
  const machineWatch: Watch<Machine> = {
    resource: Machine,
    indexes: MACHINE_INDEXES,
    keys: machines,
  };
  const checkWatch: Watch<MachineHealthCheck> = {
    resource: MachineHealthCheck,
    indexes: CHECK_INDEXES,
    keys: checks,
    concerns: (before, now) =>
      before.metadata.generation !== now.metadata.generation || !sameJson(gateOf(before), gateOf(now)) || isMeantElsewise(before, now),
  };
  const nodeWatch: Watch<Node> = {
    resource: Node,
    keys: nodes,
    keep: onlyState,
    concerns: (before, now) => !sameJson(stateOf(before), stateOf(now)),
  };
  const clusterWatch: Watch<Cluster> = { resource: Cluster, isOptional: true, keys: clusters };
  return [machineWatch, checkWatch, nodeWatch, clusterWatch] as readonly Watch[];
}

/** What other checks of the same Machines go by. */
const gateOf = ({ status }: MachineHealthCheck): unknown => status?.conditions?.find(({ type }) => type === 'RemediationAllowed')?.status;

/** Whether it is paused, and for whom it is meant. */
const isMeantElsewise = (before: MachineHealthCheck, now: MachineHealthCheck): boolean =>
  !sameJson(before.metadata.annotations, now.metadata.annotations) ||
  !sameJson(before.metadata.labels, now.metadata.labels) ||
  before.metadata.deletionTimestamp !== now.metadata.deletionTimestamp;

/** Nodes carry lists of images and much else that no check reads. */
const onlyState = ({ apiVersion, kind, metadata, status }: Node): Node => {
  const { name, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, uid, resourceVersion, creationTimestamp },
    status: { conditions: status?.conditions ?? [] },
  };
};

/** A new selector may be about any Machine of its namespace. */
export const machinesOfNamespace: Keys<KubeObject> = (object, related) =>
  related(Machine, { index: BY_NAMESPACE, value: inNamespace(object)[0]! });
export const machinesOfNode: Keys<Node> = ({ metadata }, related) => related(Machine, { index: BY_NODE, value: metadata.name });
export const machinesOfCluster: Keys<Cluster> = ({ metadata }, related) =>
  related(Machine, { index: BY_CLUSTER, value: clusterKey(metadata.namespace, metadata.name) });

export const checksOfNamespace: Keys<KubeObject> = (object, related) =>
  related(MachineHealthCheck, { index: BY_NAMESPACE, value: inNamespace(object)[0]! });

/** Through the Machines on it: an event of a Node on which there is none wakes nobody. */
export const checksOfNode: Keys<Node> = (node, related) => {
  const namespaces = new Set(machinesOfNode(node, related).map(({ namespace }) => namespace));
  return [...namespaces].flatMap((namespace) => related(MachineHealthCheck, { index: BY_NAMESPACE, value: namespace }));
};
