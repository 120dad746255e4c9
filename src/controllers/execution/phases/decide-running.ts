import type { KubeObject } from '../../../api/meta.ts';
import { after, MINUTE, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { twoStepStart } from '../../../runtime/reconcile/two-step-start.ts';
import { mayRelease } from '../admission/admit.ts';
import { askBudget } from '../../budget/index.ts';
import { isLate, startBefore } from '../run/deadlines.ts';
import { engineOf, type RunResult } from '../engines/index.ts';
import type { PodEvidence, RecordedState } from '../engines/evidence/pod-evidence.ts';
import { lockedRun } from '../run/locked-run.ts';
import type { ExecutionFailure } from '../status/failure.ts';
import { needed, type RunningExecution } from '../observed-execution.ts';
import { complete, fail, refusal, stay } from '../status/execution-status.ts';
import { whyStop } from '../admission/stop-reason.ts';

/** How long to wait for the pods of a failed run and their Events to be readable, before the worst is assumed. */
const STOP_TIMEOUT_MS = MINUTE;

/** Keeps to the one recorded run until it ends. A run that is gone is lost: nothing is ever started again. */
export function decideRunning(seen: RunningExecution, now: Instant): Decision {
  const { object, run } = seen;
  const start = twoStepStart(object.status?.executionRef?.uid ?? '', lockedRun(run, object.metadata.uid));
  if (start.kind === 'Lost') return fail(seen, now, lost(object));
  if (run.kind !== 'value') return stay(object, now);
  return start.kind === 'Release' ? release(seen, run.value, now) : judge(seen, run.value, now);
}

function judge(seen: RunningExecution, run: KubeObject, now: Instant): Decision {
  const engine = engineOf(run);
  const end = engine.endOf(run);
  if (end) return judgeEnd(seen, run, { now, end });
  if (engine.isSuspended(run)) return fail(seen, now, suspended(run));
  if (!isToStop(seen, now)) return follow(seen, run, now);
  return askToStop(seen, run, now) ?? cutShort(seen, run, now);
}

function judgeEnd(seen: RunningExecution, run: KubeObject, { now, end }: { readonly now: Instant; readonly end: RunResult }): Decision {
  if (end.succeeded) return completed(seen, run, now);
  return end.isStopped && isToStop(seen, now) ? cutShort(seen, run, now) : failed(seen, run, { now, end: end.at ?? now });
}

const isToStop = ({ object, request }: RunningExecution, now: Instant): boolean =>
  whyStop(object, needed(request)) !== undefined || isLate(object, now);

/** The run was cut short, because its request no longer wants it, or its time was up. */
function cutShort(seen: RunningExecution, run: KubeObject, now: Instant): Decision {
  const why = whyStop(seen.object, needed(seen.request));
  return why === undefined ? overdue(seen, run, now) : stopped(seen, run, { now, why });
}

/** A run that stops on request is waited for, within a limit: only then it is certain what it had begun. */
function askToStop({ object }: RunningExecution, run: KubeObject, now: Instant): Decision | undefined {
  const engine = engineOf(run);
  if (!engine.stop || isLate(object, after(now, -STOP_TIMEOUT_MS))) return undefined;
  const stop = engine.stop(run);
  const executionStatus = { status: 'Stopping', ...engine.progressOf(run) };
  return stay(object, now, { set: { executionStatus }, effects: stop ? [stop] : [] });
}

/** The end of an execution whose run disappeared; simulation holds it against what really happened to the run. */
export const RUN_LOST = 'recorded in status no longer exists, so it is unknown how far it got';

const lost = ({ status }: RunningExecution['object']): ExecutionFailure => ({
  reason: 'Unknown',
  message: `the ${status?.executionRef?.kind ?? 'run'} ${RUN_LOST}`,
  started: true,
});

const suspended = ({ kind }: KubeObject): ExecutionFailure => ({
  reason: 'Unknown',
  message: `the ${kind} was suspended after it had been released; resuming it would run the workflow a second time`,
  started: true,
});

/** A crash came between record and release. Whether it may still run is asked again; if not, nothing has happened yet. */
function release(seen: RunningExecution, run: KubeObject, now: Instant): Decision {
  const { object } = seen;
  if (now >= startBefore(object))
    return fail(seen, now, { reason: 'DeadlineExceeded', message: 'it could not start in time', started: false });
  const admission = mayRelease(object, needed(seen.request), needed(seen.target));
  if (admission.kind === 'Refuse') return fail(seen, now, refusal(admission.message));
  return admission.kind === 'Go' ? releaseInBudget(seen, run, now) : stay(object, now);
}

/** Its claim was made before, but may have been taken away since, or everything was paused. */
function releaseInBudget({ object, budget, settings }: RunningExecution, run: KubeObject, now: Instant): Decision {
  const leave = askBudget(needed(budget), settings, now);
  if (leave.kind === 'Claimed') return stay(object, now, { effects: [engineOf(run).release(run)] });
  if (leave.kind === 'Granted') return stay(object, now, { effects: [leave.effect] });
  const { reason, message } = leave.ready;
  return stay(object, now, {
    ...leave,
    set: { executionStatus: { status: 'Waiting', reason, message, ...engineOf(run).progressOf(run) } },
  });
}

const completed = (seen: RunningExecution, run: KubeObject, now: Instant): Decision =>
  complete(seen.object, now, { said: story(seen, run).said, progress: engineOf(run).progressOf(run) });

function failed(seen: RunningExecution, run: KubeObject, { now, end }: { readonly now: Instant; readonly end: Instant }): Decision {
  const { object, pods, events } = seen;
  const isOpen = pods.kind !== 'value' || events.kind !== 'value';
  if (isOpen && now < after(end, STOP_TIMEOUT_MS)) return stay(object, now, { wakeAt: after(end, STOP_TIMEOUT_MS) });
  return fail(seen, now, engineOf(run).failureOf(run, story(seen, run)));
}

/** Its request no longer wants it: it is deleted as soon as that is recorded in status, and the lock is kept until it has really stopped. */
const stopped = (seen: RunningExecution, run: KubeObject, { now, why }: { readonly now: Instant; readonly why: string }): Decision =>
  fail(seen, now, {
    reason: 'Unknown',
    message: `it was stopped, because ${why}`,
    ...STOP_ADVICE,
    started: story(seen, run).started,
  });

const STOP_ADVICE = { advice: 'Nothing else is tried for this request.', isUncounted: true } as const;

/** The run should have ended itself a minute ago; it is deleted as soon as the failure is recorded in status. */
function overdue(seen: RunningExecution, run: KubeObject, now: Instant): Decision {
  const told = story(seen, run);
  const { started, obstacle, disruption } = told;
  if (disruption || (!started && obstacle)) return fail(seen, now, engineOf(run).failureOf(run, told));
  return fail(seen, now, { reason: 'DeadlineExceeded', message: 'it did not finish in time, so it was stopped', started });
}

/** Shows, and so remembers, what keeps the workflow from beginning, or what happens to its pod: a run out of time takes its pods with it. */
function follow(seen: RunningExecution, run: KubeObject, now: Instant): Decision {
  const { object, pods } = seen;
  if (pods.kind !== 'value') return stay(object, now);
  const engine = engineOf(run);
  const { started, obstacle, disruption } = story(seen, run);
  const [status, told] = !started && obstacle ? ['Waiting', obstacle] : ['Running', started ? disruption : undefined];
  return stay(object, now, { set: { executionStatus: { status, ...told, ...engine.progressOf(run) } } });
}

/** Pods that cannot be read may have done anything. */
const story = (seen: RunningExecution, run: KubeObject): PodEvidence =>
  seen.pods.kind === 'value' ? engineOf(run).evidenceOf(run, seen.pods.value, remembered(seen), needed(seen.events)) : { started: true };

function remembered({ object }: RunningExecution): RecordedState | undefined {
  const known = object.status?.executionStatus;
  return known && { reason: known.reason ?? '', message: known.message ?? '', started: known.status !== 'Waiting' };
}
