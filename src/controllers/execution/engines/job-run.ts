import type { Job, PodCondition } from '../../../api/builtin/index.ts';
import { parseTime, type Instant } from '../../../base/index.ts';
import type { Read } from '../../../kube/read.ts';
import { isJobHeld } from '../../../runtime/held-runs.ts';
import type { LockedRun } from '../lock.ts';
import { executionUidOf } from '../names.ts';

/** A Job as the lock and the two-step start see it. */
export function lockedRun(job: Read<Job>, execution: string): Read<LockedRun> {
  if (job.kind !== 'value') return job;
  const owner = executionUidOf(job.value);
  const at = endedAt(job.value);
  const state = endOf(job.value) ? 'finished' : isUntouched(job.value) ? 'held' : 'running';
  const { uid } = job.value.metadata;
  return {
    kind: 'value',
    value: { uid, state, ours: owner === execution, execution: owner, ...(at === undefined ? {} : { endedAt: at }) },
  };
}

/** The condition that says that the Job is over. */
export const endOf = (job: Job): PodCondition | undefined =>
  job.status?.conditions?.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');

/**
 * Held since it was created. Whoever lets a Job go and holds it again changes its generation: such a Job may have acted, and letting it go
 * would let it act a second time. One that is being deleted is not to be let go either.
 */
const isUntouched = (job: Job): boolean =>
  isJobHeld(job) && (job.metadata.generation ?? 1) <= 1 && job.metadata.deletionTimestamp === undefined;

/** When the run came to its end, as far as the Job says. */
export const endedAt = (job: Job): Instant | undefined => parseTime(endOf(job)?.lastTransitionTime ?? undefined);
