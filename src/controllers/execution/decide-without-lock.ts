import { Job, Lease } from '../../api/builtin/index.ts';
import { keyOf, keyText } from '../../api/meta.ts';
import { assertNever, toTime, type Instant } from '../../base/index.ts';
import type { Decision, Effect } from '../../runtime/controller.ts';
import { remove } from '../../runtime/remove.ts';
import { stillAlive } from './clearing.ts';
import { lockDraft } from './lock-draft.ts';
import type { LockVerdict } from './lock.ts';
import { executionUidOf } from './names.ts';
import type { ExecutionSeen } from './observe.ts';
import { fail, ON_ITS_WAY, skip, stay, waiting, type Wanted } from './status.ts';

/** The target is not ours yet: take the lock, wait for it, clear it, or give up. */
export function decideWithoutLock(seen: ExecutionSeen, now: Instant, verdict: Exclude<LockVerdict, { kind: 'Held' }>): Decision {
  const { object, settings } = seen;
  switch (verdict.kind) {
    case 'Acquire': {
      const effect: Effect = { kind: 'Create', resource: Lease, object: lockDraft(object, settings.executionNamespace, now) };
      return wait(seen, now, ON_ITS_WAY, [effect]);
    }
    case 'Wait':
      return wait(seen, now, waiting('WaitingForLock', verdict.reason));
    case 'WaitForCooldown': {
      const message = `the target rests until ${toTime(verdict.until)}, after ${verdict.after}`;
      return stay(object, now, { conditions: [waiting('CooldownActive', message)], wakeAt: verdict.until });
    }
    case 'Busy':
      return skip(object, now, { reason: 'ResourceBusy', message: `${verdict.by} is at work on ${object.spec.targetResource}` });
    case 'CleanUpStale':
      return cleanUp(seen, now);
    case 'Foreign':
      return fail(seen, now, { reason: 'ConfigurationError', message: foreign(seen, verdict.what), started: false });
    default:
      return assertNever(verdict);
  }
}

/** What an execution that is over left behind: its run first and, when that has really gone, its lock. */
function cleanUp(seen: ExecutionSeen, now: Instant): Decision {
  const left = (read: ExecutionSeen['lock'] | ExecutionSeen['run']) =>
    read.kind === 'value' && executionUidOf(read.value) !== seen.object.metadata.uid ? read.value : undefined;
  const [lock, job] = [left(seen.lock), left(seen.run)];
  const message = 'what an earlier execution left behind is being cleared away';
  if (job && (!lock || executionUidOf(job) === executionUidOf(lock)))
    return wait(seen, now, waiting('CleaningUp', message), [remove(Job, job)]);
  const obstacle = job ? undefined : stillAlive(seen.pods);
  if (obstacle !== undefined) return wait(seen, now, waiting('WaitingForPods', obstacle));
  return wait(seen, now, waiting('CleaningUp', message), lock ? [remove(Lease, lock)] : []);
}

const wait = ({ object }: ExecutionSeen, now: Instant, ready: Wanted, effects: readonly Effect[] = []): Decision =>
  stay(object, now, { conditions: [ready], effects });

function foreign({ lock, run: job }: ExecutionSeen, what: 'Lease' | 'Job'): string {
  const read = what === 'Lease' ? lock : job;
  const name = read.kind === 'value' ? keyText(keyOf(read.value)) : '';
  return `${what} ${name} has the name of this target's ${what === 'Lease' ? 'lock' : 'run'} but is not ours; delete it if nobody needs it`;
}
