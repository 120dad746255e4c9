import { MOST_REMEDIATIONS } from '../../../api/machine-health-check/status.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import { saysWhyNot } from '../requests/claim.ts';
import { handOut, keep, markedAt, type Course } from '../requests/request-remediation.ts';
import type { CheckSeen, TargetSeen } from './observe-check.ts';
import type { ReadCheck } from '../targets/parse-check.ts';
import { counted, forgottenAt, givenUp, isUsedUp, remembered, type Attempts } from '../safeguards/attempt-limit.ts';
import type { Barrier } from '../safeguards/remediation-block.ts';
import { beingDeleted } from '../safeguards/being-deleted.ts';
import { coolDown, type Storm } from '../safeguards/cool-down.ts';
import { healthySince, stillDelayed } from '../safeguards/healthy-delay.ts';
import { roomFor, tooManyInFlight } from '../safeguards/max-in-flight.ts';
import { observeOnly } from '../safeguards/observe-only.ts';
import { pauseRequested } from '../safeguards/pause-requests.ts';
import type { Statement } from '../conditions/cluster-api-conditions.ts';
import { isWell, release, takeBack } from '../requests/withdraw-request.ts';

type Seen = CheckSeen & { readonly read: ReadCheck };

/** What a gate says: open, or closed, and then whether because of too many. */
export interface GateSeen {
  readonly isOpen: boolean;
  readonly isStorm: boolean;
}

/** What becomes of all Machines of a check, and what it has to remember and to say of that. */
export interface Courses {
  readonly courses: readonly Course[];
  /** Why no more begin although the gate is open. */
  readonly barrier?: Barrier;
  readonly storm: Storm;
  readonly attempts: Attempts | undefined;
  readonly statements: readonly Statement[];
  /** When something of this changes by itself. */
  readonly until: readonly Instant[];
}

interface When {
  readonly isOpen: boolean;
  readonly now: Instant;
}

/** Goes on with what is on record, then lets as many others begin as the safeguards allow, those first that have failed for longest. */
export function coursesOf(seen: Seen, gate: GateSeen, now: Instant): Courses {
  const { safeguards } = seen.read.check;
  const { storm, barrier: cooling } = coolDown(seen.object.status?.storm, { ...safeguards, isStorm: gate.isStorm }, now);
  const barred = beingDeleted(seen.object) ?? cooling ?? pauseRequested(safeguards.pauseRequests);
  const isHeld = barred !== undefined || safeguards.observeOnly;
  const past = pastAttempts(seen, now);
  const goingOn = coursesOnRecord(seen, { isOpen: gate.isOpen && !isHeld, now });
  const { quiet: beside, eager } = coursesBeside(seen, { isOpen: gate.isOpen, now }, past);
  const quiet = withinRecord(goingOn, beside);
  const { begins, full } = withinFlight([...goingOn, ...quiet], eager, safeguards.maxInFlight);
  const barrier = barred ?? observeOnly(safeguards.observeOnly, namesOf(begins)) ?? full;
  const begun = isHeld ? [] : begins;
  return {
    courses: [...goingOn, ...quiet, ...begun],
    ...(barrier && { barrier }),
    storm,
    ...attemptsAfter(seen, { past, begun, now }),
    until: [...untilOf(cooling), ...forgottenAtAll(seen, past)],
  };
}

const untilOf = (barrier: Barrier | undefined): readonly Instant[] => (barrier?.until === undefined ? [] : [barrier.until]);

/** As many of the eager as there is room for, and who has to wait. The record is a limit of its own. */
function withinFlight(goingOn: readonly Course[], eager: readonly Course[], limit = MOST_REMEDIATIONS) {
  const most = Math.min(limit, MOST_REMEDIATIONS);
  const underWay = namesOf(goingOn.filter(({ isAskedOfNobody }) => !isAskedOfNobody));
  const room = Math.min(roomFor(underWay.length, most), roomFor(namesOf(goingOn).length, MOST_REMEDIATIONS));
  return { begins: eager.slice(0, room), full: tooManyInFlight({ underWay, waiting: namesOf(eager.slice(room)) }, most) };
}

