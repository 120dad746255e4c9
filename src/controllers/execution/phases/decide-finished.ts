import { Lease } from '../../../api/builtin/index.ts';
import { keyOf, keyText, type KubeObject } from '../../../api/meta.ts';
import { after, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import { ownPods, ownRun, ours, whyRunMayBeActive } from '../run/owned-objects.ts';
import { isClearingLate, keptUntil } from '../lock/cooldown.ts';
import { cleanUpAwx } from '../engines/awx/index.ts';
import { engineOf } from '../engines/index.ts';
import { removeExecutionFinalizer, hasExecutionFinalizer } from './execution-finalizer.ts';
import { countsAgainstTarget } from '../history/index.ts';
import type { FinishedExecution } from '../observed-execution.ts';
import { RECHECK_INTERVAL_MS } from '../status/execution-status.ts';
import { normalEvent, warningEvent } from '../../kubernetes-events.ts';

/** Clears up after an execution: a run that has not ended at once, everything else after the cooldown; the lock goes last. */
export function decideFinished(seen: FinishedExecution, now: Instant): Decision {
  const { object, settings } = seen;
  const inAwx = cleanUpAwx(seen, now);
  if (inAwx) return inAwx;
  const [run, lock] = [ownRun(seen), ours(seen, seen.lock)];
  if (!run && !lock) return rest(seen, now);
  const until = keptUntil(object, settings);
  if (now < until && (!run || engineOf(run).endOf(run))) return { status: object.status, effects: [], wakeAt: until };
  const effects = run ? clearRun(run, now < until) : unlock(seen, lock);
  // First, since what cannot be deleted ends the pass.
  return { status: object.status, effects: [...tellIfLate(seen, now), ...effects], wakeAt: after(now, RECHECK_INTERVAL_MS) };
}

/** People are told when clearing up does not work. */
function tellIfLate(seen: FinishedExecution, now: Instant): readonly Effect[] {
  const { object, settings } = seen;
  if (!isClearingLate(object, settings, now)) return [];
  const message = `its run or its lock is not deleted yet, so ${object.spec.targetResource} stays locked: ${whyLocked(seen)}`;
  return [warningEvent('CleanupFailed', message)];
}

/** What is to go next, and what keeps it. */
function whyLocked(seen: FinishedExecution): string {
  if (seen.run.kind === 'unreadable') return `its run cannot be read: ${seen.run.reason}`;
  const next = ownRun(seen) ?? ours(seen, seen.lock);
  const obstacle = next?.kind === Lease.kind ? whyRunMayBeActive(ownPods(seen)) : undefined;
  if (obstacle !== undefined || !next) return obstacle ?? '';
  return `${next.kind} ${keyText(keyOf(next))} still exists${next.metadata.deletionTimestamp ? ', although it was deleted' : ''}`;
}

/** What cannot be read may still be ours. Where everything is deleted, a deletion of the execution need not be delayed. */
function rest({ object, run, lock }: FinishedExecution, now: Instant): Decision {
  const isKnown = run.kind !== 'unreadable' && lock.kind !== 'unreadable';
  if (!isKnown) return { status: object.status, effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
  const isDone =
    hasExecutionFinalizer(object) && !countsAgainstTarget(object) && (object.status?.ephemeralCredentialIDs ?? []).length === 0;
  return { status: object.status, effects: isDone ? [removeExecutionFinalizer(object)] : [] };
}

/** What can be stopped is: whatever it was about to start might begin after it is deleted. That comes when stopping did not help in time. */
function clearRun(run: KubeObject, isNew: boolean): readonly Effect[] {
  const engine = engineOf(run);
  if (run.metadata.deletionTimestamp !== undefined) return [];
  if (!isNew || !engine.stop || engine.isSuspended(run)) return [remove(engine.resource, run)];
  const stop = engine.stop(run);
  return stop ? [stop] : [];
}

function unlock(seen: FinishedExecution, lock: Lease | undefined): readonly Effect[] {
  if (!lock || seen.run.kind === 'unreadable' || whyRunMayBeActive(ownPods(seen)) !== undefined) return [];
  const message = `${seen.object.spec.targetResource} is unlocked: other executions may run on it`;
  return [remove(Lease, lock), normalEvent('LockReleased', message)];
}
