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
import { ended, replacementWaiter, type BudgetSeen } from '../replacement-budget.ts';
import { isBeingReplaced, isKept, isLeaving, isOfControlPlane, isOfItsPool, isHealthyAgain } from '../machine-state.ts';
import type { MachineToReplace, SetSeen } from './observe-set.ts';
import type { ReadSet } from './parse-set.ts';
import { normalEvent } from '../../kubernetes-events.ts';

/** What is done about the Machines of a set that are to be replaced. */
export interface Replacing {
  readonly effects: readonly Effect[];
  /** When the budget may have room again. */
  readonly roomAt: readonly Instant[];
}

/**
 * Releases those that recovered, and replaces the others: as many at once as the set allows, and only with permission from the budget.
 * Those that wait report why.
 */
export function replace(seen: SetSeen & { readonly read: ReadSet }, now: Instant): Replacing {
  const { machines, toReplace, read } = seen;
  const concerned = toReplace.filter(({ machine }) => !isExcludedFromRemediation(machine)).toSorted(inOrder(seen.budget));
  const barred = concerned.flatMap((candidate) => tell(candidate, objection(candidate), now));
  const eligible = concerned.filter((candidate) => objection(candidate) === undefined);
  const inFlight = machines.filter((machine) => isLeaving(machine) && isBeingReplaced(machine)).length;
  const room = Math.max(0, (read.maxInFlight ?? Infinity) - inFlight);
  const queued = eligible.slice(room).flatMap((candidate) => tell(candidate, deferred(TOO_MANY), now));
  const chosen = replaceWithinBudget(eligible.slice(0, room), seen, now);
  const well = machines.filter((machine) => isToBeReleased(machine) && !mayHoldClaim(machine, seen.budget)).flatMap(releaseMachine);
  return { roomAt: chosen.roomAt, effects: [...barred, ...queued, ...chosen.effects, ...well] };
}

/** Whether its replacement is still requested although it is healthy again and not being deleted. */
export const isToBeReleased = (machine: Machine): boolean => !isLeaving(machine) && isHealthyAgain(machine);

/**
 * Whether it may still hold a slot in the budget: the ledger could not be read, or its claim has no end there. Its condition that it recovered is
 * how the next pass knows that there may be one: so it is kept until the end was seen in the ledger, and does not go by what is written in this pass.
 */
function mayHoldClaim({ metadata }: Machine, budget: BudgetSeen | undefined): boolean {
  if (budget?.kind !== 'claims') return budget?.kind === 'unreadable';
  return budget.claims.some(({ uid, endedAt }) => uid === metadata.uid && endedAt === undefined);
}

/**
 * First those that an operator marked, then the newest, which runs the least: as Cluster API's MachineSets do. A replacement that was started is finished before
 * that, and before all a Machine with a slot in the budget uses it: others may wait for that slot.
 */
const inOrder =
  (budget: BudgetSeen | undefined) =>
  ({ machine: a }: MachineToReplace, { machine: b }: MachineToReplace): number => {
    const hasPlace = ({ metadata }: Machine): boolean => budget?.kind === 'claims' && isClaimed(budget.claims, metadata);
    const placed = Number(hasPlace(b)) - Number(hasPlace(a));
    const begun = Number(isBeingReplaced(b)) - Number(isBeingReplaced(a));
    const wanted = Number(isWanted(b)) - Number(isWanted(a));
    const newer = compare(b.metadata.creationTimestamp, a.metadata.creationTimestamp);
    return placed || begun || wanted || newer || compare(a.metadata.name, b.metadata.name);
  };

const isWanted = ({ metadata }: Machine): boolean => ANNOTATIONS.remediateMachine in (metadata.annotations ?? {});
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Why it is not replaced, or not now; undefined when it may be. */
const objection = (candidate: MachineToReplace): DesiredCondition | undefined =>
  whyNotFromHere(candidate) ?? (candidate.notEvaluated === undefined ? undefined : deferred(candidate.notEvaluated));

function whyNotFromHere(candidate: MachineToReplace): DesiredCondition | undefined {
  const { machine, cluster, node } = candidate;
  if (isControlPlane(candidate)) return never('it belongs to the control plane, which Sickbay never replaces');
  if (cluster.kind === 'unknown') return deferred(cluster.why);
  if (cluster.kind === 'other') return never(`its Node is in cluster ${cluster.name}, which Sickbay cannot drain`);
  if (!isKept(machine)) return never('its Node would not be drained: the Machine was not created for a pool');
  if (node?.kind === 'unreadable') return deferred(`its Node cannot be read: ${node.reason}`);
  if (node?.kind === 'value' && !isOfItsPool(machine, node.value))
    return never('its Node would not be drained: it is not in the pool of the Machine');
  return undefined;
}

const isControlPlane = ({ machine, node }: MachineToReplace): boolean =>
  isOfControlPlane(machine) || (node?.kind === 'value' && isControlPlaneNode(node.value));

const TOO_MANY = 'too many remediations in progress: spec.remediation.maxInFlight of its MachineSet is reached';

const never = (message: string): DesiredCondition => owner('CannotBeRemediated', message);
const deferred = (message: string): DesiredCondition => owner('RemediationDeferred', message);
const owner = (reason: string, message: string): DesiredCondition => ({
  type: 'OwnerRemediated',
  holds: false,
  reason,
  message,
  old: { reason: reason === 'CannotBeRemediated' ? reason : 'WaitingForRemediation', message },
});

