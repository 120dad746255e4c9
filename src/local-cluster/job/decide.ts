import { Pod, type Job, type PodCondition } from '../../api/builtin/index.ts';
import { toTime, type Instant } from '../../base/index.ts';
import type { Decision, Effect } from '../../runtime/reconcile/controller.ts';
import { remove } from '../../runtime/reconcile/delete-object.ts';
import { carryConditions, holds } from '../carry-conditions.ts';
import { earliest, lookAgain } from '../look-again.ts';
import { createHeldPod, isHeld, releasePod } from './job-pod.ts';
import { deadlineOf, type JobSeen } from './observe.ts';

type Status = NonNullable<Job['status']>;

const SUSPENDED: PodCondition = { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' };
const RESUMED: PodCondition = { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' };

/** Why a Job fails, in Kubernetes' words. */
const FAILURES = {
  BackoffLimitExceeded: 'Job has reached the specified backoff limit',
  DeadlineExceeded: 'Job was active longer than specified deadline',
} as const;
type Failure = keyof typeof FAILURES;

/**
 * The life of a Job: one pod, started at most once. The pod is created suspended, the start is recorded, then the pod is released; when it is gone after
 * that, the Job has failed.
 */
export function decide(seen: JobSeen, now: Instant): Decision {
  const { object, pod } = seen;
  if (object.metadata.deletionTimestamp !== undefined || isFinished(object)) return { effects: [] };
  if (pod.kind === 'unreadable') return { effects: [], wakeAt: lookAgain(now) };
  const failing = object.status?.conditions?.find(({ type }) => type === 'FailureTarget');
  const found = pod.kind === 'value' ? pod.value : undefined;
  if (failing) return finishFailing(object, found, { why: failing.reason as Failure, now });
  return object.status?.startTime === undefined ? begin(object, found, now) : follow(object, found, now);
}

const isFinished = ({ status }: Job): boolean => holds(status?.conditions, 'Complete') || holds(status?.conditions, 'Failed');

/** No start is recorded yet: a pod that is lost now never ran. */
function begin(job: Job, pod: Pod | undefined, now: Instant): Decision {
  if (job.spec.suspend === true) return suspend(job, pod, now);
  if (!pod) return { effects: [createHeldPod(job)], wakeAt: lookAgain(now) };
  if (isLeaving(pod)) return { effects: [], wakeAt: lookAgain(now) };
  const conditions = holds(job.status?.conditions, 'Suspended') ? withConditions(job, [RESUMED], now) : job.status?.conditions;
  const status = { ...job.status, startTime: toTime(now), active: 1, ready: 0, ...(conditions && { conditions }) };
  return { status, effects: release(pod), wakeAt: lookAgain(now) };
}

function suspend(job: Job, pod: Pod | undefined, now: Instant): Decision {
  const status = { ...job.status, conditions: withConditions(job, [SUSPENDED], now) };
  return { status, effects: pod && isHeld(pod) && !isLeaving(pod) ? [remove(Pod, pod)] : [], wakeAt: lookAgain(now) };
}

/** The start is recorded: the pod is released if a crash came in between, and then followed to its end. */
function follow(job: Job, pod: Pod | undefined, now: Instant): Decision {
  const phase = pod?.status?.phase;
  if (!pod || phase === 'Failed') return fail(job, { why: 'BackoffLimitExceeded', now });
  if (phase === 'Succeeded') return complete(job, now);
  const deadline = deadlineOf(job);
  const why = reasonToEnd(job, now >= (deadline ?? Infinity));
  if (why !== undefined) return startFailing(job, pod, { why, now });
  const ready = holds(pod.status?.conditions, 'Ready') ? 1 : 0;
  return { status: { ...job.status, active: 1, ready }, effects: release(pod), wakeAt: earliest(now, deadline) };
}

/** A Job that is suspended after its start cannot be resumed: its pod would run twice. */
function reasonToEnd({ spec }: Job, isLate: boolean): Failure | undefined {
  if (isLate) return 'DeadlineExceeded';
  return spec.suspend === true ? 'BackoffLimitExceeded' : undefined;
}

const release = (pod: Pod): readonly Effect[] => (isHeld(pod) && !isLeaving(pod) ? [releasePod(pod)] : []);

const isLeaving = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;

interface Verdict {
  readonly why: Failure;
  readonly now: Instant;
}

/** The verdict is recorded first; the Job has failed only when none of its pods runs any more. */
function startFailing(job: Job, pod: Pod, { why, now }: Verdict): Decision {
  const status = { ...job.status, conditions: withConditions(job, [condition('FailureTarget', why)], now) };
  return { status, effects: isLeaving(pod) ? [] : [remove(Pod, pod)], wakeAt: lookAgain(now) };
}

function finishFailing(job: Job, pod: Pod | undefined, verdict: Verdict): Decision {
  const isOver = !pod || pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
  if (isOver) return fail(job, verdict);
  return { status: job.status, effects: isLeaving(pod) ? [] : [remove(Pod, pod)], wakeAt: lookAgain(verdict.now) };
}

const fail = (job: Job, { why, now }: Verdict): Decision => ({
  status: {
    ...ended(job.status),
    failed: 1,
    conditions: withConditions(job, [condition('FailureTarget', why), condition('Failed', why)], now),
  },
  effects: [],
});

function complete(job: Job, now: Instant): Decision {
  const reached = { status: 'True', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' } as const;
  const conditions = withConditions(
    job,
    [
      { type: 'SuccessCriteriaMet', ...reached },
      { type: 'Complete', ...reached },
    ],
    now,
  );
  return { status: { ...ended(job.status), succeeded: 1, completionTime: toTime(now), conditions }, effects: [] };
}

const ended = ({ active: _active, ...status }: Status = {}): Status => ({ ...status, ready: 0 });

const condition = (type: string, why: Failure): PodCondition => ({ type, status: 'True', reason: why, message: FAILURES[why] });

/** The Job's conditions with these set, in the order in which they came. */
function withConditions({ status }: Job, wanted: readonly PodCondition[], now: Instant): readonly PodCondition[] {
  const others = status?.conditions?.filter(({ type }) => !wanted.some((one) => one.type === type)) ?? [];
  return [...others, ...carryConditions(status?.conditions, wanted, now)];
}
