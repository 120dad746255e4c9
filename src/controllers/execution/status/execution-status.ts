import type { Condition } from '../../../api/meta.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, formatDuration, instant, parseTime, SECOND, toTime, type Instant } from '../../../base/index.ts';
import { setCondition } from '../../../kube/objects/conditions.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import type { RunProgress } from '../engines/engine.ts';
import { CONTAINER } from '../engines/job/job-draft.ts';
import type { Settings } from '../../settings.ts';
import { summaryOf, type ExecutionFailure } from './failure.ts';
import { countFailure, withoutFailures } from '../history/index.ts';
import { workflowOf } from '../names.ts';
import { normalEvent, warningEvent } from '../../kubernetes-events.ts';

export type ExecutionStatus = NonNullable<WorkflowExecution['status']>;
export type SkipDetails = NonNullable<ExecutionStatus['skipDetails']>;

/** An execution, and the settings that its end is judged by. */
export interface FinishedContext {
  readonly object: WorkflowExecution;
  readonly settings: Settings;
}

/** Watches are the fast path; this is the bound within which any change is noticed. */
export const RECHECK_INTERVAL_MS = 10 * SECOND;

/** A condition that the decision sets, without what follows by itself. */
export type Wanted = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** The status with some members changed, the conditions set, and the generation noted. */
export function statusOf(
  { metadata, status }: WorkflowExecution,
  now: Instant,
  change: { readonly set?: Partial<ExecutionStatus>; readonly conditions?: readonly Wanted[] },
): ExecutionStatus {
  const observedGeneration = metadata.generation ?? 1;
  let conditions = status?.conditions as readonly Condition[] | undefined;
  for (const wanted of change.conditions ?? []) conditions = setCondition(conditions, { ...wanted, observedGeneration }, now);
  return { ...status, ...change.set, observedGeneration, ...(conditions ? { conditions: [...conditions] } : {}) };
}

/** Stays where it is and says why; `wakeAt` is never later than the bound. */
export function stay(object: WorkflowExecution, now: Instant, { effects = [], wakeAt, ...change }: StayOptions = {}): Decision {
  const latest = after(now, RECHECK_INTERVAL_MS);
  return { status: statusOf(object, now, change), effects, wakeAt: wakeAt !== undefined && wakeAt < latest ? wakeAt : latest };
}

export interface StayOptions {
  readonly effects?: readonly Effect[];
  readonly wakeAt?: Instant;
  readonly set?: Partial<ExecutionStatus>;
  readonly conditions?: readonly Wanted[];
}

/** Stays where it is, for the reason that people see. */
export const wait = (object: WorkflowExecution, now: Instant, ready: Wanted, effects: readonly Effect[] = []): Decision =>
  stay(object, now, { conditions: [ready], effects });

/** The usual way to a start takes no time; it is one state for people, and one write. */
export const STARTING: Wanted = {
  type: 'Ready',
  status: 'False',
  reason: 'Pending',
  message: 'waiting for its request, its lock and its run',
};

/** Not ready, and why: what a person sees while an execution waits. */
export const waiting = (reason: string, message: string): Wanted => ({ type: 'Ready', status: 'False', reason, message });

/** Ends it, with everything that follows from the failure in one write. */
export function fail({ object, settings }: FinishedContext, now: Instant, failure: ExecutionFailure): Decision {
  const { reason, message } = failure;
  const failureDetails = detailsOf(object, now, failure);
  const set: Partial<ExecutionStatus> = {
    ...ended('Failed', object, now),
    failureReason: reason,
    failureDetails,
    ...countFailure(object, now, { failure, settings: settings.execution }),
  };
  const status = statusOf(object, now, {
    set,
    conditions: [
      ...(object.status?.executionRef ? [over('False', reason, message)] : []),
      { type: 'Ready', status: 'False', reason, message },
    ],
  });
  const told: Effect = warningEvent('WorkflowFailed', failureDetails.naturalLanguageSummary);
  return { status, effects: [told], wakeAt: after(now, RECHECK_INTERVAL_MS) };
}

function detailsOf(object: WorkflowExecution, now: Instant, failure: ExecutionFailure): NonNullable<ExecutionStatus['failureDetails']> {
  const { reason, message, started, exitCode, task, step = CONTAINER } = failure;
  const { name = CONTAINER, index = 0 } = task ?? {};
  const took = elapsed(object, now);
  return {
    reason,
    message,
    naturalLanguageSummary: summaryOf(object, failure, took),
    failedAt: toTime(now),
    failedTaskName: name,
    failedTaskIndex: index,
    failedStepName: step,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(took === undefined ? {} : { executionTimeBeforeFailure: took }),
    wasExecutionFailure: started,
    requiresManualReview: started,
  };
}

/** It is not, or no longer, to run: nothing is wrong with the workflow or its rights. */
export const refusal = (message: string): ExecutionFailure => ({
  reason: 'Forbidden',
  message,
  started: false,
  isUncounted: true,
  advice: 'Check whether the target still needs remediation.',
});

/** `said` is what the workflow itself says that it did. A success resets the target's failure count. */
export function complete(
  object: WorkflowExecution,
  now: Instant,
  { said, progress }: { readonly said: string | undefined; readonly progress: RunProgress },
): Decision {
  const { targetResource } = object.spec;
  const message = `${workflowOf(object)} succeeded on ${targetResource}`;
  const status = statusOf({ ...object, status: withoutFailures(object.status) }, now, {
    set: {
      ...ended('Completed', object, now),
      executionStatus: { status: 'Completed', ...(said ? { message: said } : {}), ...progress },
    },
    conditions: [over('True', 'ExecutionSucceeded', message), { type: 'Ready', status: 'True', reason: 'Completed', message }],
  });
  return { status, effects: [normalEvent('WorkflowCompleted', message)], wakeAt: after(now, RECHECK_INTERVAL_MS) };
}

/** Nothing runs, and nothing will. */
export function skip(object: WorkflowExecution, now: Instant, details: Omit<SkipDetails, 'skippedAt'>): Decision {
  const { reason, message } = details;
  const status = statusOf(object, now, {
    set: { phase: 'Skipped', skipDetails: { ...details, skippedAt: toTime(now) } },
    conditions: [{ type: 'Ready', status: 'False', reason, message }],
  });
  return { status, effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
}

/** Nothing ends before it began, whatever our clock says. */
function ended(phase: 'Completed' | 'Failed', object: WorkflowExecution, now: Instant): Partial<ExecutionStatus> {
  const duration = elapsed(object, now);
  const end = instant(Math.max(now, parseTime(object.status?.startTime) ?? now));
  return { phase, completionTime: toTime(end), ...(duration === undefined ? {} : { duration }) };
}

function elapsed({ status }: WorkflowExecution, now: Instant): string | undefined {
  const start = parseTime(status?.startTime);
  return start === undefined ? undefined : formatDuration(Math.max(0, Math.floor((now - start) / SECOND) * SECOND));
}

const over = (status: 'True' | 'False', reason: string, message: string): Wanted => ({
  type: 'ExecutionComplete',
  status,
  reason,
  message,
});
