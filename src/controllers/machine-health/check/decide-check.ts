import {
  gateAllows,
  isStorm,
  mostAllowed,
  remediationsLeft,
  type Gate,
  type Headcount,
} from '../../../api/machine-health-check/unhealthy-limit.ts';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { templateField } from '../../../api/machine-health-check/normalise.ts';
import { MOST_TARGETS } from '../../../api/machine-health-check/status.ts';
import { after, assertNever, formatDuration, MINUTE, SECOND, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { belongToCluster } from './belong-to-cluster.ts';
import { checkEvents } from './check-events.ts';
import { planRemediation, type RemediationPlan } from './plan-remediation.ts';
import { graceEnd, isLeftToOtherRemediator, type PlannedAction } from '../requests/request-remediation.ts';
import type { CheckObservation, TargetObservation, TemplateObservation } from './observe-check.ts';
import type { ParsedCheck } from '../targets/parse-check.ts';
import { machinesEvaluated } from '../conditions/machines-evaluated.ts';
import { nodesReachable } from '../conditions/nodes-reachable.ts';
import { shortList, type RemediationBlock } from '../safeguards/remediation-block.ts';
import { withConditions, type DesiredCondition } from '../conditions/cluster-api-conditions.ts';
import { withdrawFromDeselected } from '../requests/withdraw-request.ts';
import { templateAvailable, isTemplateMissing, withoutFormerTemplate } from '../requests/template-available.ts';
import { warningEvent } from '../../kubernetes-events.ts';

/** Retry interval for reads that failed, and for a missing template, whose kind is not watched. */
const RECHECK_INTERVAL_MS = MINUTE / 2;

type ValidCheckObservation = CheckObservation & { readonly parsed: ParsedCheck };

/** Counts the Machines of a check, applies the gate, and requests remediation of unhealthy Machines. */
export function decideCheck(seen: CheckObservation, now: Instant): Decision {
  const { object, parsed, pausedBy, targetsUnknown } = seen;
  if (parsed.kind === 'invalid') return withConditionsOnly(object, [invalid(parsed.problems), REMEDIATION_BLOCKED_BY_SPEC], now);
  if (pausedBy.length > 0) return withConditionsOnly(object, [VALID, paused(pausedBy)], now);
  if (targetsUnknown !== undefined)
    return {
      ...withConditionsOnly(object, [VALID, RUNNING, closed('TargetsUnknown', targetsUnknown)], now),
      wakeAt: after(now, RECHECK_INTERVAL_MS),
    };
  return decideValidCheck({ ...seen, parsed }, now);
}

/** Sets these conditions, and leaves the counts as they are. */
const withConditionsOnly = (
  { status = {}, metadata }: MachineHealthCheck,
  statements: readonly DesiredCondition[],
  now: Instant,
): Decision => ({
  status: withConditions(status, statements, { generation: metadata.generation ?? 0, now }),
  effects: [],
});

function decideValidCheck(seen: ValidCheckObservation, now: Instant): Decision {
  const { object, targets, parsed, external } = seen;
  const { gate } = parsed.check;
  const count = countForGate(gate, seen, now);
  const isOpen = gateAllows(gate, count);
  // Recovered Machines with an open remediation keep their slots in the gate, but do not count towards the cool-down.
  const plan = planRemediation(seen, { isOpen, isStorm: isTooManyUnhealthy(seen) }, now);
  const { actions } = plan;
  const statements = [
    configurationValid(seen),
    RUNNING,
    remediationAllowed(seen, { isOpen, count, block: plan.block, now }),
    overlapping(targets),
    ...nodesReachable(targets, object),
    ...machinesEvaluated(targets, object),
    ...templateAvailable(seen),
    ...plan.conditions,
  ];
  const generation = object.metadata.generation ?? 0;
  const before = withoutFormerTemplate(without(object), external);
  const numbers = { ...before, ...figures(seen, count, gate), ...recordOf(plan, object), observedGeneration: generation };
  const isRestricted = !isOpen && targets.some(({ verdict }) => verdict.kind === 'unhealthy');
  const waits = [
    ...actions.flatMap(({ wakeAt }) => wakeAt ?? []),
    ...plan.recheckAt,
    ...(external?.nextFullListAt === undefined ? [] : [external.nextFullListAt]),
    ...(isTemplateMissing(external) ? [after(now, RECHECK_INTERVAL_MS)] : []),
    ...(isRecordShorter(actions, object) ? [after(now, SECOND)] : []),
  ];
  const status = withConditions(numbers, statements, { generation, now });
  return {
    status,
    effects: [
      ...actions.flatMap(({ effects }) => effects),
      ...(isRestricted ? [restrictedEvent(gate, count)] : []),
      ...checkEvents({ before: object.status, after: status, actions, targets }),
      ...belongToCluster(object, seen.cluster),
    ],
    ...nextCheckEvaluation(targets, waits, now),
  };
}

/** Reports a template whose kind cannot be a template's. */
function configurationValid({ object, external }: ValidCheckObservation): DesiredCondition {
  if (!external || isTemplateKindValid(external)) return VALID;
  const message = `the kind of the template, ${external.reference.kind}, does not end in Template`;
  return invalid([{ field: `${templateField(object)}.kind`, message }]);
}

const isTemplateKindValid = (external: TemplateObservation | undefined): boolean =>
  external === undefined || external.requests !== undefined;

/** The status without the fields that each pass writes from scratch. */
function without({ status = {} }: MachineHealthCheck): Omit<NonNullable<MachineHealthCheck['status']>, 'storm' | 'attempts'> {
  const { storm: _, attempts: __, ...rest } = status;
  return rest;
}

/** What the status records: the requested remediations, sorted by name, and the state of the safeguards. Empty fields are left out. */
function recordOf({ actions, storm, attempts }: RemediationPlan, { status }: MachineHealthCheck) {
  const remediations = actions.flatMap(({ entry }) => entry ?? []).toSorted((a, b) => (a.machine < b.machine ? -1 : 1));
  return {
    ...((remediations.length > 0 || status?.remediations) && { remediations }),
    ...(storm && { storm }),
    ...(attempts && { attempts }),
  };
}

/** The condition RemediationAllowed: whether new remediations may start, or what blocks them. */
function remediationAllowed(
  { parsed, external, targets }: ValidCheckObservation,
  { isOpen, count, block, now }: { isOpen: boolean; count: Headcount; block: RemediationBlock | undefined; now: Instant },
): DesiredCondition {
  if (!isTemplateKindValid(external)) return REMEDIATION_BLOCKED_BY_SPEC;
  if (!isOpen) return closed('TooManyUnhealthy', whyClosed(parsed.check.gate, count));
  return block ? closed(block.reason, block.message) : open(targets, parsed.check.missingNodeGraceMs, now);
}

/** Remediation is allowed. Names the Machines for which none is requested all the same, since nothing else explains why they stay unhealthy. */
function open(targets: readonly TargetObservation[], graceMs: number, now: Instant): DesiredCondition {
  const left = namesOf(targets.filter((target) => target.verdict.kind === 'unhealthy' && isLeftToOtherRemediator(target)));
  const awaited = namesOf(targets.filter((target) => !target.entry && graceEnd(target, graceMs, now) !== undefined));
  const message = [
    ...(awaited.length > 0
      ? [`remediation of ${shortList(awaited)} waits ${formatDuration(graceMs)} for the Node that is gone to come back`]
      : []),
    ...(left.length > 0
      ? [`left to the remediators that set ExternallyRemediated on ${shortList(left)}. If none is at work, remove that condition`]
      : []),
  ].join('; ');
  return { type: 'RemediationAllowed', holds: true, reason: 'RemediationAllowed', message, old: { message } };
}

const namesOf = (targets: readonly TargetObservation[]): readonly string[] => targets.map(({ target }) => target.machine.metadata.name);

/** A Machine that leaves the record counted in this pass. No event reports the changed gate, so the check is evaluated again soon. */
const isRecordShorter = (actions: readonly PlannedAction[], { status }: MachineHealthCheck): boolean => {
  const kept = new Set(actions.flatMap(({ entry }) => entry?.machine ?? []));
  return (status?.remediations ?? []).some(({ machine }) => !kept.has(machine));
};

/** The gate must allow both counts: recovered Machines must not open a gate that requires a minimum of unhealthy ones. */
function countForGate(gate: Gate, seen: ValidCheckObservation, now: Instant): Headcount {
  const counted = countTargets(seen);
  return gateAllows(gate, counted) ? countWithOpenRemediations(seen, now) : counted;
}

/** Machines not known to be healthy, and recorded ones: recovered with a request still open, or paused during remediation. */
function countWithOpenRemediations({ targets, names, deselected = [] }: ValidCheckObservation, now: Instant): Headcount {
  const { length } = names ?? targets;
  const stillOut = deselected.filter((one) => withdrawFromDeselected(one, now).entry).length;
  const unhealthy = targets.filter(({ verdict, entry }) => verdict.kind !== 'healthy' || entry).length;
  return { total: length + stillOut, unhealthy: unhealthy + stillOut };
}

/** Only Machines known to be healthy count as healthy: one whose timeout still runs may fail at any moment. */
export const countTargets = ({ targets, names }: Pick<CheckObservation, 'targets' | 'names'>): Headcount => ({
  total: (names ?? targets).length,
  unhealthy: targets.filter(({ verdict }) => verdict.kind !== 'healthy').length,
});

/** Machines that could not be evaluated neither start the cool-down nor end it. */
function isTooManyUnhealthy(seen: ValidCheckObservation): boolean {
  const { storm } = seen.object.status ?? {};
  const isOn = storm !== undefined && storm.calmSince === undefined;
  const { total, unhealthy } = countTargets(seen);
  const unseen = isOn ? 0 : seen.targets.filter(({ verdict }) => verdict.kind === 'unjudged').length;
  return isStorm(seen.parsed.check.gate, { total, unhealthy: unhealthy - unseen });
}

function figures(seen: ValidCheckObservation, count: Headcount, gate: Gate) {
  const { total, unhealthy } = countTargets(seen);
  const names = seen.names ?? seen.targets.map(({ target }) => target.machine.metadata.name).toSorted();
  return {
    expectedMachines: total,
    currentHealthy: total - unhealthy,
    remediationsAllowed: remediationsLeft(gate, count),
    targets: names.slice(0, MOST_TARGETS),
  };
}

/** The next evaluation: the earliest moment at which a target, or anything else, changes by itself. */
export function nextCheckEvaluation(
  targets: readonly TargetObservation[],
  others: readonly Instant[],
  now: Instant,
): { readonly wakeAt?: Instant } {
  const moments = targets.flatMap(({ verdict }) => {
    if (verdict.kind === 'waiting') return [verdict.until];
    return verdict.kind === 'unjudged' ? [after(now, RECHECK_INTERVAL_MS)] : [];
  });
  const all = [...moments, ...others];
  return all.length === 0 ? {} : { wakeAt: all.reduce((a, b) => (a < b ? a : b)) };
}

const VALID: DesiredCondition = { type: 'ConfigurationValid', holds: true, reason: 'Valid', message: '' };
const RUNNING: DesiredCondition = { type: 'Paused', holds: false, reason: 'NotPaused', message: '' };

const invalid = (problems: readonly { readonly field: string; readonly message: string }[]): DesiredCondition => ({
  type: 'ConfigurationValid',
  holds: false,
  reason: 'Invalid',
  message: problems.map(({ field, message }) => `${field}: ${message}`).join('; '),
});

const paused = (by: readonly string[]): DesiredCondition => ({ type: 'Paused', holds: true, reason: 'Paused', message: by.join(', ') });

const closed = (reason: string, message: string): DesiredCondition => ({
  type: 'RemediationAllowed',
  holds: false,
  reason,
  message,
  old: { reason, message },
});

const REMEDIATION_BLOCKED_BY_SPEC = closed('ConfigurationInvalid', 'its spec is invalid: see the condition ConfigurationValid');

/** Begins as Cluster API's message does: tools match on it. */
function whyClosed(gate: Gate, { total, unhealthy }: Headcount): string {
  const limit = `${limitText(gate)}${shareComesTo(gate, total)}`;
  return `${clusterApiText(gate, { total, unhealthy })}: ${unhealthy} of ${total} Machines are unhealthy, unknown or being remediated; ${limit}. No further remediation is requested until that changes`;
}

function limitText(gate: Gate): string {
  if (gate.kind === 'range') return `the allowed range is ${gate.min} to ${gate.max}`;
  const limit = gate.limit.unit === 'percent' ? shareText(gate.limit) : `${gate.limit.count}`;
  switch (gate.kind) {
    case 'atMost':
      return `the limit is ${limit}`;
    case 'below':
      return `it must be fewer than ${limit}`;
    default:
      return assertNever(gate);
  }
}

function clusterApiText(gate: Gate, { total, unhealthy }: Headcount): string {
  const counts = `total: ${total}, unhealthy: ${unhealthy}`;
  const start = 'Remediation is not allowed, the number of not started or unhealthy machines';
  if (gate.kind === 'range') return `${start} does not fall within the range (${counts}, unhealthyRange: [${gate.min}-${gate.max}])`;
  const { limit } = gate;
  return `${start} exceeds maxUnhealthy (${counts}, maxUnhealthy: ${limit.unit === 'percent' ? `${limit.percent}%` : limit.count})`;
}

/** The number that a percentage comes to. */
const shareComesTo = (gate: Gate, total: number): string =>
  gate.kind !== 'range' && gate.limit.unit === 'percent' ? ` (at most ${Math.max(mostAllowed(gate, total), 0)} of ${total})` : '';

const shareText = ({ percent, atLeast }: { readonly percent: number; readonly atLeast?: number }): string =>
  atLeast === undefined ? `${percent}%` : `${percent}% or ${atLeast}, whichever is more`;

const restrictedEvent = (gate: Gate, count: Headcount): Effect => warningEvent('RemediationRestricted', whyClosed(gate, count));

/** Two checks that select one Machine may contradict each other: each reports the overlap, and all of their gates must be open. */
function overlapping(targets: readonly TargetObservation[]): DesiredCondition {
  const shared = targets.filter(({ others }) => others.length > 0);
  if (shared.length === 0) return { type: 'Overlapping', holds: false, reason: 'Alone', message: '' };
  const names = [...new Set(shared.flatMap(({ others }) => others.map(({ name }) => name)))].toSorted();
  const message = `${shared.length} of its Machines are also selected by MachineHealthCheck ${names.join(', ')}. Next: select each Machine with one check only`;
  return { type: 'Overlapping', holds: true, reason: 'SharedMachines', message };
}
