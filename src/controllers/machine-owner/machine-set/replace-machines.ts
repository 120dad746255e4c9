import { isControlPlaneNode } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { keyOf } from '../../../api/meta.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, SECOND, type Instant } from '../../../base/index.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import { budgetWords, createLedger, isClaimed, judgeBudget, writeLedger, type BudgetVerdict, type Claim } from '../../budget/index.ts';
import { isExcludedFromRemediation } from '../../machine-health/targets/parse-check.ts';
import {
  MACHINE_DELETING,
  withConditions,
  conditionOf,
  withoutCondition,
  type DesiredCondition,
} from '../../machine-health/conditions/cluster-api-conditions.ts';
import { ended, waiterOf, type BudgetSeen } from '../replacement-budget.ts';
import { isBeingReplaced, isKept, isLeaving, isOfControlPlane, isOfItsPool, isWellAgain } from '../machine-state.ts';
import type { PatientSeen, SetSeen } from './observe-set.ts';
import type { ReadSet } from './parse-set.ts';
import { normalEvent } from '../../kubernetes-events.ts';

/** What is done about the Machines of a set that are to be replaced. */
export interface Replacing {
  readonly effects: readonly Effect[];
  /** When the budget may have room again. */
  readonly roomAt: readonly Instant[];
}

/**
 * Lets go those that are well again, and replaces those that are not: as many at once as the set allows, and only with leave from the budget.
 * Those that wait say why.
 */
export function replace(seen: SetSeen & { readonly read: ReadSet }, now: Instant): Replacing {
  const { machines, patients, read } = seen;
  const concerned = patients.filter(({ machine }) => !isExcludedFromRemediation(machine)).toSorted(inOrder(seen.budget));
  const barred = concerned.flatMap((patient) => tell(patient, objection(patient), now));
  const eligible = concerned.filter((patient) => objection(patient) === undefined);
  const inFlight = machines.filter((machine) => isLeaving(machine) && isBeingReplaced(machine)).length;
  const room = Math.max(0, (read.maxInFlight ?? Infinity) - inFlight);
  const queued = eligible.slice(room).flatMap((patient) => tell(patient, deferred(TOO_MANY), now));
  const chosen = withLeave(eligible.slice(0, room), seen, now);
  const well = machines.filter((machine) => isToBeLetGo(machine) && !mayHavePlace(machine, seen.budget)).flatMap(letGo);
  return { roomAt: chosen.roomAt, effects: [...barred, ...queued, ...chosen.effects, ...well] };
}

/** Whether its owner was asked for nothing: it is well again, and nobody has deleted it. */
export const isToBeLetGo = (machine: Machine): boolean => !isLeaving(machine) && isWellAgain(machine);

/**
 * Whether a place in the budget may stay behind with it: nobody could read the ledger, or its claim has no end there. That it is well again is
 * how the next pass knows that there may be one: so that is kept until the end was seen on the ledger, and does not go by what is written in this pass.
 */
function mayHavePlace({ metadata }: Machine, budget: BudgetSeen | undefined): boolean {
  if (budget?.kind !== 'claims') return budget?.kind === 'unreadable';
  return budget.claims.some(({ uid, endedAt }) => uid === metadata.uid && endedAt === undefined);
}

/**
 * First what a person asked for, then the newest, which holds the least: as Cluster API's MachineSets do. What was begun is finished before
 * that, and before all who has a place in the budget uses it: others may be waiting for that very place.
 */
const inOrder =
  (budget: BudgetSeen | undefined) =>
  ({ machine: a }: PatientSeen, { machine: b }: PatientSeen): number => {
    const hasPlace = ({ metadata }: Machine): boolean => budget?.kind === 'claims' && isClaimed(budget.claims, metadata);
    const placed = Number(hasPlace(b)) - Number(hasPlace(a));
    const begun = Number(isBeingReplaced(b)) - Number(isBeingReplaced(a));
    const wanted = Number(isWanted(b)) - Number(isWanted(a));
    const newer = compare(b.metadata.creationTimestamp, a.metadata.creationTimestamp);
    return placed || begun || wanted || newer || compare(a.metadata.name, b.metadata.name);
  };

const isWanted = ({ metadata }: Machine): boolean => ANNOTATIONS.remediateMachine in (metadata.annotations ?? {});
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Why it is not replaced from here, or not now; undefined when it may be. */
const objection = (patient: PatientSeen): DesiredCondition | undefined =>
  whyNotFromHere(patient) ?? (patient.unrenewed === undefined ? undefined : deferred(patient.unrenewed));

function whyNotFromHere(patient: PatientSeen): DesiredCondition | undefined {
  const { machine, cluster, node } = patient;
  if (isControlPlane(patient)) return never('it belongs to the control plane, which is never replaced from here');
  if (cluster.kind === 'unreadable') return deferred(cluster.why);
  if (cluster.kind === 'other') return never(`its Node is in the cluster ${cluster.name}, which cannot be drained from here`);
  if (!isKept(machine)) return never('nothing would drain its Node: it was not made for a pool of Nodes');
  if (node?.kind === 'unreadable') return deferred(`its Node cannot be read: ${node.reason}`);
  if (node?.kind === 'value' && !isOfItsPool(machine, node.value)) return never('nothing would drain its Node: it is not of its pool');
  return undefined;
}

const isControlPlane = ({ machine, node }: PatientSeen): boolean =>
  isOfControlPlane(machine) || (node?.kind === 'value' && isControlPlaneNode(node.value));

const TOO_MANY = 'too many remediations in progress: spec.remediation.maxInFlight of its MachineSet is used up';

