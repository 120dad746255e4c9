import { MOST_REMEDIATIONS } from '../../../api/machine-health-check/status.ts';
import { after, MINUTE, toTime, type Instant } from '../../../base/index.ts';
import { reportsNoRequest } from '../requests/claim.ts';
import { hasLostClaim } from '../requests/lost-claim.ts';
import { requestRemediation, keepRecorded, unhealthySince, type PlannedAction } from '../requests/request-remediation.ts';
import type { CheckObservation, TargetObservation } from './observe-check.ts';
import type { ParsedCheck } from '../targets/parse-check.ts';
import {
  withNewAttempts,
  attemptsExpireAt,
  givenUpCondition,
  isAttemptLimitReached,
  attemptsStillCounted,
  withoutLostAttempts,
  type Attempts,
} from '../safeguards/attempt-limit.ts';
import type { RemediationBlock } from '../safeguards/remediation-block.ts';
import { beingDeleted } from '../safeguards/being-deleted.ts';
import { coolDown, type Storm } from '../safeguards/cool-down.ts';
import { healthySince, healthyDelayEnd } from '../safeguards/healthy-delay.ts';
import { freeSlots, tooManyInFlight } from '../safeguards/max-in-flight.ts';
import { observeOnly } from '../safeguards/observe-only.ts';
import { pauseRequested } from '../safeguards/pause-requests.ts';
import type { DesiredCondition } from '../conditions/cluster-api-conditions.ts';
import { isNoLongerFailing, isReportedHealthy, withdrawFromDeselected, withdrawRequest } from '../requests/withdraw-request.ts';

type ValidCheckObservation = CheckObservation & { readonly parsed: ParsedCheck };

/** The state of the gate: open, or closed, and whether too many Machines are unhealthy. */
export interface GateResult {
  readonly isOpen: boolean;
  readonly isStorm: boolean;
}

/** The actions for all Machines of a check, and what its status records and reports about them. */
export interface RemediationPlan {
  readonly actions: readonly PlannedAction[];
  /** Why no new remediation starts although the gate is open. */
  readonly block?: RemediationBlock;
  readonly storm: Storm;
  readonly attempts: Attempts | undefined;
  readonly conditions: readonly DesiredCondition[];
  /** When any of this changes by itself. */
  readonly recheckAt: readonly Instant[];
}

interface When {
  readonly isOpen: boolean;
  readonly now: Instant;
}

/** Continues recorded remediations, then starts as many new ones as the safeguards allow, those of the longest unhealthy Machines first. */
export function planRemediation(seen: ValidCheckObservation, gate: GateResult, now: Instant): RemediationPlan {
  const { safeguards } = seen.parsed.check;
  const { storm, block: cooling } = coolDown(seen.object.status?.storm, { ...safeguards, isStorm: gate.isStorm }, now);
  const barred = beingDeleted(seen.object) ?? cooling ?? pauseRequested(safeguards.pauseRequests);
  const isHeld = barred !== undefined || safeguards.observeOnly;
  const past = attemptsSoFar(seen, now);
  const goingOn = actionsForRecorded(seen, { isOpen: gate.isOpen && !isHeld, now });
  const { quiet: beside, eager } = actionsForUnrecorded(seen, { isOpen: gate.isOpen, now }, past);
  const quiet = limitRecorded(goingOn, beside);
  const { isNewRemediation, full } = limitNewRemediations([...goingOn, ...quiet], eager, safeguards.maxInFlight);
  const block = barred ?? observeOnly(safeguards.observeOnly, namesOf(isNewRemediation)) ?? full;
  const begun = isHeld ? [] : isNewRemediation;
  return {
    actions: [...goingOn, ...quiet, ...begun],
    ...(block && { block }),
    storm,
    ...attemptsAfter(seen, { past, begun, now }),
    recheckAt: [...untilOf(cooling), ...attemptExpiries(seen, past)],
  };
}

const untilOf = (block: RemediationBlock | undefined): readonly Instant[] => (block?.until === undefined ? [] : [block.until]);

/** As many of the waiting actions as there are free slots. The maximum size of the record is a limit of its own. */
function limitNewRemediations(goingOn: readonly PlannedAction[], eager: readonly PlannedAction[], limit = MOST_REMEDIATIONS) {
  const most = Math.min(limit, MOST_REMEDIATIONS);
  const underWay = namesOf(goingOn.filter(({ hasNoRemediator }) => !hasNoRemediator));
  const room = Math.min(freeSlots(underWay.length, most), freeSlots(namesOf(goingOn).length, MOST_REMEDIATIONS));
  return { isNewRemediation: eager.slice(0, room), full: tooManyInFlight({ underWay, waiting: namesOf(eager.slice(room)) }, most) };
}

/** Requests may exist for more Machines than the record can hold: those are left unchanged until the record has room. */
function limitRecorded(goingOn: readonly PlannedAction[], quiet: readonly PlannedAction[]): readonly PlannedAction[] {
  const room = freeSlots(namesOf(goingOn).length, MOST_REMEDIATIONS);
  return [...quiet.filter(({ entry }) => !entry), ...quiet.filter(({ entry }) => entry).slice(0, room)];
}

