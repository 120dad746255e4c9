import { Job } from '../../api/builtin/index.ts';
import { after, MINUTE, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/controller.ts';
import { isJobHeld, releaseJob } from '../../runtime/held-runs.ts';
import { twoStepStart } from '../../runtime/two-step-start.ts';
import { mayLetGo } from './admission.ts';
import { askBudget } from './budget.ts';
import { isLate, startBefore } from './deadlines.ts';
import { jobFailure, storyOf } from './engines/job-failure.ts';
import { endedAt, endOf, lockedRun } from './engines/job-run.ts';
import type { PodStory } from './engines/pod-story.ts';
import type { Failure } from './failure.ts';
import type { ExecutionSeen } from './observe.ts';
import { complete, fail, refused, stay } from './status.ts';
import { whyStop } from './stop.ts';

/** How long to wait for the pods of a failed run to be readable, before the worst is assumed. */
const PATIENCE_MS = MINUTE;

/** Keeps to the one run on record until it ends. Gone is lost: nothing is ever started again. */
export function decideRunning(seen: ExecutionSeen, now: Instant): Decision {
  const { object, run } = seen;
  const start = twoStepStart(object.status?.executionRef?.uid ?? '', lockedRun(run, object.metadata.uid));
  if (start.kind === 'Lost') return fail(seen, now, LOST);
  if (run.kind !== 'value') return stay(object, now);
  return start.kind === 'Release' ? release(seen, run.value, now) : judge(seen, run.value, now);
}

function judge(seen: ExecutionSeen, job: Job, now: Instant): Decision {
  const end = endOf(job);
  if (end) return end.type === 'Complete' ? complete(seen.object, now, story(seen, job).said) : failed(seen, job, now);
  if (isJobHeld(job)) return fail(seen, now, SUSPENDED);
  const stop = whyStop(seen.object, seen.request);
  if (stop !== undefined) return stopped(seen, job, { now, why: stop });
  return isLate(seen.object, now) ? overdue(seen, job, now) : follow(seen, job, now);
}

const LOST: Failure = {
  reason: 'Unknown',
  message: 'the Job on record is gone, so nobody knows how far it got',
  started: true,
};

const SUSPENDED: Failure = {
  reason: 'Unknown',
  message: 'somebody suspended the Job after it was let go; resuming it would run the workflow a second time',
  started: true,
};

/** A crash came between record and release. Whether it may still run is asked again; if not, nothing has happened yet. */
function release(seen: ExecutionSeen, job: Job, now: Instant): Decision {
  const { object } = seen;
  if (now >= startBefore(object))
    return fail(seen, now, { reason: 'DeadlineExceeded', message: 'it could not start in time', started: false });
  const admission = mayLetGo(object, seen.request, seen.target);
  if (admission.kind === 'Refuse') return fail(seen, now, refused(admission.message));
  return admission.kind === 'Go' ? releaseInBudget(seen, job, now) : stay(object, now);
}

/** Its claim was made before, but may have been taken away since, or everything was paused. */
function releaseInBudget({ object, budget, settings }: ExecutionSeen, job: Job, now: Instant): Decision {
  const leave = askBudget(budget, settings, now);
  if (leave.kind === 'Claimed') return stay(object, now, { effects: [releaseJob(Job, job)] });
  if (leave.kind === 'Granted') return stay(object, now, { effects: [leave.effect] });
  const { reason, message } = leave.ready;
  return stay(object, now, {
    ...leave,
    set: { executionStatus: { status: 'Waiting', reason, message, completedTasks: 0, totalTasks: 1 } },
  });
}

function failed(seen: ExecutionSeen, job: Job, now: Instant): Decision {
  const { object, pods } = seen;
  const end = endedAt(job) ?? now;
  if (pods.kind === 'unreadable' && now < after(end, PATIENCE_MS)) return stay(object, now, { wakeAt: after(end, PATIENCE_MS) });
  return fail(seen, now, jobFailure(job, story(seen, job)));
}

/** Nobody wants it any more: it is deleted as soon as that is on record, and the lock is kept until it has really stopped. */
const stopped = (seen: ExecutionSeen, job: Job, { now, why }: { readonly now: Instant; readonly why: string }): Decision =>
  fail(seen, now, {
    reason: 'Unknown',
    message: `it was stopped, because ${why}`,
    ...STOP_ADVICE,
    started: story(seen, job).started,
  });

const STOP_ADVICE = { advice: 'Nothing else is tried for this request.', isUncounted: true } as const;

/** The Job should have ended itself a minute ago; it is deleted as soon as the failure is on record. */
function overdue(seen: ExecutionSeen, job: Job, now: Instant): Decision {
  const { started } = story(seen, job);
  return fail(seen, now, { reason: 'DeadlineExceeded', message: 'it did not end in its time, so it was stopped', started });
}

/** Shows, and so remembers, what keeps the workflow from beginning: a Job that runs out of time takes its pods with it. */
function follow(seen: ExecutionSeen, job: Job, now: Instant): Decision {
  const { object, pods } = seen;
  if (pods.kind === 'unreadable') return stay(object, now);
  const { started, obstacle } = storyOf(job, pods.value, remembered(seen));
  const progress = { completedTasks: 0, totalTasks: 1 };
  const executionStatus = !started && obstacle ? { status: 'Waiting', ...obstacle, ...progress } : { status: 'Running', ...progress };
  return stay(object, now, { set: { executionStatus } });
}

/** Pods that cannot be read may have done anything. */
const story = (seen: ExecutionSeen, job: Job): PodStory =>
  seen.pods.kind === 'value' ? storyOf(job, seen.pods.value, remembered(seen)) : { started: true };

function remembered({ object }: ExecutionSeen): PodStory['obstacle'] {
  const known = object.status?.executionStatus;
  return known?.status === 'Waiting' ? { reason: known.reason ?? '', message: known.message ?? '' } : undefined;
}