const never = (message: string): DesiredCondition => owner('CannotBeRemediated', message);
const deferred = (message: string): DesiredCondition => owner('RemediationDeferred', message);
const owner = (reason: string, message: string): DesiredCondition => ({
  type: 'OwnerRemediated',
  holds: false,
  reason,
  message,
  old: { reason: reason === 'CannotBeRemediated' ? reason : 'WaitingForRemediation', message },
});

/** The old style has it done as soon as the owner begins; both are as Cluster API writes them. */
const DELETING: DesiredCondition = {
  type: 'OwnerRemediated',
  holds: false,
  reason: MACHINE_DELETING,
  message: 'Machine is deleting',
  old: { holds: true, message: '' },
};

/**
 * Those whose claim was seen on the ledger go; one of the others may claim now, and goes when its claim was seen there: never in the same pass,
 * in which its claim may yet be refused.
 */
function withLeave(patients: readonly PatientSeen[], { budget, settings }: SetSeen, now: Instant): Replacing {
  const asked = patients.map((patient) => ({ patient, leave: ask(patient, budget, { settings, now }) }));
  const going = asked.filter(({ leave }) => leave.kind === 'Claimed').flatMap(({ patient }) => begin(patient, now));
  const told = asked.flatMap(({ patient, leave }) => (leave.kind === 'Wait' ? tell(patient, leave.why, now) : []));
  const granted = asked.flatMap(({ leave }) => (leave.kind === 'Granted' ? [leave.claims] : []))[0];
  const booked = books(budget, granted, { now, settings });
  const goesOn = booked.length > 0 || going.some(({ kind }) => kind === 'PatchStatus');
  const until = asked.flatMap(({ leave }) => (leave.kind === 'Wait' ? leave.until : []));
  return {
    effects: [...told, ...going, ...booked],
    roomAt: goesOn ? [after(now, SECOND)] : until,
  };
}

interface Bookkeeping {
  readonly now: Instant;
  readonly settings: SetSeen['settings'];
}

/** What is written into the ledger. Nobody else can tell that a replacement is over: that is written down as soon as it is seen. */
function books(budget: BudgetSeen | undefined, granted: readonly Claim[] | undefined, { now, settings }: Bookkeeping): readonly Effect[] {
  if (budget?.kind === 'absent') return [createLedger(settings.namespace)];
  if (budget?.kind !== 'claims') return [];
  if (granted) return [writeLedger(budget.object, granted)];
  const isSettled = ({ uid, kind, endedAt }: Claim): boolean => kind === Machine.kind && endedAt === undefined && budget.over.has(uid);
  return budget.claims.some(isSettled) ? [writeLedger(budget.object, ended(budget.claims, budget.over, now))] : [];
}

type Leave =
  | Extract<BudgetVerdict, { kind: 'Claimed' | 'Granted' }>
  | { readonly kind: 'Wait'; readonly why: DesiredCondition | undefined; readonly until: readonly Instant[] };

function ask({ machine }: PatientSeen, budget: BudgetSeen | undefined, { settings, now }: Bookkeeping): Leave {
  if (budget?.kind === 'unreadable') return { kind: 'Wait', why: deferred(budget.reason), until: [] };
  // The ledger is made in this pass: that is not worth telling.
  if (budget?.kind !== 'claims') return { kind: 'Wait', why: undefined, until: [] };
  const { claims, over } = budget;
  const verdict = judgeBudget({ claims, over, waiting: [], asking: waiterOf(machine), settings: settings.budget, now });
  if (verdict.kind === 'Claimed' || verdict.kind === 'Granted') return verdict;
  const until = verdict.kind === 'Wait' ? verdict.blocks.flatMap((block) => block.until ?? []) : [];
  return { kind: 'Wait', why: deferred(budgetWords(verdict).message), until };
}

/**
 * Says it first, then deletes: whoever sees the Machine go knows why. It is deleted exactly as it said so, in a pass of its own: one that
 * recovered, or that somebody paused, while the deletion was held up is another version by then.
 */
function begin({ machine }: PatientSeen, now: Instant): readonly Effect[] {
  const said = say(machine, withConditions(machine.status ?? {}, [DELETING], seenOf(machine, now)));
  if (said.length > 0) return said;
  const { name } = machine.metadata;
  const why = conditionOf(machine.status ?? {}, 'HealthCheckSucceeded')?.reason ?? 'HealthCheckFailed';
  const message = `Machine ${name} fails its health check (${why}): its Node is drained, it is deleted, and another takes its place`;
  return [
    { ...remove(Machine, machine), resourceVersion: machine.metadata.resourceVersion },
    // Told where this Machine could be deleted, whatever comes of the others.
    { ...normalEvent('ReplacingMachine', message), series: name },
  ];
}

const tell = ({ machine }: PatientSeen, statement: DesiredCondition | undefined, now: Instant): readonly Effect[] =>
  statement === undefined ? [] : say(machine, withConditions(machine.status ?? {}, [statement], seenOf(machine, now)));

const letGo = (machine: Machine): readonly Effect[] => say(machine, withoutCondition(machine.status ?? {}, 'OwnerRemediated'));

const seenOf = ({ metadata }: Machine, now: Instant) => ({ generation: metadata.generation ?? 0, now });

/** Under the version that was seen: whoever changed the Machine meanwhile is heard first. */
function say(machine: Machine, status: NonNullable<Machine['status']>): readonly Effect[] {
  if (status === machine.status) return [];
  return [{ kind: 'PatchStatus', resource: Machine, key: keyOf(machine), resourceVersion: machine.metadata.resourceVersion, status }];
}
