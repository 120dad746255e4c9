import { isControlPlaneNode, type Node } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { FINALIZERS, LABELS } from '../../../api/well-known.ts';
import { after, assertNever, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { addFinalizer } from '../../../runtime/reconcile/finalizers.ts';
import { withConditions, type DesiredCondition } from '../../machine-health/conditions/cluster-api-conditions.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import { decideLeaving } from './decide-deletion.ts';
import { claimOn, claimText, isKept, isOfItsPool, poolOf } from '../machine-state.ts';
import { claim } from './node-pool.ts';
import type { LifeSeen } from './observe-machine.ts';

/** The life of a Machine: it gets a Node, and when it is deleted the Node is drained before anything is taken away. */
export function decideMachine(seen: LifeSeen, now: Instant): Decision {
  switch (seen.kind) {
    case 'none of ours':
      return { effects: [] };
    case 'unsure':
      return { effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
    case 'staying':
      return decideStaying(seen, now);
    case 'leaving':
      return decideLeaving(seen, now);
    default:
      return assertNever(seen);
  }
}

type Staying = Extract<LifeSeen, { kind: 'staying' }>;

function decideStaying(seen: Staying, now: Instant): Decision {
  const { object, node, free, provider } = seen;
  // Before it has anything to lose.
  if (!isKept(object)) return { effects: [keep(object)] };
  if (node?.kind === 'value') return settled(object, node.value, now);
  // What it named is gone or cannot be read: that is for its health check to judge. It may register anew.
  if (node !== undefined) return { effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
  const why = free.kind === 'unreadable' ? `Nodes cannot be read: ${free.reason}` : `no Node of the pool ${poolOf(object) ?? ''} is free`;
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

/** It has a Node: says which. One of the pool that registered anew under the name is taken again, if nobody else has it. */
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
  const why = lacking('NodeTaken', `Node ${node.metadata.name} registered anew, and another Machine has it`);
  return { status: saying(machine, { ...status, phase: 'Pending' }, [why], now), effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
}

const PROVIDED: DesiredCondition = {
  type: 'InfrastructureReady',
  holds: true,
  reason: 'Provisioned',
  message: '',
  old: { message: '' },
};
const none = (message: string): DesiredCondition => lacking('NoFreeNode', message);
const outside = (machine: Machine, { metadata: { name } }: Node): DesiredCondition =>
  lacking('NodeOutsidePool', `Node ${name} has no label ${LABELS.machinePool}=${poolOf(machine) ?? ''}: nothing is done to it from here`);
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
