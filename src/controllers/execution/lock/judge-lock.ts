import type { Lease } from '../../../api/builtin/index.ts';
import { assertNever, type Instant } from '../../../base/index.ts';
import type { Read } from '../../../kube/client/read.ts';
import type { SeenRun } from '../../../runtime/reconcile/two-step-start.ts';
import { storedBlock } from '../target-block/stored-block.ts';
import { executionUidOf } from '../names.ts';
import { coolDown, type CooldownVerdict } from './cooldown.ts';

/** A run as far as the lock is concerned: also whose it is, and when it was over. */
export interface LockedRun extends SeenRun {
  /** UID of its execution; undefined when it carries no mark of ours. */
  readonly execution: string | undefined;
  readonly endedAt?: Instant;
}

/** What became of the other execution that has the target. */
export type LockHolder =
  | { readonly kind: 'unknown'; readonly reason: string }
  /** It has not come to its end. */
  | { readonly kind: 'live'; readonly name: string }
  | { readonly kind: 'ended'; readonly name: string; readonly at: Instant }
  /** Deleted: it will not clean up after itself. */
  | { readonly kind: 'gone' };

/** What the lock and the run of its name allow. */
export type LockVerdict =
  | { readonly kind: 'Wait'; readonly reason: string }
  /** The target is free: take the lock. */
  | { readonly kind: 'Acquire' }
  /** The lock is ours, and no run of another execution conflicts with it. */
  | { readonly kind: 'Held' }
  /** Another run works on the target. */
  | { readonly kind: 'Busy'; readonly by: string }
  /** An execution that is over has the target: its cooldown, and then its cleanup. */
  | CooldownVerdict
  /** Has our name but not our mark. Not ours to touch. */
  | { readonly kind: 'Foreign'; readonly what: 'lock' | 'run' };

export interface LockQuestion {
  /** UID of the execution that asks. */
  readonly uid: string;
  readonly lock: Read<Lease>;
  readonly run: Read<LockedRun>;
  /** Of the execution that `otherOccupant` names; what it says when there is none does not matter. */
  readonly holder: LockHolder;
  readonly cooldownMs: number;
  readonly now: Instant;
}

/** UID of another execution that holds the lock or, where its lock was deleted from outside, that owns the run of that name. */
export function otherOccupant(uid: string, lock: Read<Lease>, runOwner: string | undefined): string | undefined {
  const holder = lock.kind === 'value' ? lock.value.spec?.holderIdentity : undefined;
  return [holder, runOwner].find((other) => other !== undefined && other !== '' && other !== uid);
}

/** The other execution has the target: what follows from how far it and its run have come. */
const TABLE = {
  live: { absent: 'busy', held: 'busy', running: 'busy', finished: 'wait' },
  ended: { absent: 'cool down', held: 'wait', running: 'wait', finished: 'cool down' },
  gone: { absent: 'cool down', held: 'cool down', running: 'busy', finished: 'cool down' },
} as const satisfies Record<Exclude<LockHolder['kind'], 'unknown'>, Record<SeenRun['state'] | 'absent', string>>;

/**
 * One lock per target. It is a Lease without expiry that holds until the run has really ended and the cooldown after it is over; the run
 * has the lock's name, so a run whose lock was taken away still counts. A lock that keeps a block has no holder, and is deleted when a person
 * has cleared the block: until then the history decides for every execution that asks.
 */
export function judgeLock(question: LockQuestion): LockVerdict {
  const { uid, lock, run } = question;
  if (lock.kind === 'unreadable') return { kind: 'Wait', reason: `the lock cannot be read: ${lock.reason}` };
  if (run.kind === 'unreadable') return { kind: 'Wait', reason: `the run cannot be read: ${run.reason}` };
  const blocker = blockerOn(lock);
  if (blocker !== undefined) return { kind: 'Wait', reason: `${blocker} blocks the target` };
  const what = foreign(lock, run);
  if (what !== undefined) return { kind: 'Foreign', what };
  const other = run.kind === 'value' ? run.value : undefined;
  const occupant = otherOccupant(uid, lock, other?.execution);
  if (occupant !== undefined) return judgeOccupant(question, occupant, other);
  return lock.kind === 'absent' ? { kind: 'Acquire' } : judgeOwn(lock.value);
}

function blockerOn(lock: Read<Lease>): string | undefined {
  const kept = lock.kind === 'value' ? storedBlock(lock.value) : undefined;
  return kept?.clearance ? undefined : kept?.name;
}

/** A Lease of our name whose holder and mark do not agree was not written by us, unless it is one that keeps a block. */
function foreign(lock: Read<Lease>, run: Read<LockedRun>): 'lock' | 'run' | undefined {
  const mark = lock.kind === 'value' ? executionUidOf(lock.value) : undefined;
  if (lock.kind === 'value' && (mark === undefined || (mark !== lock.value.spec?.holderIdentity && !storedBlock(lock.value))))
    return 'lock';
  return run.kind === 'value' && run.value.execution === undefined ? 'run' : undefined;
}

const judgeOwn = ({ metadata }: Lease): LockVerdict =>
  metadata.deletionTimestamp === undefined ? { kind: 'Held' } : { kind: 'Wait', reason: 'the lock is being deleted' };

function judgeOccupant(question: LockQuestion, occupant: string, run: LockedRun | undefined): LockVerdict {
  const { holder } = question;
  if (holder.kind === 'unknown') return { kind: 'Wait', reason: holder.reason };
  const name = holder.kind === 'gone' ? `execution ${occupant}` : holder.name;
  const verdict = TABLE[holder.kind][run?.state ?? 'absent'];
  switch (verdict) {
    case 'busy':
      return { kind: 'Busy', by: name };
    case 'wait':
      return { kind: 'Wait', reason: `the run of ${name} has not finished yet` };
    case 'cool down':
      return coolDown({ endedAt: holder.kind === 'ended' ? holder.at : run?.endedAt, name }, question);
    default:
      return assertNever(verdict);
  }
}
