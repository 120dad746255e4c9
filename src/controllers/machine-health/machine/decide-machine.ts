import type { Machine } from '../../../api/machine/machine.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, MINUTE, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import {
  unhealthyCondition,
  healthyCondition,
  MACHINE_DELETING,
  withConditions,
  conditionOf,
  withoutCondition,
  type DesiredCondition,
} from '../conditions/cluster-api-conditions.ts';
import type { HealthVerdict } from '../verdict/verdict.ts';
import { normalEvent, warningEvent } from '../../kubernetes-events.ts';

/** A Machine, and the verdict of each check that selects it. */
export interface MachineObservation {
  readonly object: Machine;
  /** Sorted by the names of the checks. */
  readonly verdicts: readonly { readonly check: string; readonly verdict: HealthVerdict }[];
  readonly annotationRemediates: boolean;
  /** Whether no check selects it any more. */
  readonly isNoLongerSelected?: boolean;
}

/** What prevents evaluation, and the setting for the annotation, change without an event. */
const RECHECK_INTERVAL_MS = MINUTE;

/** Sets HealthCheckSucceeded on the Machine. A Machine that no check selects is left unchanged. */
export function decideMachine(seen: MachineObservation, now: Instant): Decision {
  if (seen.verdicts.length === 0) return seen.isNoLongerSelected === true ? clearUnhealthy(seen.object) : { effects: [] };
  return startupTimeoutRemoved(seen) ? { ...clearUnhealthy(seen.object), ...nextEvaluation(seen.verdicts, now) } : reportHealth(seen, now);
}

function reportHealth({ object, verdicts, annotationRemediates }: MachineObservation, now: Instant): Decision {
  const statement = healthCondition(verdicts.map(({ verdict }) => verdict));
  const before = statement?.holds === false ? withoutEarlierFailure(object) : object.status;
  const status = statement ? withConditions(before ?? {}, [statement], { generation: object.metadata.generation ?? 0, now }) : before;
  const events = [
    ...(statement?.holds === false && status !== object.status ? [markedUnhealthyEvent(object, verdicts)] : []),
    ...(annotationRemediates ? [] : ignoredAnnotationEvent(object)),
  ];
  return { status, effects: events, ...nextEvaluation(verdicts, now, hasRemediateAnnotation(object)) };
}

/**
 * A new failure clears OwnerRemediated of an earlier one: owners act on both conditions together, and a check must request remediation
 * each time, through its gate. A condition that was set after this failure stays.
 */
const withoutEarlierFailure = ({ status = {} }: Machine): Machine['status'] =>
  conditionOf(status, 'HealthCheckSucceeded')?.status === 'False' ? status : withoutOwnerRemediated(status);

/** Without OwnerRemediated, unless the owner has started: then the Machine is being deleted. */
const withoutOwnerRemediated = (status: NonNullable<Machine['status']>): NonNullable<Machine['status']> =>
  conditionOf(status, 'OwnerRemediated')?.reason === MACHINE_DELETING ? status : withoutCondition(status, 'OwnerRemediated');

/** No check maintains this failure any more, so owners and remediators must not act on it. */
function clearUnhealthy({ status = {} }: Machine): Decision {
  if (conditionOf(status, 'HealthCheckSucceeded')?.status !== 'False') return { effects: [] };
  return { status: withoutOwnerRemediated(withoutCondition(status, 'HealthCheckSucceeded')), effects: [] };
}

/** The startup timeout failed, and no check sets one any more: no verdict would ever clear the failure. */
const startupTimeoutRemoved = ({ object: { status = {} }, verdicts }: MachineObservation): boolean =>
  conditionOf(status, 'HealthCheckSucceeded')?.reason === 'NodeStartupTimeout' &&
  verdicts.some(({ verdict }) => isUnlimited(verdict)) &&
  verdicts.every(({ verdict }) => verdict.kind === 'healthy' || isUnlimited(verdict));

const isUnlimited = (verdict: HealthVerdict): boolean => verdict.kind === 'unjudged' && verdict.isUnlimited === true;

/** One failing check makes the Machine unhealthy; all must pass for it to be healthy; otherwise the condition stays as it is. */
function healthCondition(verdicts: readonly HealthVerdict[]): DesiredCondition | undefined {
  const failing = verdicts.filter((verdict) => verdict.kind === 'unhealthy');
  if (failing[0]) return unhealthyCondition(failing[0].fault, [...new Set(failing.flatMap(({ messages }) => messages))]);
  return verdicts.length > 0 && verdicts.every(({ kind }) => kind === 'healthy') ? healthyCondition : undefined;
}

function nextEvaluation(verdicts: MachineObservation['verdicts'], now: Instant, dependsOnSwitch = false): { readonly wakeAt?: Instant } {
  const ahead = verdicts.flatMap(({ verdict }) => {
    if (verdict.kind === 'waiting') return [verdict.until];
    return verdict.kind === 'unjudged' ? [after(now, RECHECK_INTERVAL_MS)] : [];
  });
  const moments = dependsOnSwitch ? [...ahead, after(now, RECHECK_INTERVAL_MS)] : ahead;
  return moments.length === 0 ? {} : { wakeAt: moments.reduce((a, b) => (a < b ? a : b)) };
}

/** Type and beginning of the text are Cluster API's. */
function markedUnhealthyEvent({ metadata }: Machine, verdicts: MachineObservation['verdicts']): Effect {
  const namespace = metadata.namespace ?? '';
  const failing = verdicts.flatMap(({ check, verdict }) => (verdict.kind === 'unhealthy' ? [{ check, messages: verdict.messages }] : []));
  const by = failing.map(({ check }) => `${namespace}/${check}`).join(' and ');
  const cause = [...new Set(failing.flatMap(({ messages }) => messages))].join('; ');
  return normalEvent('MachineMarkedUnhealthy', `Machine ${namespace}/${metadata.name} has been marked as unhealthy by ${by}: ${cause}`);
}

const hasRemediateAnnotation = ({ metadata }: Machine): boolean => ANNOTATIONS.remediateMachine in (metadata.annotations ?? {});

/** Permission to edit a Machine must not imply permission to have it destroyed: that requires an operator's setting. */
function ignoredAnnotationEvent(machine: Machine): readonly Effect[] {
  if (!hasRemediateAnnotation(machine)) return [];
  const message = `the annotation ${ANNOTATIONS.remediateMachine} has no effect: machineHealth.allowRemediateAnnotation is off`;
  return [warningEvent('RemediateAnnotationIgnored', message)];
}
