import { toTime } from '../../base/index.ts';
import { draftOf, type Stored, type Work } from '../object.ts';
import type { Server } from '../server.ts';
import type { ParsedDeleteOptions } from './delete-options.ts';

/** Marks a namespace for deletion. Only the first deletion counts: until the content is deleted, later ones change nothing. */
export function markNamespace(server: Server, old: Stored, options: ParsedDeleteOptions): Work | 'unchanged' {
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

/** Unlike for other kinds, the garbage collector's finalizers stay when no policy is given, and `orphanDependents: false` means Foreground. */
function finalizersFor(given: readonly string[], { propagation, orphanDependents }: ParsedDeleteOptions): readonly string[] {
  if (propagation === undefined) return given;
  const wanted = FOR_DEPENDENTS[orphanDependents === false ? 'Foreground' : propagation];
  const own = given.filter((finalizer) => finalizer === wanted || (finalizer !== 'orphan' && finalizer !== 'foregroundDeletion'));
  return wanted === undefined || own.includes(wanted) ? own : [...own, wanted];
}
