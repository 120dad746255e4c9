import { Lease } from '../../../api/builtin/index.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { after, MINUTE, type Instant } from '../../../base/index.ts';
import type { Decision, Effect, Listed, Read } from '../../../runtime/reconcile/controller.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import type { Pod } from '../../../api/builtin/index.ts';
import { whyRunMayBeActive } from '../run/owned-objects.ts';
import { engineOf } from '../engines/index.ts';
import { storedBlock } from '../target-block/stored-block.ts';
import { executionUidOf } from '../names.ts';

/** A lock or a run, and whether its execution is left to clean it up. */
export interface ObservedOrphan {
  readonly object: KubeObject;
  /** Whether the execution that it is marked with is gone, from a live read; undefined when that could not be read. */
  readonly isOrphan: boolean | undefined;
  /** For the lock of an execution that is gone: what may still be at work under it. */
  readonly beneath?: { readonly run: Read<KubeObject>; readonly pods: Listed<Pod> };
}

const RECHECK_INTERVAL_MS = MINUTE;

/**
 * What a process sent before it stood still may arrive when the execution is gone, and then no execution is left to delete it: a lock, or a run
 * that will never be released. Those are deleted. What may have acted, or keeps a block, is left to people and to the next execution.
 */
export function decideOrphan(seen: ObservedOrphan, now: Instant): Decision {
  const { object, isOrphan } = seen;
  if (isOrphan === false || object.metadata.deletionTimestamp !== undefined) return { effects: [] };
  const gone = isOrphan === true && isFree(seen) ? [clear(object)] : [];
  return { effects: gone, wakeAt: after(now, RECHECK_INTERVAL_MS) };
}

const clear = (object: KubeObject): Effect => remove(object.kind === Lease.kind ? Lease : engineOf(object).resource, object);

const isFree = ({ object, beneath }: ObservedOrphan): boolean => {
  if (object.kind !== Lease.kind) return engineOf(object).isSuspended(object) && engineOf(object).isUntouched(object);
  const lock = object as Lease;
  if (storedBlock(lock) !== undefined || lock.spec?.holderIdentity !== executionUidOf(lock)) return false;
  return beneath?.run.kind === 'absent' && whyRunMayBeActive(beneath.pods) === undefined;
};
