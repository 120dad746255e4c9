import { gateAllows, isStorm, remediationsLeft, type Gate, type Headcount } from '../../../api/machine-health-check/unhealthy-limit.ts';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { templateField } from '../../../api/machine-health-check/normalise.ts';
import { MOST_TARGETS } from '../../../api/machine-health-check/status.ts';
import { after, assertNever, MINUTE, SECOND, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { coursesOf, type Courses } from './plan-remediation.ts';
import { isLeftToOthers, type Course } from '../requests/request-remediation.ts';
import type { CheckSeen, TargetSeen, TemplateSeen } from './observe-check.ts';
import type { ReadCheck } from '../targets/parse-check.ts';
import { reachability } from '../conditions/nodes-reachable.ts';
import { someOf, type Barrier } from '../safeguards/remediation-block.ts';
import { state, type Statement } from '../conditions/cluster-api-conditions.ts';
import { release } from '../requests/withdraw-request.ts';
import { availability, isLacking, withoutFormerTemplate } from '../requests/template-available.ts';

/** What cannot be read is asked for again, and so is a template: its kind is not watched. */
const LOOK_AGAIN_MS = MINUTE / 2;

type Seen = CheckSeen & { readonly read: ReadCheck };

/** Counts the Machines of a check, holds the number against its gate, and asks for the remediation of those that fail. */
export function decideCheck(seen: CheckSeen, now: Instant): Decision {
  const { object, read, pausedBy, blind } = seen;
  if (read.kind === 'invalid') return only(object, [invalid(read.problems), UNFIT], now);
  if (pausedBy.length > 0) return only(object, [VALID, paused(pausedBy)], now);
  if (blind !== undefined)
    return { ...only(object, [VALID, RUNNING, closed('TargetsUnknown', blind)], now), wakeAt: after(now, LOOK_AGAIN_MS) };
  return judged({ ...seen, read }, now);
}

/** Says this, and leaves the figures as they are. */
const only = ({ status = {}, metadata }: MachineHealthCheck, statements: readonly Statement[], now: Instant): Decision => ({
  status: state(status, statements, { generation: metadata.generation ?? 0, now }),
  effects: [],
});

function judged(seen: Seen, now: Instant): Decision {
  const { object, targets, read, external } = seen;
  const { gate } = read.check;
  const count = whatDecides(gate, seen, now);
  const isOpen = gateAllows(gate, count);
  // Those that are well again hold their places at the gate, and are no storm.
  const plan = coursesOf(seen, { isOpen, isStorm: isStormy(seen) }, now);
  const { courses } = plan;
  const statements = [
    fitness(seen),
    RUNNING,
    allowed(seen, { isOpen, count, barrier: plan.barrier }),
    overlapping(targets),
    ...reachability(targets, object),
    ...availability(seen),
    ...plan.statements,
  ];
  const generation = object.metadata.generation ?? 0;
  const before = withoutFormerTemplate(without(object), external);
  const numbers = { ...before, ...figures(seen, count, gate), ...recordOf(plan, object), observedGeneration: generation };
  const isRestricted = !isOpen && targets.some(({ verdict }) => verdict.kind === 'unhealthy');
  const waits = [
    ...courses.flatMap(({ wakeAt }) => wakeAt ?? []),
    ...plan.until,
    ...(external?.nextSweep === undefined ? [] : [external.nextSweep]),
    ...(isLacking(external) ? [after(now, LOOK_AGAIN_MS)] : []),
    ...(isRecordShorter(courses, object) ? [after(now, SECOND)] : []),
  ];
  return {
    status: state(numbers, statements, { generation, now }),
    effects: [...courses.flatMap(({ effects }) => effects), ...(isRestricted ? [restrictedEvent(gate, count)] : [])],
    ...nextLook(targets, waits, now),
  };
}

/** Says where requests cannot be made of the template at all. */
function fitness({ object, external }: Seen): Statement {
  if (!external || isFit(external)) return VALID;
  const message = `the kind of the template, ${external.reference.kind}, does not end in Template`;
  return invalid([{ field: `${templateField(object)}.kind`, message }]);
}

const isFit = (external: TemplateSeen | undefined): boolean => external === undefined || external.requests !== undefined;

/** The status but for what is remembered anew each time. */
function without({ status = {} }: MachineHealthCheck): Omit<NonNullable<MachineHealthCheck['status']>, 'storm' | 'attempts'> {
  const { storm: _, attempts: __, ...rest } = status;
  return rest;
}

/** What is remembered: whom somebody was asked to mend, by name, and what safeguards need; nothing of what there is none. */
function recordOf({ courses, storm, attempts }: Courses, { status }: MachineHealthCheck) {
  const remediations = courses.flatMap(({ entry }) => entry ?? []).toSorted((a, b) => (a.machine < b.machine ? -1 : 1));
  return {
    ...((remediations.length > 0 || status?.remediations) && { remediations }),
    ...(storm && { storm }),
    ...(attempts && { attempts }),
  };
}

/** Whether more may be remediated now; if not, what is in the way. */
function allowed(
  { read, external, targets }: Seen,
  { isOpen, count, barrier }: { isOpen: boolean; count: Headcount; barrier: Barrier | undefined },
): Statement {
  if (!isFit(external)) return UNFIT;
  if (!isOpen) return closed('TooManyUnhealthy', whyClosed(read.check.gate, count));
  return barrier ? closed(barrier.reason, barrier.message) : open(targets);
}

/** Nothing is in the way, but for whoever says that they are at work on a Machine: nobody else could tell why it stays as it is. */
function open(targets: readonly TargetSeen[]): Statement {
  const left = targets.filter((target) => target.verdict.kind === 'unhealthy' && isLeftToOthers(target));
  const names = left.map(({ target }) => target.machine.metadata.name);
  const message =
    names.length === 0
      ? ''
      : `left to whoever says in ExternallyRemediated that they are at work: ${someOf(names)}. If nobody is, take that condition off`;
  return { type: 'RemediationAllowed', holds: true, reason: 'RemediationAllowed', message, old: { message } };
}

/** Whoever leaves the record counted until now, and nothing else tells that the gate is another. */
const isRecordShorter = (courses: readonly Course[], { status }: MachineHealthCheck): boolean => {
  const kept = new Set(courses.flatMap(({ entry }) => entry?.machine ?? []));
  return (status?.remediations ?? []).some(({ machine }) => !kept.has(machine));
};

/** The gate must let both counts through: those that are well again make it no wider where it wants a certain number of ill ones. */
function whatDecides(gate: Gate, seen: Seen, now: Instant): Headcount {
  const ill = headcount(seen);
  return gateAllows(gate, ill) ? atStake(seen, now) : ill;
}

/** Those not known to be healthy, and those on record: well again with a request still open, or paused in the middle of it. */
function atStake({ targets, names, released = [] }: Seen, now: Instant): Headcount {
  const { length } = names ?? targets;
  const stillOut = released.filter((one) => release(one, now).entry).length;
  const unhealthy = targets.filter(({ verdict, entry }) => verdict.kind !== 'healthy' || entry).length;
  return { total: length + stillOut, unhealthy: unhealthy + stillOut };
}

/** Only those that are known to be healthy count as such: a Machine whose time still runs may fail in the next moment. */
export const headcount = ({ targets, names }: Pick<CheckSeen, 'targets' | 'names'>): Headcount => ({
  total: (names ?? targets).length,
  unhealthy: targets.filter(({ verdict }) => verdict.kind !== 'healthy').length,
});

/** A storm begins with Machines of which something is known to be wrong. That nobody can look begins none, and ends none. */
function isStormy(seen: Seen): boolean {
  const { storm } = seen.object.status ?? {};
  const isOn = storm !== undefined && storm.calmSince === undefined;
  const { total, unhealthy } = headcount(seen);
  const unseen = isOn ? 0 : seen.targets.filter(({ verdict }) => verdict.kind === 'unjudged').length;
  return isStorm(seen.read.check.gate, { total, unhealthy: unhealthy - unseen });
}

function figures(seen: Seen, count: Headcount, gate: Gate) {
  const { total, unhealthy } = headcount(seen);
  const names = seen.names ?? seen.targets.map(({ target }) => target.machine.metadata.name).toSorted();
  return {
    expectedMachines: total,
    currentHealthy: total - unhealthy,
    remediationsAllowed: remediationsLeft(gate, count),
    targets: names.slice(0, MOST_TARGETS),
  };
}

/** When to look again: the first of the moments that are ahead of any target, and of the others. */
export function nextLook(targets: readonly TargetSeen[], others: readonly Instant[], now: Instant): { readonly wakeAt?: Instant } {
  const moments = targets.flatMap(({ verdict }) => {
    if (verdict.kind === 'waiting') return [verdict.until];
    return verdict.kind === 'unjudged' ? [after(now, LOOK_AGAIN_MS)] : [];
  });
  const all = [...moments, ...others];
  return all.length === 0 ? {} : { wakeAt: all.reduce((a, b) => (a < b ? a : b)) };
}

const VALID: Statement = { type: 'ConfigurationValid', holds: true, reason: 'Valid', message: '' };
const RUNNING: Statement = { type: 'Paused', holds: false, reason: 'NotPaused', message: '' };

const invalid = (problems: readonly { readonly field: string; readonly message: string }[]): Statement => ({
  type: 'ConfigurationValid',
  holds: false,
  reason: 'Invalid',
  message: problems.map(({ field, message }) => `${field}: ${message}`).join('; '),
});

const paused = (by: readonly string[]): Statement => ({ type: 'Paused', holds: true, reason: 'Paused', message: by.join(', ') });

const closed = (reason: string, message: string): Statement => ({
  type: 'RemediationAllowed',
  holds: false,
  reason,
  message,
  old: { reason, message },
});

const UNFIT = closed('ConfigurationInvalid', 'its spec cannot be carried out');

function whyClosed(gate: Gate, { total, unhealthy }: Headcount): string {
  return `${unhealthy} of ${total} Machines are not known to be healthy or still being remediated, and ${limitText(gate)}: nothing more is remediated until that changes`;
}

function limitText(gate: Gate): string {
  if (gate.kind === 'range') return `only from ${gate.min} to ${gate.max} may be`;
  const limit = gate.limit.unit === 'percent' ? shareText(gate.limit) : `${gate.limit.count}`;
  switch (gate.kind) {
    case 'atMost':
      return `at most ${limit} may be`;
    case 'below':
      return `it must be fewer than ${limit}`;
    default:
      return assertNever(gate);
  }
}

const shareText = ({ percent, atLeast }: { readonly percent: number; readonly atLeast?: number }): string =>
  atLeast === undefined ? `${percent}%` : `${percent}% or ${atLeast}, whichever is more,`;

const restrictedEvent = (gate: Gate, count: Headcount): Effect => ({
  kind: 'Event',
  type: 'Warning',
  reason: 'RemediationRestricted',
  message: whyClosed(gate, count),
});

/** Two checks over one Machine may contradict each other: each says so, and all of their gates must be open. */
function overlapping(targets: readonly TargetSeen[]): Statement {
  const shared = targets.filter(({ others }) => others.length > 0);
  if (shared.length === 0) return { type: 'Overlapping', holds: false, reason: 'Alone', message: '' };
  const names = [...new Set(shared.flatMap(({ others }) => others.map(({ name }) => name)))].toSorted();
  const message = `${shared.length} of its Machines are watched by ${names.join(', ')} too: give each group one check`;
  return { type: 'Overlapping', holds: true, reason: 'SharedMachines', message };
}
