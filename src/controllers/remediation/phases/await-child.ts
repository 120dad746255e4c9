import type { Draft, KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { assertNever, parseTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import type { Child } from '../children/read-child.ts';
import { endRequest, failedAt, untilReviewed, type RequestEnding, type FailurePhase } from '../end/end-request.ts';
import type { RemediationSeen } from '../observe.ts';
import { stayInPhase } from '../status.ts';
import { deadlineIn, timedOut, type Deadline, type TimedPhase } from '../timeouts.ts';

/** The phase that waits for a child, and until when. */
export interface Waiting {
  readonly seen: RemediationSeen;
  readonly phase: TimedPhase | 'Pending';
  readonly deadline: Deadline;
  readonly now: Instant;
}

/** The child that the phase waits for. */
export interface AwaitedChild<T> {
  readonly stage: FailurePhase;
  readonly child: Child<T>;
  /** The decision where the child does not exist: create it, or end the request; undefined waits. */
  create(): Decision | undefined;
  /** The decision from the child's result; undefined while it has none. */
  follow(object: T): Decision | undefined;
  /** What the child was doing, for the message when the time limit passes. */
  describe(object: T): string;
  /** Whether the child may have changed the target already; absent: it cannot have. */
  mayHaveActed?(object: T): boolean;
}

/** Waits for a child. An unreadable child is waited for past the time limit; a result counts even if it is read after the time limit. */
export function awaitChild<T extends KubeObject>(waiting: Waiting, awaited: AwaitedChild<T>): Decision {
  const { seen, now } = waiting;
  const { child, stage } = awaited;
  switch (child.kind) {
    case 'unknown':
      return stayInPhase(seen.object, { now });
    case 'foreign':
      return endRequest(
        seen,
        failedAt(stage, `${child.text} does not belong to this request: delete it if nothing else needs it; nothing was run`),
        now,
      );
    case 'lost':
      return endRequest(seen, lost(stage), now);
    case 'leftOver':
      return unlessTimedOut(waiting, () => undefined, `the ${stage} of an earlier request with the same name still exists`);
    case 'none':
      return unlessTimedOut(waiting, () => awaited.create(), `its ${stage} could not be created`);
    case 'ours':
      return awaited.follow(child.object) ?? waitForResult(waiting, awaited, child.object);
    default:
      return assertNever(child);
  }
}

function unlessTimedOut({ seen, now, phase, deadline }: Waiting, next: () => Decision | undefined, waitedFor: string): Decision {
  if (now >= deadline.at) return endRequest(seen, timedOut(phase, deadline, waitedFor), now);
  return next() ?? stayInPhase(seen.object, { now, deadline: deadline.at });
}

function waitForResult<T>({ seen, now, phase, deadline }: Waiting, { describe, mayHaveActed }: AwaitedChild<T>, object: T): Decision {
  if (now < deadline.at) return stayInPhase(seen.object, { now, deadline: deadline.at });
  const ending = timedOut(phase, deadline, describe(object));
  return endRequest(seen, mayHaveActed?.(object) === true ? untilReviewed(ending) : ending, now);
}

/** The next phase and the child that it waits for. */
export interface NextPhase<T> {
  readonly stage: FailurePhase;
  readonly resource: Resource;
  readonly child: Child<T>;
  /** Undefined while something that the draft needs is not known yet. */
  draft(): Draft | undefined;
  enter(object: T): Decision;
  /** Until when the child may be created. The current phase has its result, so that its own time limit no longer counts. */
  readonly until?: Deadline;
}

/**
 * Moves on to the next phase. Its child is created first and starts nothing by itself; once it exists, the phase and the child's UID are
 * recorded in one write. After a crash in between, the next pass finds the child and continues.
 */
export function enterNextPhase<T extends KubeObject>(
  waiting: Waiting,
  { stage, resource, child, draft, enter, until }: NextPhase<T>,
): Decision {
  const { object, settings } = waiting.seen;
  const patient: Waiting = { ...waiting, deadline: until ?? deadlineIn('Pending', object, settings) };
  return awaitChild<T>(patient, {
    stage,
    child,
    create: () => {
      const found = draft();
      return found && createChild(patient, resource, found);
    },
    follow: enter,
    describe: ({ metadata }) => `${metadata.name} exists`,
  });
}

/** Creates a child and stays in the phase. */
export const createChild = ({ seen, now, deadline }: Waiting, resource: Resource, object: Draft): Decision =>
  stayInPhase(seen.object, { now, deadline: deadline.at }, { effects: [{ kind: 'Create', resource, object }] });

/** Whether a child ended after the deadline: then it timed out, whether the child or this controller noticed it first. */
export function endedPastDeadline(deadline: Deadline, endedAt: string | undefined): boolean {
  const at = parseTime(endedAt);
  return at !== undefined && at >= deadline.at;
}

const lost = (stage: FailurePhase): RequestEnding =>
  untilReviewed(failedAt(stage, `the ${stage} was deleted, so that it is unknown what it did: check the target`));
