import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, parseTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { twoStepStart, type Start } from '../../../runtime/reconcile/two-step-start.ts';
import { admit } from '../admission/admit.ts';
import { begin, failPlan, run, type StartPlan } from '../run/start-run.ts';
import { resolve } from '../catalogue/index.ts';
import { startBefore } from '../run/deadlines.ts';
import { acquireLock } from '../lock/acquire-lock.ts';
import { engineNamed } from '../engines/index.ts';
import { lockedRun } from '../run/locked-run.ts';
import type { ExecutionFailure } from '../status/failure.ts';
import { hasExecutionFinalizer, keep } from './execution-finalizer.ts';
import { lockHolder } from '../lock/lock-holder.ts';
import { BACKOFF_REASON, endsAt, judgeHistory, storedBlock, failuresOf, type HistoryVerdict } from '../history/index.ts';
import { judgeLock, type LockVerdict } from '../lock/judge-lock.ts';
import { isInAwx, needed, type PendingExecution } from '../observed-execution.ts';
import { withSelectedCondition } from './selected.ts';
import { fail, RECHECK_INTERVAL_MS, STARTING, refusal, skip, stay, wait, waiting } from '../status/execution-status.ts';
import { engineFault, specFault } from '../admission/validate-plan.ts';

/** Everything that keeps an execution from starting, in order; each step starts only what the ones before it allow. */
export function decidePending(pending: PendingExecution, now: Instant): Decision {
  const seen = inheriting(pending);
  const { object } = seen;
  // The phase was set back from outside. A recorded run was started once, and never is again.
  if (isOnRecord(object)) return stay(object, now, { set: { phase: 'Running' } });
  const start = twoStepStart(undefined, lockedRun(seen.run, object.metadata.uid));
  // It acts already, although this controller did not release it: what is left to do is to take its result.
  if (start.kind === 'ReleasedUnrecorded' && seen.run.kind === 'value') return run(seen, now, seen.run.value);
  const admission = admit(object, seen.request);
  if (admission.kind === 'Refuse') return fail(seen, now, refusal(admission.message));
  if (now >= startBefore(object)) return fail(seen, now, tooLate(seen));
  if (admission.kind === 'Wait')
    return wait(seen.object, now, isNew(object, now) ? STARTING : waiting('WaitingForRequest', admission.reason));
  return afterHistory(seen, now, start);
}

const isOnRecord = (object: WorkflowExecution): boolean => Boolean(object.status?.executionRef?.uid) || isInAwx(object);

/** Goes on with the target's count: whatever becomes of it, one status says all. */
function inheriting(seen: PendingExecution): PendingExecution {
  if (seen.history.kind === 'unreadable') return seen;
  const { consecutiveFailures: _, ...status } = seen.object.status ?? {};
  const { failures } = failuresOf(seen.history.value);
  return { ...seen, object: { ...seen.object, status: { ...status, ...(failures > 0 && { consecutiveFailures: failures }) } } };
}

/** The hand-shake comes a moment after the execution; only one that does not come is worth telling. */
const isNew = ({ metadata }: PendingExecution['object'], now: Instant): boolean =>
  now < after(parseTime(metadata.creationTimestamp) ?? now, RECHECK_INTERVAL_MS);

/** To wait for others, for room or for a cooldown is no trouble of the target; that the server refused the run may well be. */
const tooLate = (seen: PendingExecution): ExecutionFailure => ({
  reason: 'DeadlineExceeded',
  message: `it could not start before ${seen.object.spec.timesOutAt ?? 'its deadline'}: ${whyWaiting(seen)}`,
  started: false,
  ...(saysWhy(seen) === undefined ? {} : { isUncounted: true }),
});

/** What it said that it waited for; where all was on its way to the end, the server must have refused the next step. */
function whyWaiting(seen: PendingExecution): string {
  const { object, lock } = seen;
  const said = saysWhy(seen);
  if (said !== undefined) return said;
  const run = engineNamed(object.status?.executionEngine)?.resource.kind ?? 'run';
  const next = lock.kind === 'value' ? run : 'lock (a Lease)';
  return `its ${next} could not be created; the log of Sickbay has the answer of the API server`;
}

function saysWhy({ object }: PendingExecution): string | undefined {
  const ready = object.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready && ready.reason !== STARTING.reason ? ready.message : undefined;
}

/** What was done to the target before comes first: a plan that cannot be run does not get around it either. */
function afterHistory(seen: PendingExecution, now: Instant, start: Start): Decision {
  const { object, history, lock } = seen;
  if (history.kind === 'unreadable')
    return wait(seen.object, now, waiting('WaitingForHistory', `earlier executions on the target cannot be read: ${history.reason}`));
  if (!hasExecutionFinalizer(object)) return wait(seen.object, now, STARTING, [keep(object)]);
  const kept = lock.kind === 'value' ? storedBlock(lock.value) : undefined;
  const hold = judgeHistory(object.spec.targetResource, history.value, { settings: seen.settings, now, kept });
  if (hold.kind === 'Skip') return skip(object, now, hold.skip);
  const fault = specFault(object.spec);
  if (fault !== undefined) return failPlan(seen, now, { message: fault });
  const resolution = resolve(object, seen.catalogue);
  if (resolution.kind === 'Wait') return wait(seen.object, now, waiting('WaitingForCatalogue', resolution.reason));
  if (resolution.kind === 'Fault') return failPlan(seen, now, resolution.fault);
  return afterResolution(seen, now, { start, hold, spec: resolution.spec });
}

/** A plan that can be run, with nothing left open: it waits until the target may be worked on again. */
interface Resolved extends StartPlan {
  readonly hold: Exclude<HistoryVerdict, { kind: 'Skip' }>;
}

function afterResolution(seen: PendingExecution, now: Instant, { start, hold, spec }: Resolved): Decision {
  const { object } = seen;
  const fault = engineFault(spec);
  if (fault !== undefined) return failPlan(seen, now, { message: fault });
  const verdict = judgeLock({
    uid: object.metadata.uid,
    lock: seen.lock,
    run: lockedRun(seen.run, object.metadata.uid),
    holder: lockHolder(needed(seen.holder)),
    cooldownMs: seen.settings.cooldownMs,
    now,
  });
  if (hold.kind === 'Wait' && !isBetterReason(verdict, hold.until)) return backOff(object, now, hold);
  const ready = hold.kind === 'Wait' ? seen : withSelectedCondition(seen, now, verdict);
  return verdict.kind === 'Held' ? begin(ready, now, { start, spec }) : acquireLock(ready, now, verdict);
}

/** A run at work on the target, or a cooldown that ends later. */
const isBetterReason = (verdict: LockVerdict, until: Instant): boolean =>
  verdict.kind === 'Busy' || (verdict.kind === 'WaitForCooldown' && verdict.until > until);

/** Says so once for the whole wait. */
function backOff(object: WorkflowExecution, now: Instant, { until, message }: Extract<HistoryVerdict, { kind: 'Wait' }>): Decision {
  const said = object.status?.conditions?.find(({ type, reason }) => type === 'Ready' && reason === BACKOFF_REASON)?.message;
  const isSaid = said?.endsWith(endsAt(until)) === true;
  return stay(object, now, { conditions: [waiting(BACKOFF_REASON, isSaid ? said : message)], wakeAt: until });
}