/** In the old style the condition is true as soon as the owner starts; both are as Cluster API writes them. */
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
function replaceWithinBudget(toReplace: readonly MachineToReplace[], { budget, settings }: SetSeen, now: Instant): Replacing {
  const asked = toReplace.map((candidate) => ({ candidate, releaseWithNode: ask(candidate, budget, { settings, now }) }));
  const going = asked
    .filter(({ releaseWithNode }) => releaseWithNode.kind === 'Claimed')
    .flatMap(({ candidate }) => startReplacement(candidate, now));
  const told = asked.flatMap(({ candidate, releaseWithNode }) =>
    releaseWithNode.kind === 'Wait' ? tell(candidate, releaseWithNode.why, now) : [],
  );
  const granted = asked.flatMap(({ releaseWithNode }) => (releaseWithNode.kind === 'Granted' ? [releaseWithNode.claims] : []))[0];
  const booked = books(budget, granted, { now, settings });
  const goesOn = booked.length > 0 || going.some(({ kind }) => kind === 'PatchStatus');
  const until = asked.flatMap(({ releaseWithNode }) => (releaseWithNode.kind === 'Wait' ? releaseWithNode.until : []));
  return {
    effects: [...told, ...going, ...booked],
    roomAt: goesOn ? [after(now, SECOND)] : until,
  };
}

interface Bookkeeping {
  readonly now: Instant;
  readonly settings: SetSeen['settings'];
}

/** What is written into the ledger. Only the owner knows that a replacement has finished, and records it as soon as it is observed. */
function books(budget: BudgetSeen | undefined, granted: readonly Claim[] | undefined, { now, settings }: Bookkeeping): readonly Effect[] {
  if (budget?.kind === 'absent') return [createLedger(settings.namespace)];
  if (budget?.kind !== 'claims') return [];
  if (granted) return [writeLedger(budget.object, granted)];
  const isSettled = ({ uid, kind, endedAt }: Claim): boolean => kind === Machine.kind && endedAt === undefined && budget.over.has(uid);
  return budget.claims.some(isSettled) ? [writeLedger(budget.object, ended(budget.claims, budget.over, now))] : [];
}

type BudgetPermission =
  | Extract<BudgetVerdict, { kind: 'Claimed' | 'Granted' }>
  | { readonly kind: 'Wait'; readonly why: DesiredCondition | undefined; readonly until: readonly Instant[] };

function ask({ machine }: MachineToReplace, budget: BudgetSeen | undefined, { settings, now }: Bookkeeping): BudgetPermission {
  if (budget?.kind === 'unreadable') return { kind: 'Wait', why: deferred(budget.reason), until: [] };
  // The ledger is created in this pass, which needs no report.
  if (budget?.kind !== 'claims') return { kind: 'Wait', why: undefined, until: [] };
  const { claims, over } = budget;
  const verdict = judgeBudget({ claims, over, waiting: [], asking: replacementWaiter(machine), settings: settings.budget, now });
  if (verdict.kind === 'Claimed' || verdict.kind === 'Granted') return verdict;
  const until = verdict.kind === 'Wait' ? verdict.blocks.flatMap((block) => block.until ?? []) : [];
  return { kind: 'Wait', why: deferred(budgetWords(verdict).message), until };
}

/**
 * Writes the condition first, then deletes, so that the reason is visible before the Machine disappears. The deletion names the version that
 * has the condition, in a pass of its own: a Machine that recovered or was paused while the deletion was delayed has another version by then.
 */
function startReplacement({ machine }: MachineToReplace, now: Instant): readonly Effect[] {
  const said = say(machine, withConditions(machine.status ?? {}, [DELETING], seenOf(machine, now)));
  if (said.length > 0) return said;
  const { name } = machine.metadata;
  const why = conditionOf(machine.status ?? {}, 'HealthCheckSucceeded')?.reason ?? 'HealthCheckFailed';
  const message = `Machine ${name} fails its health check (${why}): its Node is drained, then it is deleted and replaced`;
  return [
    { ...remove(Machine, machine), resourceVersion: machine.metadata.resourceVersion },
    // Recorded only if this Machine could be deleted, independent of the others.
    { ...normalEvent('ReplacingMachine', message), series: name },
  ];
}

const tell = ({ machine }: MachineToReplace, statement: DesiredCondition | undefined, now: Instant): readonly Effect[] =>
  statement === undefined ? [] : say(machine, withConditions(machine.status ?? {}, [statement], seenOf(machine, now)));

const releaseMachine = (machine: Machine): readonly Effect[] => say(machine, withoutCondition(machine.status ?? {}, 'OwnerRemediated'));

const seenOf = ({ metadata }: Machine, now: Instant) => ({ generation: metadata.generation ?? 0, now });

/** Under the resourceVersion that was read: a concurrent change to the Machine is evaluated first. */
function say(machine: Machine, status: NonNullable<Machine['status']>): readonly Effect[] {
  if (status === machine.status) return [];
  return [{ kind: 'PatchStatus', resource: Machine, key: keyOf(machine), resourceVersion: machine.metadata.resourceVersion, status }];
}
