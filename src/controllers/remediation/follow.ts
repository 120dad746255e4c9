import type { KubeObject } from '../../api/meta.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { assertNever, parseTime, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/controller.ts';
import type { Child } from './child.ts';
import { end, HOLD_OFF, referenceTo, stay, type Ending, type RemediationStatus } from './status.ts';
import { timedOut, type Deadline } from './timeouts.ts';

/** A phase that waits for one child, as a table over what has the child's name. */
export interface Step<T> {
  readonly phase: 'Processing' | 'Analyzing' | 'Executing';
  readonly stage: Stage;
  readonly child: Child<T>;
  readonly reference: 'signalProcessingRef' | 'aiAnalysisRef' | 'workflowExecutionRef';
  readonly deadline: Deadline;
  /** The child does not exist yet. */
  create(): Decision;
  /** What follows from what the child has come to; undefined while it is at work. The request names the child. */
  follow(object: T, request: RemediationRequest): Decision | undefined;
  /** What the child is doing, for the message when time runs out. */
  describe(object: T): string;
  /** Whether the child may have changed the target already; not so where nothing is said. */
  mayHaveActed?(object: T): boolean;
}

/** Where a request failed, as `failurePhase` says it. */
export type Stage = 'SignalProcessing' | 'AIAnalysis' | 'WorkflowExecution';

/** Waits for a child, on the record of the request. What cannot be read is waited for, however late it is. */
export function followChild<T extends KubeObject>(request: RemediationRequest, step: Step<T>, now: Instant): Decision {
  const { child, deadline, phase, stage } = step;
  const wait = { now, deadline: deadline.at };
  const isLate = now >= deadline.at;
  switch (child.kind) {
    case 'unknown':
      return stay(request, { now });
    case 'foreign':
      return end(request, failed(stage, `${child.text} is not of this request: delete it if nobody needs it; nothing was run`), now);
    case 'lost':
      return end(request, lost(stage), now);
    case 'leftOver':
      return isLate
        ? end(request, timedOut(phase, deadline, `the ${stage} of an earlier request of its name is still there`), now)
        : stay(request, wait);
    case 'none':
      return isLate ? end(request, timedOut(phase, deadline, `its ${stage} could not be created`), now) : step.create();
    case 'ours':
      return followOurs(request, step, { object: child.object, now });
    default:
      return assertNever(child);
  }
}

function followOurs<T extends KubeObject>(
  request: RemediationRequest,
  step: Step<T>,
  { object, now }: { readonly object: T; readonly now: Instant },
): Decision {
  const known = withReference(request, step.reference, object);
  const next = step.follow(object, known);
  if (next) return next;
  return now >= step.deadline.at ? end(known, tooLate(step, object), now) : stay(known, { now, deadline: step.deadline.at });
}

function tooLate<T>({ phase, deadline, describe, mayHaveActed }: Step<T>, object: T): Ending {
  const ending = timedOut(phase, deadline, describe(object));
  return mayHaveActed?.(object) === true ? untilReviewed(ending) : ending;
}

/** Something was done to the target and nobody knows how it is now: nothing is tried again before a person has looked. */
export const untilReviewed = (ending: Ending): Ending => ({
  ...ending,
  holdOffMs: HOLD_OFF.untilReviewedMs,
  status: { ...ending.status, requiresManualReview: true },
});

/** A child that gave up because its time was over failed for want of time, whoever noticed it first. */
export function gaveUpAt(deadline: Deadline, endedAt: string | undefined): boolean {
  const at = parseTime(endedAt);
  return at !== undefined && at >= deadline.at;
}

/** A failure at a stage. */
export const failed = (stage: Stage, reason: string, status: Partial<RemediationStatus> = {}): Ending => ({
  phase: 'Failed',
  message: reason,
  holdOffMs: HOLD_OFF.afterFailureMs,
  status: { failurePhase: stage, failureReason: reason, ...status },
});

const lost = (stage: Stage): Ending =>
  untilReviewed(failed(stage, `the ${stage} on record was deleted, so that nobody knows what it did: look at the target`));

const withReference = (request: RemediationRequest, reference: Step<unknown>['reference'], object: KubeObject): RemediationRequest => ({
  ...request,
  status: { ...request.status, [reference]: referenceTo(object) },
});
