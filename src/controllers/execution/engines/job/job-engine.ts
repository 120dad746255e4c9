import { Job } from '../../../../api/builtin/index.ts';
import { isJobHeld, releaseJob } from '../../../../runtime/reconcile/release-suspended-runs.ts';
import type { RunEngine } from '../engine.ts';
import { jobDraft } from './job-draft.ts';
import { jobFailure, evidenceOf } from './job-failure.ts';
import { endedAt, endOf } from './job-end.ts';

/** Runs a workflow as a Job with one pod. */
export const jobEngine: RunEngine<Job> = {
  name: 'job',
  resource: Job,
  draft: (execution, { namespace, now }) => jobDraft(execution, namespace, now),
  isSuspended: isJobHeld,
  // Releasing a Job and suspending it again changes its generation.
  isUntouched: ({ metadata }) => (metadata.generation ?? 1) <= 1,
  release: (job) => releaseJob(Job, job),
  endOf(job) {
    const end = endOf(job);
    const at = endedAt(job);
    return end && { succeeded: end.type === 'Complete', ...(at === undefined ? {} : { at }) };
  },
  progressOf: (job) => ({ completedTasks: endOf(job)?.type === 'Complete' ? 1 : 0, totalTasks: 1 }),
  // A container that is ready has begun: there is nothing more to learn from its pod until it ends.
  needsPods: (job) => endOf(job) !== undefined || (job.status?.ready ?? 0) === 0,
  podsOf: (name) => `job-name=${name}`,
  evidenceOf,
  failureOf: jobFailure,
};
