import { isControlPlaneNode, type Node } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { FINALIZERS, LABELS } from '../../../api/well-known.ts';
import { after, assertNever, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { addFinalizer } from '../../../runtime/reconcile/finalizers.ts';
import { withConditions, type DesiredCondition } from '../../machine-health/conditions/cluster-api-conditions.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import { decideMachineDeletion } from './decide-deletion.ts';
import { claimOn, claimText, isKept, isOfItsPool, poolOf } from '../machine-state.ts';
import { claim } from './node-pool.ts';
import type { LifecycleSeen } from './observe-machine.ts';

/** The lifecycle of a Machine: it gets a Node, and on deletion the Node is drained before anything is removed. */
export function decideMachineLifecycle(seen: LifecycleSeen, now: Instant): Decision {
  switch (seen.kind) {
    case 'none of ours':
      return { effects: [] };
    case 'unsure':
      return { effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
    case 'staying':
      return decideStaying(seen, now);
    case 'leaving':
      return decideMachineDeletion(seen, now);
    default:
      return assertNever(seen);
  }
}

type Staying = Extract<LifecycleSeen, { kind: 'staying' }>;

function decideStaying(seen: Staying, now: Instant): Decision {
  const { object, node, free, provider } = seen;
  // Before it has a Node.
  if (!isKept(object)) return { effects: [keep(object)] };
  if (node?.kind === 'value') return settled(object, node.value, now);
  // Its Node is gone or cannot be read, which its health check evaluates. The Node may register again.
  if (node !== undefined) return { effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
  const why = free.kind === 'unreadable' ? `Nodes cannot be read: ${free.reason}` : noneFree(object);
  const given = free.kind === 'value' ? provider.acquire(object, free.value) : [];
  return {
    status: saying(
      object,
      given.length > 0 ? object.status : { ...object.status, phase: 'Pending' },
      given.length > 0 ? [] : [none(why)],
      now,
    ),
    effects: given,
    wakeAt: after(now, RECHECK_INTERVAL_MS),
  };
}

/** It has a Node, which status records. A Node of the pool that registered again under the same name is claimed again, unless another Machine has it. */
function settled(machine: Machine, node: Node, now: Instant): Decision {
  const claimed = claimOn(node);
  if (claimed !== undefined && claimed !== claimText(machine)) return taken(machine, node, now);
  if (claimed === undefined && isControlPlaneNode(node)) return { effects: [] };
  if (!isOfItsPool(machine, node))
    return { status: saying(machine, machine.status, [outside(machine, node)], now), effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
  if (claimed === undefined) return { effects: [claim(machine, node)], wakeAt: after(now, RECHECK_INTERVAL_MS) };
  const { name, uid } = node.metadata;
  const nodeRef = { apiVersion: 'v1', kind: 'Node', name, uid };
  return { status: saying(machine, { ...machine.status, nodeRef, phase: 'Running' }, [PROVIDED], now), effects: [] };
}

/**
 * Another Machine has the Node. Where it only has the name of the one that this Machine had, that one is gone, and this Machine goes without,
 * or its check would take it for well by a Node that is not its own.
 */
function taken(machine: Machine, node: Node, now: Instant): Decision {
  const { nodeRef, ...status } = machine.status ?? {};
  if (nodeRef?.uid === undefined || nodeRef.uid === node.metadata.uid) return { effects: [] };
  const why = lacking('NodeTaken', `Node ${node.metadata.name} registered again, and another Machine has claimed it`);
  return { status: saying(machine, { ...status, phase: 'Pending' }, [why], now), effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
}

const PROVIDED: DesiredCondition = {
  type: 'InfrastructureReady',
  holds: true,
  reason: 'Provisioned',
  message: '',
  old: { message: '' },
};
const noneFree = (machine: Machine): string =>
  `no Node with the labels ${LABELS.machinePool}=${poolOf(machine) ?? ''} and ${LABELS.machinePoolNamespace}=${machine.metadata.namespace ?? ''} is free`;
const none = (message: string): DesiredCondition => lacking('NoFreeNode', message);
const outside = (machine: Machine, { metadata: { name } }: Node): DesiredCondition =>
  lacking('NodeOutsidePool', `Node ${name} has no label ${LABELS.machinePool}=${poolOf(machine) ?? ''}: it is left unchanged`);
const lacking = (reason: string, message: string): DesiredCondition => ({
  type: 'InfrastructureReady',
  holds: false,
  reason,
  message,
  old: { reason, message },
});

const saying = (
  { metadata }: Machine,
  status: Machine['status'],
  statements: readonly DesiredCondition[],
  now: Instant,
): NonNullable<Machine['status']> => withConditions(status ?? {}, statements, { generation: metadata.generation ?? 0, now });

const keep = (machine: Machine): Effect => addFinalizer(Machine, machine, FINALIZERS.machineLifecycle);
