import { Lease } from '../../../api/builtin/index.ts';
import { keyOf, keyText } from '../../../api/meta.ts';
import { after, assertNever, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import { requestOwner } from '../admission/admit.ts';
import { ownPods, ownRun, ours, whyRunMayBeActive } from '../run/owned-objects.ts';
import { engineOf } from '../engines/index.ts';
import { removeExecutionFinalizer } from './execution-finalizer.ts';
import { storeBlockOn, storedBlock, storedBlockDraft, afterDeletion, clearFailureCount, type TargetBlock } from '../history/index.ts';
import { lockHolder } from '../lock/lock-holder.ts';
import { runName } from '../names.ts';
import type { DeletedExecution } from '../observed-execution.ts';
import { RECHECK_INTERVAL_MS, statusOf, waiting } from '../status/execution-status.ts';
import { normalEvent } from '../../kubernetes-events.ts';

/** One step towards letting the execution go. */
type Step =
  /** Done next; the pass after that sees it. */
  | { readonly kind: 'Do'; readonly effects: readonly Effect[] }
  /** It cannot go yet. People see why. */
  | { readonly kind: 'Wait'; readonly reason: string }
  /** Nothing is left; `message` says what became of the target. */
  | { readonly kind: 'Go'; readonly message: string };

/**
 * A finished execution is being deleted. It goes when nothing of it is left: first the run, which has really stopped when no pod of it is at
 * work; then what its failure means to the target is stored on the target's lock or cleared from it; then the lock.
 */
export function decideDeleted(seen: DeletedExecution, now: Instant): Decision {
  const { object } = seen;
  const step = clearRun(seen) ?? settleTarget(seen, now);
  const wakeAt = after(now, RECHECK_INTERVAL_MS);
  switch (step.kind) {
    case 'Do':
      return { status: object.status, effects: step.effects, wakeAt };
    case 'Wait':
      return { status: statusOf(object, now, { conditions: [cleanupBlocked(step.reason)] }), effects: [], wakeAt };
    case 'Go':
      return { status: object.status, effects: [deleted(step.message), removeExecutionFinalizer(object)], wakeAt };
    default:
      return assertNever(step);
  }
}

/** Why a deleted execution is still there. */
export const cleanupBlocked = (reason: string) =>
  waiting('CleanupBlocked', `it is being deleted, and is removed once its run and its lock are deleted: ${reason}`);

const deleted = (message: string): Effect => normalEvent('WorkflowExecutionDeleted', message);

const wait = (reason: string): Step => ({ kind: 'Wait', reason });

/** Undefined when the run has really stopped, and all that was made for it is gone. */
function clearRun(seen: DeletedExecution): Step | undefined {
  if (seen.run.kind === 'unreadable') return wait(`its run cannot be read: ${seen.run.reason}`);
  const run = ownRun(seen);
  if (run?.metadata.deletionTimestamp !== undefined) return wait(`${run.kind} ${keyText(keyOf(run))} is being deleted`);
  if (run) return { kind: 'Do', effects: [remove(engineOf(run).resource, run)] };
  const obstacle = whyRunMayBeActive(ownPods(seen));
  if (obstacle !== undefined) return wait(obstacle);
  const credentials = seen.object.status?.ephemeralCredentialIDs ?? [];
  return credentials.length > 0 ? wait(`${credentials.length} credentials in AWX must be deleted first`) : undefined;
}

function settleTarget(seen: DeletedExecution, now: Instant): Step {
  const { object, history, lock, settings, request } = seen;
  if (lock.kind === 'unreadable') return wait(`its lock cannot be read: ${lock.reason}`);
  if (history.kind === 'unreadable') return wait(`the other executions on its target cannot be read: ${history.reason}`);
  if (request.kind === 'unreadable') return wait(`its RemediationRequest cannot be read: ${request.reason}`);
  const legacy = afterDeletion(object, { history: history.value, isCascade: isCascade(seen), settings });
  switch (legacy.kind) {
    case 'block':
      return keepBlock(seen, legacy.block, now);
    case 'reset':
      return { kind: 'Do', effects: legacy.row.map(clearFailureCount) };
    case 'nothing':
      return free(seen);
    default:
      return assertNever(legacy);
  }
}

/** Whether it goes only because its request or its namespace does. Where that is unknown, the deletion is not taken for a person's decision. */
function isCascade({ object, request, namespace }: DeletedExecution): boolean {
  const isPodActive = request.kind === 'value' && request.value.metadata.uid === requestOwner(object)?.uid;
  if (!isPodActive || request.value.metadata.deletionTimestamp !== undefined) return true;
  return namespace.kind !== 'value' || namespace.value.metadata.deletionTimestamp !== undefined;
}

function free(seen: DeletedExecution): Step {
  const { targetResource } = seen.object.spec;
  const lock = ours(seen, seen.lock);
  if (!lock || storedBlock(lock)) return { kind: 'Go', message: `its run and its lock are deleted on ${targetResource}` };
  const released: Effect = normalEvent('LockReleased', `${targetResource} is unlocked: other executions may run on it`);
  return { kind: 'Do', effects: [remove(Lease, lock), released] };
}

/** The record is seen on the target's lock before the execution goes. */
function keepBlock(seen: DeletedExecution, block: TargetBlock, now: Instant): Step {
  const { object, lock, settings } = seen;
  const namespace = settings.executionNamespace;
  if (lock.kind !== 'value')
    return { kind: 'Do', effects: [{ kind: 'Create', resource: Lease, object: storedBlockDraft(object, block, { namespace, now }) }] };
  const kept = storedBlock(lock.value);
  if (kept && !kept.clearance) return { kind: 'Go', message: staysBlocked(seen, kept) };
  if (lock.value.metadata.deletionTimestamp !== undefined) return wait(`Lease ${keyText(keyOf(lock.value))} is being deleted`);
  if (ours(seen, lock)) return { kind: 'Do', effects: [storeBlockOn(lock.value, block)] };
  return takeOver(seen, lock.value, block);
}

/** The holder of the lock is gone, or the lock keeps a block that a person has cleared: it has no owner. */
function takeOver(seen: DeletedExecution, lock: Lease, block: TargetBlock): Step {
  const holder = lockHolder(seen.holder);
  if (storedBlock(lock) || holder.kind === 'gone') return { kind: 'Do', effects: [remove(Lease, lock)] };
  const who = holder.kind === 'unknown' ? holder.reason : `${holder.name} holds it`;
  return wait(`the block ${block.reason} must be stored on Lease ${keyText(keyOf(lock))}, but ${who}`);
}

const staysBlocked = ({ object, settings }: DeletedExecution, { name }: TargetBlock): string =>
  `${object.spec.targetResource} stays blocked: Lease ${settings.executionNamespace}/${runName(object.spec)} stores the block. ` +
  `Check the target, then clear the block: sickbay clear-block ${name} --reason "…"`;
