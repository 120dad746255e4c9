import { Lease } from '../../../api/builtin/index.ts';
import { keyOf, keyText, type KubeObject } from '../../../api/meta.ts';
import { assertNever, toTime, type Instant } from '../../../base/index.ts';
import type { Decision, Effect, Read } from '../../../runtime/reconcile/controller.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import { whyRunMayBeActive } from '../run/owned-objects.ts';
import { engineOf } from '../engines/index.ts';
import { lockDraft } from './lock-draft.ts';
import type { LockVerdict } from './judge-lock.ts';
import { executionUidOf } from '../names.ts';
import { needed, type PendingExecution } from '../observed-execution.ts';
import { fail, STARTING, skip, stay, wait, waiting } from '../status/execution-status.ts';

/** The target is not ours yet: take the lock, wait for it, clear it, or give up. */
export function acquireLock(seen: PendingExecution, now: Instant, verdict: Exclude<LockVerdict, { kind: 'Held' }>): Decision {
  const { object, settings } = seen;
  switch (verdict.kind) {
    case 'Acquire': {
      const effect: Effect = { kind: 'Create', resource: Lease, object: lockDraft(object, settings.executionNamespace, now) };
      return wait(seen.object, now, STARTING, [effect]);
    }
    case 'Wait':
      return wait(seen.object, now, waiting('WaitingForLock', verdict.reason));
    case 'WaitForCooldown': {
      const message = `the cooldown after ${verdict.after} lasts until ${toTime(verdict.until)}`;
      return stay(object, now, { conditions: [waiting('CooldownActive', message)], wakeAt: verdict.until });
    }
    case 'Busy':
      return skip(object, now, { reason: 'ResourceBusy', message: `${verdict.by} is running on ${object.spec.targetResource}` });
    case 'CleanUpStale':
      return cleanUp(seen, now);
    case 'Foreign':
      return fail(seen, now, { reason: 'ConfigurationError', message: foreign(seen, verdict.what), started: false });
    default:
      return assertNever(verdict);
  }
}

/** Deletes the orphans of a finished execution: its run first and, when that is really gone, its lock. */
function cleanUp(seen: PendingExecution, now: Instant): Decision {
  const left = (read: Read<KubeObject>) =>
    read.kind === 'value' && executionUidOf(read.value) !== seen.object.metadata.uid ? read.value : undefined;
  const [lock, run] = [left(seen.lock), left(seen.run)];
  const message = 'the run and the lock of an earlier execution are being deleted';
  if (run && (!lock || executionUidOf(run) === executionUidOf(lock)))
    return wait(seen.object, now, waiting('CleaningUp', message), [remove(engineOf(run).resource, run)]);
  const obstacle = run ? undefined : whyRunMayBeActive(needed(seen.pods));
  if (obstacle !== undefined) return wait(seen.object, now, waiting('WaitingForPods', obstacle));
  return wait(seen.object, now, waiting('CleaningUp', message), lock ? [remove(Lease, lock)] : []);
}

function foreign({ lock, run }: PendingExecution, what: 'lock' | 'run'): string {
  const read = what === 'lock' ? lock : run;
  const name = read.kind === 'value' ? `${read.value.kind} ${keyText(keyOf(read.value))}` : 'an object';
  return `${name} has the name of this target's ${what} but Sickbay did not create it; delete it if nothing else uses it`;
}
