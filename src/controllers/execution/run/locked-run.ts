import type { KubeObject } from '../../../api/meta.ts';
import type { Read } from '../../../kube/client/read.ts';
import type { LockedRun } from '../lock/judge-lock.ts';
import { executionUidOf } from '../names.ts';
import { engineOf } from '../engines/index.ts';

/** A run as the lock and the two-step start see it. */
export function lockedRun(run: Read<KubeObject>, execution: string): Read<LockedRun> {
  if (run.kind !== 'value') return run;
  const { uid } = run.value.metadata;
  const owner = executionUidOf(run.value);
  const end = engineOf(run.value).endOf(run.value);
  const state = end ? 'finished' : isUntouched(run.value) ? 'held' : 'running';
  return {
    kind: 'value',
    value: { uid, state, ours: owner === execution, execution: owner, ...(end?.at === undefined ? {} : { endedAt: end.at }) },
  };
}

/**
 * Held since it was created. A run that was released and is held again may have acted, and releasing it would let it act a second time. A run
 * that is being deleted must not be released either.
 */
const isUntouched = (run: KubeObject): boolean =>
  engineOf(run).isSuspended(run) && engineOf(run).isUntouched(run) && run.metadata.deletionTimestamp === undefined;
