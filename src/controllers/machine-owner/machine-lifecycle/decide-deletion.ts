import { isControlPlaneNode, isCordoned, Node, type Pod } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { keyOf } from '../../../api/meta.ts';
import { FINALIZERS, LABELS } from '../../../api/well-known.ts';
import { after, instant, parseTime, SECOND, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { removeFinalizer } from '../../../runtime/reconcile/finalizers.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import { writeLedger } from '../../budget/index.ts';
import {
  withConditions,
  conditionOf,
  withoutCondition,
  type DesiredCondition,
} from '../../machine-health/conditions/cluster-api-conditions.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import { ended } from '../replacement-budget.ts';
import { judgeDrain, type DrainQuestion } from './drain.ts';
import { evictEffect } from './evict-pod.ts';
import { isOfControlPlane, isOfItsPool, poolOf } from '../machine-state.ts';
import type { LifecycleSeen } from './observe-machine.ts';
import { warningEvent } from '../../kubernetes-events.ts';

type Leaving = Extract<LifecycleSeen, { kind: 'leaving' }>;

/** Pods and disruption budgets are not watched, so that they are polled. */
const POD_POLL_MS = 5 * SECOND;

/** Annotations by which other controllers delay the deletion, as with Cluster API. */
const BEFORE_DRAIN = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
const BEFORE_END = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';

/**
 * Takes a deleted Machine down, in this order whatever happens in between: its Node is cordoned and emptied, the provider deletes the
 * instance, the Node goes, and then the Machine.
 */
export function decideMachineDeletion(seen: Leaving, now: Instant): Decision {
  const { node, cluster } = seen;
  // That its Cluster is gone, or going, does not keep it: a Node that carries its claim is a local one.
  if (cluster.kind === 'unknown' && cluster.reason === 'ClusterUnreadable')
    return wait(seen, { reason: 'NodeUnknown', message: cluster.why }, now);
  if (node.kind === 'unreadable') return wait(seen, { reason: 'NodeUnknown', message: `its Node cannot be read: ${node.reason}` }, now);
  const spared = whySpared(seen);
  if (spared !== undefined) return releaseWithNode(seen, spared, now);
  if (node.kind === 'absent') return end(seen, undefined, now);
  return drain(seen, node.value, now) ?? end(seen, node.value, now);
}

/** Why its Node must not be changed; undefined where it may be drained and deleted. */
function whySpared({ object, cluster, node }: Leaving): string | undefined {
  if (isOfControlPlane(object)) return 'the Machine belongs to the control plane';
  if (cluster.kind === 'other') return `it is in the cluster ${cluster.name}`;
  if (node.kind !== 'value') return undefined;
  if (isControlPlaneNode(node.value)) return 'it belongs to the control plane';
  return isOfItsPool(object, node.value) ? undefined : `it has no label ${LABELS.machinePool}=${poolOf(object) ?? ''}`;
}

/** The Machine is released, and its Node stays as it is, cordoned or not. */
function releaseWithNode(seen: Leaving, why: string, now: Instant): Decision {
  const { node } = seen;
  const held = heldAtEnd(seen, now);
  if (held) return held;
  const told: readonly Effect[] = node.kind === 'value' ? [warningEvent('NodeLeft', leftWords(node.value, why))] : [];
  return { effects: [...told, ...releaseEffects(seen, now)] };
}

function leftWords(node: Node, why: string): string {
  const { name } = node.metadata;
  return isCordoned(node)
    ? `Node ${name} stays as it is, cordoned: ${why}. To uncordon it: kubectl uncordon ${name}`
    : `Node ${name} stays as it is: ${why}`;
}

/** What is left to do before the Node is empty; undefined when it is empty or the drain timed out. */
function drain(seen: Leaving, node: Node, now: Instant): Decision | undefined {
  const { object, pods } = seen;
  const held = hooksOf(object, BEFORE_DRAIN);
  if (held.length > 0) return wait(notDraining(seen), { reason: 'WaitingForPreDrainHook', message: `held by ${held.join(', ')}` }, now);
  if (!isCordoned(node)) {
    const closed = wait(seen, { reason: 'DrainingNode', message: 'its Node is cordoned' }, now, [cordoned(node)]);
    return { ...closed, wakeAt: after(now, SECOND) };
  }
  if (pods.kind === 'unreadable') return wait(seen, { reason: 'DrainingNode', message: `its pods cannot be read: ${pods.reason}` }, now);
  const { left, toEvict, deadline } = judgeDrain(questionOf(seen, node, pods.value, now));
  if (left.length === 0 || (deadline !== undefined && now >= deadline)) return undefined;
  const message = `these pods have not left yet: ${names(left)}`;
  const soon = after(now, POD_POLL_MS);
  // Status records the drain before the first eviction: a delayed process must not evict pods based on an old read.
  const asked = drainingSince(object) === undefined ? [] : toEvict.map(evictEffect);
  return {
    ...wait(draining(seen, now), { reason: 'DrainingNode', message }, now, asked),
    wakeAt: deadline === undefined ? soon : instant(Math.min(soon, deadline)),
  };
}

const questionOf = ({ object, settings }: Leaving, node: Node, pods: readonly Pod[], now: Instant): DrainQuestion => ({
  node,
  pods,
  since: drainingSince(object) ?? now,
  timeoutMs: settings.machineOwner.drainTimeoutMs,
  now,
});

const DRAINING: DesiredCondition = { type: 'Draining', holds: true, reason: 'DrainingNode', message: '' };

/**
 * The drain timeout starts when its pods are first evicted, which may be long after the deletion: a hook blocked the drain, or no owner
 * was running. Without a time in the status no eviction was requested yet.
 */
function drainingSince({ status = {} }: Machine): Instant | undefined {
  const stated = conditionOf(status, DRAINING.type);
  return stated?.status === 'True' ? parseTime(stated.lastTransitionTime) : undefined;
}

const draining = (seen: Leaving, now: Instant): Leaving =>
  withStatus(seen, (status) => withConditions(status, [DRAINING], seenOf(seen, now)));

/** While a pre-drain hook exists the drain timeout does not run, also where the drain had started. */
const notDraining = (seen: Leaving): Leaving => withStatus(seen, (status) => withoutCondition(status, DRAINING.type));

type Status = NonNullable<Machine['status']>;

const withStatus = (seen: Leaving, change: (status: Status) => Status): Leaving => ({
  ...seen,
  object: { ...seen.object, status: change(seen.object.status ?? {}) },
});

const seenOf = ({ object }: Leaving, now: Instant) => ({ generation: object.metadata.generation ?? 0, now });

/** The instance, then the Node, then the Machine. */
function end(seen: Leaving, node: Node | undefined, now: Instant): Decision {
  const { object, instance, provider } = seen;
  const held = heldAtEnd(seen, now);
  if (held) return held;
  if (instance.kind === 'unreadable')
    return wait(seen, { reason: 'DeletingInstance', message: `its instance cannot be read: ${instance.reason}` }, now);
  if (instance.kind === 'value')
    return wait(seen, { reason: 'DeletingInstance', message: 'its instance is being deleted' }, now, [
      ...drainTimeoutEvent(seen, now),
      ...provider.destroy(object, instance.value),
    ]);
  if (node) return wait(seen, { reason: 'DeletingNode', message: 'its Node is being deleted' }, now, [remove(Node, node)]);
  return { effects: releaseEffects(seen, now) };
}

function heldAtEnd(seen: Leaving, now: Instant): Decision | undefined {
  const held = hooksOf(seen.object, BEFORE_END);
  if (held.length === 0) return undefined;
  return wait(seen, { reason: 'WaitingForPreTerminateHook', message: `held by ${held.join(', ')}` }, now);
}

const releaseEffects = (seen: Leaving, now: Instant): readonly Effect[] => [...booked(seen, now), released(seen.object)];

const hooksOf = ({ metadata }: Machine, prefix: string): readonly string[] =>
  Object.keys(metadata.annotations ?? {}).filter((name) => name === prefix || name.startsWith(`${prefix}/`));

interface Said {
  readonly reason: string;
  readonly message: string;
}

function wait(seen: Leaving, { reason, message }: Said, now: Instant, effects: readonly Effect[] = []): Decision {
  const status = { ...seen.object.status, phase: 'Deleting' as const };
  return {
    status: withConditions(status, [{ type: 'Deleting', holds: true, reason, message }], seenOf(seen, now)),
    effects,
    wakeAt: after(now, RECHECK_INTERVAL_MS),
  };
}

const cordoned = ({ metadata, spec, ...node }: Node): Effect => ({
  kind: 'Patch',
  resource: Node,
  key: keyOf({ ...node, metadata }),
  uid: metadata.uid,
  operations: spec
    ? [{ op: 'add', path: '/spec/unschedulable', value: true }]
    : [{ op: 'add', path: '/spec', value: { unschedulable: true } }],
});

const MOST_NAMES = 5;

function names(pods: readonly Pod[]): string {
  const shown = pods.slice(0, MOST_NAMES).map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);
  return pods.length > MOST_NAMES ? `${shown.join(', ')} and ${pods.length - MOST_NAMES} more` : shown.join(', ');
}

/** Reports the pods that were not gone in time. */
function drainTimeoutEvent(seen: Leaving, now: Instant): readonly Effect[] {
  const { node, pods } = seen;
  if (node.kind !== 'value' || pods.kind === 'unreadable') return [];
  const { left } = judgeDrain(questionOf(seen, node.value, pods.value, now));
  if (left.length === 0) return [];
  const message = `Node ${node.value.metadata.name} is deleted although these pods did not leave in time: ${names(left)}`;
  return [warningEvent('DrainTimedOut', message)];
}

/** Frees the slot of a finished replacement, if the ledger can be written: else the next check finds the Machine gone (replacement-finished.ts). */
function booked({ ledger, object }: Leaving, now: Instant): readonly Effect[] {
  const { uid } = object.metadata;
  if (ledger.kind !== 'claims' || !ledger.claims.some((claim) => claim.uid === uid && claim.endedAt === undefined)) return [];
  return [writeLedger(ledger.object, ended(ledger.claims, new Set([uid]), now))];
}

const released = (machine: Machine): Effect => removeFinalizer(Machine, machine, FINALIZERS.machineLifecycle);