/** Somebody may have been asked already for more than the record takes: those are left as they are until there is room. */
function withinRecord(goingOn: readonly Course[], quiet: readonly Course[]): readonly Course[] {
  const room = roomFor(namesOf(goingOn).length, MOST_REMEDIATIONS);
  return [...quiet.filter(({ entry }) => !entry), ...quiet.filter(({ entry }) => entry).slice(0, room)];
}

/** What is on record is looked after, whatever else holds. */
function coursesOnRecord(seen: Seen, when: When): readonly Course[] {
  const { released = [], targets } = seen;
  const known = targets.filter(({ entry }) => entry).map((target) => dated(courseOf(seen, target, when), target));
  return [...released.map((one) => release(one, when.now)), ...known];
}

/** Of the others: those of whom nobody is to be asked now, and those of whom somebody is, in the order in which they failed. */
function coursesBeside(seen: Seen, when: When, past: Attempts) {
  const limit = seen.read.check.safeguards.attempts;
  const beside = seen.targets.filter((target) => !target.entry && !isOutOfIt(target));
  const courses = beside.map((target) => ({ course: courseOf(seen, target, when), failedAt: markedAt(target.target.machine) ?? when.now }));
  const eager = courses
    .filter(({ course: { begins, entry } }) => begins && !(limit && entry && isUsedUp(past, entry.machine, limit)))
    .toSorted((a, b) => a.failedAt - b.failedAt);
  return { quiet: courses.map(({ course }) => course).filter(({ begins }) => !begins), eager: eager.map(({ course }) => course) };
}

function courseOf(seen: Seen, target: TargetSeen, { isOpen, now }: When): Course {
  if (!isWell(target)) return target.verdict.kind === 'unhealthy' ? handOut(seen, target, { isOpen, now }) : keep(target, now);
  const until = target.entry && stillDelayed(target.target.machine, seen.read.check.safeguards.healthyDelayMs, now);
  return until === undefined ? takeBack(target, seen.read.name, now) : { ...keep(target, now), wakeAt: until };
}

/** Well, and neither on record nor asked about, nor saying why not: nothing becomes of it. Of thousands, nearly all. */
const isOutOfIt = ({ verdict, entry, looksFor, target: { machine } }: TargetSeen): boolean =>
  verdict.kind === 'healthy' && !entry && !looksFor && !saysWhyNot(machine);

/** An entry says since when the Machine is well, if it is and yet on record. */
function dated(course: Course, { target: { machine } }: TargetSeen): Course {
  if (!course.entry) return course;
  const { healthySince: _, ...entry } = course.entry;
  const since = healthySince(machine);
  return { ...course, entry: since === undefined ? entry : { ...entry, healthySince: toTime(since) } };
}

const namesOf = (courses: readonly Course[]): readonly string[] => courses.flatMap(({ entry }) => entry?.machine ?? []);

const machinesOf = ({ targets }: Seen) => targets.map(({ target }) => target.machine);

function pastAttempts(seen: Seen, now: Instant): Attempts {
  const limit = seen.read.check.safeguards.attempts;
  return limit ? remembered(seen.object.status?.attempts ?? [], machinesOf(seen), { limit, now, aside: seen.aside }) : [];
}

/** The attempts with those that begin now, and who is given up; nothing without a limit. */
function attemptsAfter(
  seen: Seen,
  { past, begun, now }: { readonly past: Attempts; readonly begun: readonly Course[]; readonly now: Instant },
): Pick<Courses, 'attempts' | 'statements'> {
  const limit = seen.read.check.safeguards.attempts;
  if (!limit) return { attempts: undefined, statements: [] };
  const attempts = counted(
    past,
    begun.flatMap(({ entry }) => entry ?? []),
    now,
  );
  const lost = seen.targets
    .filter(({ verdict, entry }) => verdict.kind === 'unhealthy' && !entry)
    .map(({ target }) => target.machine.metadata.name)
    .filter((name) => isUsedUp(past, name, limit));
  return { attempts: attempts.slice(0, MOST_REMEDIATIONS), statements: [givenUp(lost, limit)] };
}

/** A Machine that stays well is looked at when its attempts can be forgotten: nobody could tell later that it was well for so long. */
function forgottenAtAll(seen: Seen, past: Attempts): readonly Instant[] {
  const limit = seen.read.check.safeguards.attempts;
  return limit ? forgottenAt(past, machinesOf(seen), limit) : [];
}
