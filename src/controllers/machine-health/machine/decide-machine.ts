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
import { warningEvent } from '../../kubernetes-events.ts';

/** A Machine, and what each check that is about it says. */
export interface MachineObservation {
  readonly object: Machine;
  /** In the order of the checks' names. */
  readonly verdicts: readonly { readonly check: string; readonly verdict: HealthVerdict }[];
  readonly annotationRemediates: boolean;
  /** Whether no check is about it any more. */
  readonly isNoLongerSelected?: boolean;
}

/** What keeps a Machine from being judged changes without telling us, and so does the operator's switch for the annotation. */
const RECHECK_INTERVAL_MS = MINUTE;

/** Says on the Machine whether it is healthy. A Machine that no check is about is left alone. */
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
 * What is left of an earlier failure goes with the mark of a new one: two conditions let an owner act, and a check has to ask for the second
 * each time, through its gate. Only with the mark: what is asked for after it stays.
 */
const withoutEarlierFailure = ({ status = {} }: Machine): Machine['status'] =>
  conditionOf(status, 'HealthCheckSucceeded')?.status === 'False' ? status : withoutOwnerRemediated(status);

/** Without what its owner was asked, unless that has begun: then the Machine is on its way out. */
const withoutOwnerRemediated = (status: NonNullable<Machine['status']>): NonNullable<Machine['status']> =>
  conditionOf(status, 'OwnerRemediated')?.reason === MACHINE_DELETING ? status : withoutCondition(status, 'OwnerRemediated');

/** Nobody stands by a failure that no check looks at any more: owners and remediators, who go by it, are not to act on it. */
function clearUnhealthy({ status = {} }: Machine): Decision {
  if (conditionOf(status, 'HealthCheckSucceeded')?.status !== 'False') return { effects: [] };
  return { status: withoutOwnerRemediated(withoutCondition(status, 'HealthCheckSucceeded')), effects: [] };
}

/** It had no Node in time, and no check limits that any more: nobody would ever take it back. */
const startupTimeoutRemoved = ({ object: { status = {} }, verdicts }: MachineObservation): boolean =>
  conditionOf(status, 'HealthCheckSucceeded')?.reason === 'NodeStartupTimeout' &&
  verdicts.some(({ verdict }) => isUnlimited(verdict)) &&
  verdicts.every(({ verdict }) => verdict.kind === 'healthy' || isUnlimited(verdict));

const isUnlimited = (verdict: HealthVerdict): boolean => verdict.kind === 'unjudged' && verdict.isUnlimited === true;

/** One check that fails is enough; all must be content for the Machine to be well; in between nothing new is said. */
function healthCondition(verdicts: readonly HealthVerdict[]): DesiredCondition | undefined {
  const ill = verdicts.filter((verdict) => verdict.kind === 'unhealthy');
  if (ill[0]) return unhealthyCondition(ill[0].fault, [...new Set(ill.flatMap(({ messages }) => messages))]);
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

function markedUnhealthyEvent({ metadata }: Machine, verdicts: MachineObservation['verdicts']): Effect {
  const by = verdicts.filter(({ verdict }) => verdict.kind === 'unhealthy').map(({ check }) => check);
  const name = `${metadata.namespace ?? ''}/${metadata.name}`;
  return warningEvent('MachineMarkedUnhealthy', `Machine ${name} was marked unhealthy by MachineHealthCheck ${by.join(' and ')}`);
}

const hasRemediateAnnotation = ({ metadata }: Machine): boolean => ANNOTATIONS.remediateMachine in (metadata.annotations ?? {});

/** Whoever may edit a Machine may not thereby have it destroyed: that takes a switch of the operator's. */
function ignoredAnnotationEvent(machine: Machine): readonly Effect[] {
  if (!hasRemediateAnnotation(machine)) return [];
  const message = `the annotation ${ANNOTATIONS.remediateMachine} has no effect: machineHealth.allowRemediateAnnotation is off`;
  return [warningEvent('RemediateAnnotationIgnored', message)];
}