/** Recorded Machines are handled even while new remediations are blocked. */
function actionsForRecorded(seen: ValidCheckObservation, when: When): readonly PlannedAction[] {
  const { deselected = [], targets } = seen;
  const known = targets.filter(({ entry }) => entry).map((target) => withHealthySince(actionFor(seen, target, when), target));
  return [...deselected.map((one) => withdrawFromDeselected(one, when.now)), ...known];
}

/** Machines without a record: those with nothing to start (`quiet`), and those to start (`eager`) in the order in which they failed. */
function actionsForUnrecorded(seen: ValidCheckObservation, when: When, past: Attempts) {
  const limit = seen.parsed.check.safeguards.attempts;
  const beside = seen.targets.filter((target) => !target.entry && !needsNoAction(target));
  const actions = beside.map((target) => ({
    action: actionFor(seen, target, when),
    failedAt: unhealthySince(target.target.machine) ?? when.now,
  }));
  const eager = actions
    .filter(
      ({ action: { isNewRemediation, entry } }) =>
        isNewRemediation && !(limit && entry && isAttemptLimitReached(past, entry.machine, limit)),
    )
    .toSorted((a, b) => a.failedAt - b.failedAt);
  return {
    quiet: actions.map(({ action }) => action).filter(({ isNewRemediation }) => !isNewRemediation),
    eager: eager.map(({ action }) => action),
  };
}

function actionFor(seen: ValidCheckObservation, target: TargetObservation, { isOpen, now }: When): PlannedAction {
  if (hasLostClaim(target, seen.parsed.name)) return { effects: [], wakeAt: after(now, MINUTE) };
  if (target.entry && isNoLongerFailing(target)) return withdrawRequest(target, seen.parsed.name, now);
  if (!isReportedHealthy(target))
    return target.verdict.kind === 'unhealthy' ? requestRemediation(seen, target, { isOpen, now }) : keepRecorded(target, now);
  const until = target.entry && healthyDelayEnd(target.target.machine, seen.parsed.check.safeguards.healthyDelayMs, now);
  return until === undefined ? withdrawRequest(target, seen.parsed.name, now) : { ...keepRecorded(target, now), wakeAt: until };
}

/** Healthy, not recorded, no request read, and no condition to clear. Of thousands, nearly all. */
const needsNoAction = ({ verdict, entry, requestKind, target: { machine } }: TargetObservation): boolean =>
  verdict.kind === 'healthy' && !entry && !requestKind && !reportsNoRequest(machine);

/** Records since when a recorded Machine is healthy. */
function withHealthySince(action: PlannedAction, { target: { machine } }: TargetObservation): PlannedAction {
  if (!action.entry) return action;
  const { healthySince: _, ...entry } = action.entry;
  const since = healthySince(machine);
  return { ...action, entry: since === undefined ? entry : { ...entry, healthySince: toTime(since) } };
}

const namesOf = (actions: readonly PlannedAction[]): readonly string[] => actions.flatMap(({ entry }) => entry?.machine ?? []);

const machinesOf = ({ targets }: ValidCheckObservation) => targets.map(({ target }) => target.machine);

function attemptsSoFar(seen: ValidCheckObservation, now: Instant): Attempts {
  const limit = seen.parsed.check.safeguards.attempts;
  if (!limit) return [];
  const lost = seen.targets.filter((target) => hasLostClaim(target, seen.parsed.name)).flatMap(({ entry }) => entry ?? []);
  const begun = withoutLostAttempts(seen.object.status?.attempts ?? [], lost);
  return attemptsStillCounted(begun, machinesOf(seen), { limit, now, deselectedWithAttempts: seen.deselectedWithAttempts });
}

/** The attempts including those that start now, and the Machines that reached the limit; nothing without a limit. */
function attemptsAfter(
  seen: ValidCheckObservation,
  { past, begun, now }: { readonly past: Attempts; readonly begun: readonly PlannedAction[]; readonly now: Instant },
): Pick<RemediationPlan, 'attempts' | 'conditions'> {
  const limit = seen.parsed.check.safeguards.attempts;
  if (!limit) return { attempts: undefined, conditions: [] };
  const attempts = withNewAttempts(
    past,
    begun.flatMap(({ entry }) => entry ?? []),
    now,
  );
  const lost = seen.targets
    .filter(({ verdict, entry }) => verdict.kind === 'unhealthy' && !entry)
    .map(({ target }) => target.machine.metadata.name)
    .filter((name) => isAttemptLimitReached(past, name, limit));
  return { attempts: attempts.slice(0, MOST_REMEDIATIONS), conditions: [givenUpCondition(lost, limit)] };
}

/** A healthy Machine is evaluated when its attempts expire: later it may no longer be possible to tell how long it was healthy. */
function attemptExpiries(seen: ValidCheckObservation, past: Attempts): readonly Instant[] {
  const limit = seen.parsed.check.safeguards.attempts;
  return limit ? attemptsExpireAt(past, machinesOf(seen), limit) : [];
}
