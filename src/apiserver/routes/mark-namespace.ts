import { toTime } from '../../base/index.ts';
import { draftOf, type Stored, type Work } from '../object.ts';
import type { Server } from '../server.ts';
import type { DeleteOptions } from './delete-options.ts';

/** A namespace that is told to go. Only the first deletion has a say: until the content is gone, later ones change nothing. */
export function markNamespace(server: Server, old: Stored, options: DeleteOptions): Work | 'unchanged' {
  if (old.metadata.deletionTimestamp !== undefined) return 'unchanged';
  const object = draftOf(old);
  const finalizers = finalizersFor(old.metadata.finalizers ?? [], options);
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;
  object.metadata.deletionTimestamp = toTime(server.clock.now());
  object.status = { ...(object.status as object), phase: 'Terminating' };
  return object;
}

const FOR_DEPENDENTS = { Orphan: 'orphan', Foreground: 'foregroundDeletion', Background: undefined } as const;

/** Unlike elsewhere, those of the collector stay when nothing is said, and the old flag set to false means to wait for dependents. */
function finalizersFor(given: readonly string[], { propagation, orphanDependents }: DeleteOptions): readonly string[] {
  if (propagation === undefined) return given;
  const wanted = FOR_DEPENDENTS[orphanDependents === false ? 'Foreground' : propagation];
  const own = given.filter((finalizer) => finalizer === wanted || (finalizer !== 'orphan' && finalizer !== 'foregroundDeletion'));
  return wanted === undefined || own.includes(wanted) ? own : [...own, wanted];
}
