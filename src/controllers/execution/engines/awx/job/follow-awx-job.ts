import { after, instant, MINUTE, parseDuration, parseTime, type Instant } from '../../../../../base/index.ts';
import type { Decision } from '../../../../../runtime/reconcile/controller.ts';
import { lastPart, quoted, type ExecutionFailure } from '../../../status/failure.ts';
import { complete, fail, stay } from '../../../status/execution-status.ts';
import { LONGEST_RUN_MS } from '../../../run/deadlines.ts';
import { whyStop } from '../../../admission/stop-reason.ts';
import { awxJobName } from '../awx-names.ts';
import { awxStep } from '../awx-step.ts';
import type { RunningAwxExecution } from '../../../observed-execution.ts';
import { refusedByAwx, AWX_POLL_MS, whyUnknown } from '../launch/start-awx-job.ts';
import { isOver, type AwxJob, type AwxProgress, type AwxFailure } from '../observed-awx.ts';
import { markName } from '../launch/needed-credentials.ts';

/** What the next step of a run in AWX is decided from. */
type AwxRunCase = Omit<RunningAwxExecution, 'stage'>;

/** How long a launch that got no answer may take to show. */
const PATIENCE_MS = MINUTE;
const PROGRESS = { completedTasks: 0, totalTasks: 1 };

/**
 * The intent is recorded in status, so a job may be there. It is found by its mark and recorded; then it is followed to its end. Where none is
 * found it is never launched again: first the fence is deleted, so that no launch can succeed any more, and then AWX is checked again.
 */
export function followAwxJob(seen: AwxRunCase, now: Instant): Decision {
  const { object, awx } = seen;
  if (awx.kind !== 'progress') return unanswered(seen, now, whyUnknown(awx));
  const isKnown = object.status?.executionRef?.uid !== undefined;
  if (awx.job.kind === 'value') return isKnown ? judge(seen, awx.job.value, now) : record(seen, awx.job.value, now);
  if (awx.job.kind === 'unreadable') return unanswered(seen, now, awx.job.reason);
  return isKnown ? fail(seen, now, lost(object)) : missing(seen, awx, now);
}

/** Shows why nothing is known; when its time is up the worst is assumed. */
function unanswered(seen: AwxRunCase, now: Instant, message: string): Decision {
  const { object } = seen;
  if (hasRunOut(object, now))
    return fail(seen, now, { ...TOO_LATE, message: `it did not finish in time, as far as is known: ${message}`, started: true });
  return stay(object, now, { set: { executionStatus: { status: 'Unknown', reason: 'AWXUnreachable', message, ...PROGRESS } } });
}

function record({ object }: AwxRunCase, { id, status }: AwxJob, now: Instant): Decision {
  const name = awxJobName(id);
  return stay(object, now, {
    set: {
      executionRef: { ...object.status?.executionRef, name, uid: String(id) },
      executionStatus: { status, ...PROGRESS },
    },
    conditions: [{ type: 'ExecutionRunning', status: 'True', reason: 'ExecutionStarted', message: `AWX runs it as ${name}` }],
    wakeAt: after(now, AWX_POLL_MS),
  });
}

function judge(seen: AwxRunCase, job: AwxJob, now: Instant): Decision {
  const { object, awx } = seen;
  if (job.status === 'successful')
    return complete(object, now, { said: job.explanation || undefined, progress: { completedTasks: 1, totalTasks: 1 } });
  const unwanted = whyUnwanted(seen, now);
  if (isOver(job)) {
    const isOurs = unwanted !== undefined && job.status === 'canceled';
    return fail(
      seen,
      now,
      isOurs ? { ...unwanted, started: job.hasStarted } : endedBadly(job, awx.kind === 'progress' ? awx.output : undefined),
    );
  }
  if (unwanted !== undefined) return callOff(seen, job, { now, unwanted });
  return stay(object, now, { set: { executionStatus: { status: job.status, ...PROGRESS } } });
}

/** Why a job that goes on has to end. */
function whyUnwanted({ object, request }: AwxRunCase, now: Instant): Omit<ExecutionFailure, 'started'> | undefined {
  const stop = whyStop(object, request);
  if (stop !== undefined) return stopped(stop);
  return hasRunOut(object, now) ? TOO_LATE : undefined;
}

