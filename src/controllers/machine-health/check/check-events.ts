import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { conditionEvent, normalEvent } from '../../kubernetes-events.ts';
import { conditionOf, type MachineConditionType } from '../conditions/cluster-api-conditions.ts';
import type { PlannedAction } from '../requests/request-remediation.ts';
import { shortList } from '../safeguards/remediation-block.ts';
import type { TargetObservation } from './observe-check.ts';

type Status = NonNullable<MachineHealthCheck['status']>;

interface Change {
  readonly before: Status | undefined;
  readonly after: Status;
  readonly actions: readonly PlannedAction[];
  readonly targets: readonly TargetObservation[];
}

/** The Events of a pass, on the check: one for each thing that happened, whatever the number of Machines. What a status repeats causes none. */
export const checkEvents = (change: Change): readonly Effect[] => [
  ...requested(change.actions),
  ...withdrawn(change.actions),
  ...recovered(change),
  ...conditionEvents(change),
];

function requested(actions: readonly PlannedAction[]): readonly Effect[] {
  const begun = actions.flatMap(({ entry, isNewRemediation }) => (entry && isNewRemediation ? [entry] : []));
  const byRemediator = Map.groupBy(begun, ({ request }) => request?.kind ?? 'its owner');
  return [...byRemediator].map(([remediator, entries]) =>
    normalEvent('RemediationRequested', `remediation of ${namesOf(entries)} was requested from ${remediator}`),
  );
}

function withdrawn(actions: readonly PlannedAction[]): readonly Effect[] {
  const deletions = actions.flatMap(({ effects }) => effects).filter((effect) => effect.kind === 'Delete');
  const byKind = Map.groupBy(deletions, ({ resource }) => resource.kind);
  return [...byKind].map(([kind, gone]) =>
    normalEvent('RemediationWithdrawn', `${kind} of ${shortList(gone.map(({ key }) => key.name).toSorted())} was withdrawn`),
  );
}

/** Machines that leave the record and are healthy. */
function recovered({ before, after, targets }: Change): readonly Effect[] {
  const kept = new Set((after.remediations ?? []).map(({ uid }) => uid));
  const healthy = new Set(targets.filter(({ verdict }) => verdict.kind === 'healthy').map(({ target }) => target.machine.metadata.uid));
  const ended = (before?.remediations ?? []).filter(({ uid }) => !kept.has(uid) && healthy.has(uid));
  return ended.length === 0 ? [] : [normalEvent('RemediationEnded', `remediation of ${namesOf(ended)} has ended: healthy again`)];
}

const namesOf = (entries: readonly { readonly machine: string }[]): string => shortList(entries.map(({ machine }) => machine).toSorted());

/** Conditions that call for an operator, and the status in which they do. */
const ALARMS: readonly (readonly [MachineConditionType, 'True' | 'False'])[] = [
  ['TemplateAvailable', 'False'],
  ['NodesReachable', 'False'],
  ['GivenUp', 'True'],
];

function conditionEvents({ before = {}, after }: Change): readonly Effect[] {
  return ALARMS.flatMap(([type, alarm]) => {
    const now = conditionOf(after, type);
    const said = conditionOf(before, type);
    if (now?.status !== alarm || (said?.status === alarm && said.reason === now.reason && !isMoreGivenUp(type, said, now))) return [];
    return [conditionEvent({ type: 'Warning', reason: now.reason ?? type, message: now.message ?? '' })];
  });
}

/** The names of the Machines that were given up are in the message alone. */
const isMoreGivenUp = (type: MachineConditionType, before: { readonly message?: string }, now: { readonly message?: string }): boolean =>
  type === 'GivenUp' && before.message !== now.message;
