import type { Draft, KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { assertNever, parseTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import type { Child } from '../children/read-child.ts';
import { end, failed, untilReviewed, type Ending, type Stage } from '../end/end-request.ts';
import type { RemediationSeen } from '../observe.ts';
import { stay } from '../status.ts';
import { deadlineIn, timedOut, type Deadline, type TimedPhase } from '../timeouts.ts';

/** The phase that waits, and how long it may. */
export interface Waiting {
  readonly seen: RemediationSeen;
  readonly phase: TimedPhase | 'Pending';
  readonly deadline: Deadline;
  readonly now: Instant;
}

/** The child that the phase waits for. */
export interface Awaited<T> {
  readonly stage: Stage;
  readonly child: Child<T>;
  /** What follows where there is none: its draft, or the end; undefined waits. */
  create(): Decision | undefined;
  /** What follows from what the child has come to; undefined while it is at work. */
  follow(object: T): Decision | undefined;
  /** What the child is doing, for the message when time runs out. */
  describe(object: T): string;
  /** Whether the child may have changed the target already; not so where nothing is said. */
  mayHaveActed?(object: T): boolean;
}

/** Waits for a child. What cannot be read is waited for, however late it is; what has come to a result counts, however late it is seen. */
export function awaitChild<T extends KubeObject>(waiting: Waiting, awaited: Awaited<T>): Decision {
  const { seen, now } = waiting;
  const { child, stage } = awaited;
  switch (child.kind) {
    case 'unknown':
      return stay(seen.object, { now });
    case 'foreign':
      return end(seen, failed(stage, `${child.text} is not of this request: delete it if nobody needs it; nothing was run`), now);
    case 'lost':
      return end(seen, lost(stage), now);
    case 'leftOver':
      return orTooLate(waiting, () => undefined, `the ${stage} of an earlier request of its name is still there`);
    case 'none':
      return orTooLate(waiting, () => awaited.create(), `its ${stage} could not be created`);
    case 'ours':
      return awaited.follow(child.object) ?? atWork(waiting, awaited, child.object);
    default:
      return assertNever(child);
  }
}

function orTooLate({ seen, now, phase, deadline }: Waiting, next: () => Decision | undefined, waitedFor: string): Decision {
  if (now >= deadline.at) return end(seen, timedOut(phase, deadline, waitedFor), now);
  return next() ?? stay(seen.object, { now, deadline: deadline.at });
}

function atWork<T>({ seen, now, phase, deadline }: Waiting, { describe, mayHaveActed }: Awaited<T>, object: T): Decision {
  if (now < deadline.at) return stay(seen.object, { now, deadline: deadline.at });
  const ending = timedOut(phase, deadline, describe(object));
  return end(seen, mayHaveActed?.(object) === true ? untilReviewed(ending) : ending, now);
}

/** The first look at the child that the next phase is about. */
export interface Begun<T> {
  readonly stage: Stage;
  readonly resource: Resource;
  readonly child: Child<T>;
  /** Undefined where something that it needs is not known yet. */
  draft(): Draft | undefined;
  enter(object: T): Decision;
  /** How long it may take to come about: what the phase waited for has come to its end, so its clock no longer counts. */
  readonly until?: Deadline;
}

/**
 * Goes on to the next phase. Its child comes first and starts nothing by itself; once it is there, the phase and the child's UID go on
 * record in one write. A crash in between finds the child and goes on.
 */
export function begin<T extends KubeObject>(waiting: Waiting, { stage, resource, child, draft, enter, until }: Begun<T>): Decision {
  const { object, settings } = waiting.seen;
  const patient: Waiting = { ...waiting, deadline: until ?? deadlineIn('Pending', object, settings) };
  return awaitChild<T>(patient, {
    stage,
    child,
    create: () => {
      const found = draft();
      return found && create(patient, resource, found);
    },
    follow: enter,
    describe: ({ metadata }) => `${metadata.name} is there`,
  });
}

/** Creates a child and stays. */
export const create = ({ seen, now, deadline }: Waiting, resource: Resource, object: Draft): Decision =>
  stay(seen.object, { now, deadline: deadline.at }, { effects: [{ kind: 'Create', resource, object }] });

/** A child that gave up because its time was over failed for want of time, whoever noticed it first. */
export function gaveUpAt(deadline: Deadline, endedAt: string | undefined): boolean {
  const at = parseTime(endedAt);
  return at !== undefined && at >= deadline.at;
}

const lost = (stage: Stage): Ending =>
  untilReviewed(failed(stage, `the ${stage} on record was deleted, so that nobody knows what it did: look at the target`));