/** A job that has begun is stopped once that is recorded in status. A job that has not may still begin until it has been stopped. */
function callOff(
  seen: AwxRunCase,
  job: AwxJob,
  { now, unwanted }: { readonly now: Instant; readonly unwanted: Omit<ExecutionFailure, 'started'> },
): Decision {
  if (job.hasStarted) return fail(seen, now, { ...unwanted, started: true });
  return stay(seen.object, now, { effects: [awxStep(seen.object, { do: 'cancel', job: job.id })], wakeAt: after(now, AWX_POLL_MS) });
}

/** No job carries our mark. It may still be on its way, unless the fence is gone. */
function missing(seen: AwxRunCase, { credentials, trouble }: AwxProgress, now: Instant): Decision {
  const { object } = seen;
  const others = credentials.filter(({ name }) => name !== markName(object.metadata));
  if (trouble?.code === 'Terminal') return fail(seen, now, { reason: 'Unknown', message: trouble.message, started: true, advice: LOOK });
  if (others.length > 0 && !isGivenUp(seen, trouble, now)) return stay(object, now);
  if (others.length > 0) {
    const effects = others.map(({ id }) => awxStep(object, { do: 'delete credential', id }));
    return stay(object, now, { effects, wakeAt: after(now, AWX_POLL_MS) });
  }
  return fail(seen, now, credentials.length > 0 ? neverLaunched(seen, trouble) : UNTOLD);
}

function isGivenUp({ object, request }: AwxRunCase, trouble: AwxFailure | undefined, now: Instant): boolean {
  const asked = parseTime(object.status?.executionRef?.requestedAt) ?? instant(0);
  return (
    now >= after(asked, PATIENCE_MS) ||
    (trouble !== undefined && isRefusal(trouble)) ||
    whyStop(object, request) !== undefined ||
    hasRunOut(object, now)
  );
}

/** AWX answered, and said no. */
const isRefusal = (trouble: AwxFailure): boolean => !['Unavailable', 'Internal', 'TooManyRequests', 'Terminal'].includes(trouble.code);

/** The fence was seen gone before the job was looked for, so it is certain that nothing ran. */
function neverLaunched({ object, request }: AwxRunCase, trouble: AwxFailure | undefined): ExecutionFailure {
  const stop = whyStop(object, request);
  if (stop !== undefined) return { ...stopped(stop), started: false };
  if (trouble && isRefusal(trouble)) return refusedByAwx(trouble);
  return {
    reason: 'Unknown',
    message: `AWX never received the launch${trouble ? `: ${trouble.message}` : ''}`,
    started: false,
    advice: 'Check that AWX is healthy; the workflow can be tried again.',
  };
}

const LOOK = 'Check whether the job exists in AWX.';

/** Ends of an execution whose job cannot be found; simulation holds them against what really happened to the job. */
export const MARK_DELETED = 'the credential in AWX that identifies its job was deleted, so it is unknown whether the job was launched';
export const JOB_LOST = 'no longer exists in AWX, so it is unknown how far it got';

const UNTOLD: ExecutionFailure = {
  reason: 'Unknown',
  message: MARK_DELETED,
  started: true,
  advice: LOOK,
};

const lost = ({ status }: AwxRunCase['object']): ExecutionFailure => ({
  reason: 'Unknown',
  message: `${status?.executionRef?.name ?? 'the recorded job'} ${JOB_LOST}`,
  started: true,
  advice: LOOK,
});

/** A job that never ran changed nothing. */
function endedBadly(job: AwxJob, output: string | undefined): ExecutionFailure {
  const said = [`AWX job ${job.id} ended as ${job.status}`, job.explanation, lastPart(output ?? '')].filter(Boolean).join(': ');
  return {
    reason: job.hasStarted ? 'TaskFailed' : 'Unknown',
    message: quoted(said),
    started: job.hasStarted,
    advice: `Check job ${job.id} in AWX.`,
  };
}

const TOO_LATE = { reason: 'DeadlineExceeded', message: 'it did not finish in time, so it was stopped' } as const;

const stopped = (why: string) =>
  ({
    reason: 'Unknown',
    message: `it was stopped, because ${why}`,
    advice: 'Nothing else is tried for this request.',
    isUncounted: true,
  }) as const;

/** AWX is not told how long a job may take, so that it is stopped by us. */
function hasRunOut({ spec, status }: AwxRunCase['object'], now: Instant): boolean {
  const limit = parseDuration(spec.executionConfig?.timeout ?? '') ?? LONGEST_RUN_MS;
  const end = parseTime(spec.timesOutAt) ?? after(parseTime(status?.startTime) ?? now, limit);
  return now >= end;
}
