import type { Job, PodCondition } from '../../../../api/builtin/index.ts';
import { parseTime, type Instant } from '../../../../base/index.ts';

/** The condition that says that the Job is over. */
export const endOf = (job: Job): PodCondition | undefined =>
  job.status?.conditions?.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');

/** When the run came to its end, as far as the Job says. */
export const endedAt = (job: Job): Instant | undefined => parseTime(endOf(job)?.lastTransitionTime ?? undefined);
