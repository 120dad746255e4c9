/**
 * The local owner: keeps MachineSets where no Cluster API does, and replaces the Machines that a health check hands to their owner.
 *
 *   HealthCheckSucceeded=False and OwnerRemediated=False ─▶ claim in the budget ─▶ OwnerRemediated: MachineDeleting ─▶ delete ─▶ another Machine
 *                                                               deleted Machine ─▶ cordon, evict ─▶ instance ─▶ Node ─▶ gone
 *
 * Reading order:
 * - `machine-set/` reconciles a MachineSet: `decide-set.ts` dispatches, `create-machines.ts` keeps it at its size, `replace-machines.ts` decides which
 *   Machines are replaced and when.
 * - `machine-lifecycle/` reconciles a Machine: `decide-machine.ts` gives it a Node, `decide-deletion.ts` takes it down in order, `drain.ts` decides when a
 *   Node is empty. `provider.ts` is where instances come from and go to; `node-pool.ts` is the provider for hosts that register by themselves.
 * - `replacement-budget.ts` is the owner's part in the action budget (../budget), `replacement-finished.ts` decides when a Machine's claim on it has ended.
 * - `machine-state.ts` reads what Machines and Nodes say about themselves.
 * It never writes HealthCheckSucceeded, and touches no control plane. Start with machine-set/replace-machines.ts.
 */
import { Cluster, Node, type NodeCondition } from '../../api/builtin/index.ts';
import { MachineSet } from '../../api/machine-set/machine-set.ts';
import { Machine } from '../../api/machine/machine.ts';
import { keyOf, type ObjectKey } from '../../api/meta.ts';
import { sameJson, SECOND } from '../../base/index.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import type { Controller, Related, Watch } from '../../runtime/reconcile/controller.ts';
import type { SettingsSource } from '../settings.ts';
import { decideMachineLifecycle } from './machine-lifecycle/decide-machine.ts';
import { decideSet } from './machine-set/decide-set.ts';
import { BY_NODE_NAME, BY_POOL } from './machine-lifecycle/free-nodes.ts';
import { claimantOf, claimOn, isLeaving, poolOf } from './machine-state.ts';
import { nodePool } from './machine-lifecycle/node-pool.ts';
import { observeMachineLifecycle, type LifecycleSeen } from './machine-lifecycle/observe-machine.ts';
import { BY_OWNER, observeSet, type SetSeen } from './machine-set/observe-set.ts';
import type { Provider } from './machine-lifecycle/provider.ts';

export { createEvictPod, EVICT_POD } from './machine-lifecycle/evict-pod.ts';
export type { Provider } from './machine-lifecycle/provider.ts';

/** Index of Machines without a Node by the pool that they wait for. */
const WAITING = 'waiting';

/** Machines and Nodes without a pool are not indexed, so that they never match each other. */
function inPool(of: Machine | Node): readonly string[] {
  const pool = poolOf(of);
  return pool === undefined ? [] : [pool];
}

/** Shared by both reconcilers, which share the cache. */
const MACHINE_INDEXES = {
  [BY_OWNER]: (machine: Machine): readonly string[] => [controllerOf(machine)?.uid ?? ''],
  [BY_NODE_NAME]: ({ status }: Machine): readonly string[] => (status?.nodeRef?.name ? [status.nodeRef.name] : []),
  [WAITING]: (machine: Machine): readonly string[] => (isLeaving(machine) || machine.status?.nodeRef?.name ? [] : inPool(machine)),
};

/** Both reconcilers. They want a cache of their own: of Nodes they read more than a health check does. */
export function createMachineOwnerControllers(settings: SettingsSource, provider: Provider = nodePool as Provider): readonly Controller[] {
  const clusters: Watch<Cluster> = { resource: Cluster, isOptional: true, keys: () => [] };
  const set: Controller<SetSeen> = {
    name: 'machine-set',
    primary: MachineSet,
    atMostEveryMs: SECOND,
    watches: [machinesFor(setOf), clusters] as readonly Watch[],
    observe: (key, reader, now) => observeSet(key, reader, { settings: settings(), now }),
    decide: decideSet,
  };
  const machine: Controller<LifecycleSeen> = {
    name: 'machine-life',
    primary: Machine,
    watches: [machinesFor(() => []), nodesFor(machinesOfNode), clusters] as readonly Watch[],
    observe: observeMachineLifecycle(settings, provider),
    decide: decideMachineLifecycle,
  };
  return [set, machine] as readonly Controller[];
}

const machinesFor = (keys: Watch<Machine>['keys']): Watch<Machine> => ({ resource: Machine, indexes: MACHINE_INDEXES, keys });

const nodesFor = (keys: Watch<Node>['keys']): Watch<Node> => ({
  resource: Node,
  indexes: { [BY_POOL]: inPool },
  keep: withoutImages,
  keys,
  concerns: (before, after) => !sameJson(stateOf(before), stateOf(after)),
});

function setOf(machine: Machine): readonly ObjectKey[] {
  const owner = controllerOf(machine);
  return owner?.kind === MachineSet.kind ? [{ namespace: keyOf(machine).namespace, name: owner.name }] : [];
}

/** The Machine that claimed the Node, Machines that named it before it registered again, and Machines that wait for a Node of its pool. */
function machinesOfNode(node: Node, related: Related): readonly ObjectKey[] {
  const claimant = claimantOf(claimOn(node) ?? '');
  return [
    ...(claimant ? [claimant] : related(Machine, { index: BY_NODE_NAME, value: node.metadata.name })),
    ...inPool(node).flatMap((pool) => related(Machine, { index: WAITING, value: pool })),
  ];
}

/** Drops the parts of a Node, such as its images, that are never read here. */
const withoutImages = ({ apiVersion, kind, metadata, spec, status }: Node): Node => ({
  apiVersion,
  kind,
  metadata,
  ...(spec && { spec }),
  status: { conditions: status?.conditions ?? [] },
});

/** A Node without its heartbeats. */
const stateOf = ({ metadata: { labels, annotations, deletionTimestamp }, spec, status }: Node): unknown => [
  labels,
  annotations,
  deletionTimestamp,
  spec,
  (status?.conditions ?? []).map(({ type, status: holds }: NodeCondition) => [type, holds]),
];
