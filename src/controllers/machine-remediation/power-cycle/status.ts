import type { PowerCyclePhase } from '../../../api/power-cycle-remediation/phases.ts';
import type { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { Condition } from '../../../api/meta.ts';
import { toMicroTime, type Instant } from '../../../base/index.ts';
import { getCondition, setCondition } from '../../../kube/objects/conditions.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { eventOnNewReason } from '../report-event.ts';

export type PowerCycleStatus = NonNullable<PowerCycleRemediation['status']>;

/** The reason and message of the Ready condition, and of the Event for a new reason. */
export interface ReadyReport {
  readonly reason: string;
  readonly message: string;
  /** Whether an operator should act. */
  readonly isWarning?: boolean;
}

/** Status fields to write; an undefined value removes the field. */
export type StatusChange = { readonly [Member in keyof PowerCycleStatus]?: PowerCycleStatus[Member] | undefined };

export interface PhaseUpdate {
  readonly report: ReadyReport;
  readonly set?: StatusChange;
  readonly effects?: readonly Effect[];
  readonly wakeAt?: Instant;
}

export const phaseOf = ({ status }: PowerCycleRemediation): PowerCyclePhase => status?.phase ?? 'pending';

/** Whether an attempt left a host to switch on or a taint to remove. */
export const needsCleanup = ({ status }: PowerCycleRemediation): boolean =>
  status?.switchOnOwed === true || status?.taintedNode !== undefined;

/** Stays in its phase and reports why, with an Event when the reason is new. */
export function stayInPhase(object: PowerCycleRemediation, now: Instant, { report, set, effects = [], wakeAt }: PhaseUpdate): Decision {
  const status = statusOf(object, now, report, set);
  return { status, effects: [...effects, ...eventOnNewReason(object.status, report)], ...(wakeAt !== undefined && { wakeAt }) };
}

/** The current report, if it has this reason; otherwise the given message. */
export function keepReport({ status }: PowerCycleRemediation, reason: string, otherwise: string): ReadyReport {
  const ready = getCondition(status?.conditions, 'Ready');
  return { reason, message: ready?.reason === reason ? ready.message : otherwise, isWarning: true };
}

export const enterPhase = (phase: PowerCyclePhase, object: PowerCycleRemediation, now: Instant, update: PhaseUpdate): Decision =>
  stayInPhase(object, now, { ...update, set: { ...update.set, phase, phaseStartTime: toMicroTime(now) } });

function statusOf(
  { metadata, status = {} }: PowerCycleRemediation,
  now: Instant,
  { reason, message }: ReadyReport,
  set: StatusChange = {},
): PowerCycleStatus {
  const observedGeneration = metadata.generation ?? 1;
  const ready = { type: 'Ready', status: 'False', reason, message, observedGeneration } as const;
  const conditions = setCondition(status.conditions as readonly Condition[] | undefined, ready, now);
  const next = {
    phase: phaseOf({ status } as PowerCycleRemediation),
    ...status,
    ...set,
    message,
    observedGeneration,
    conditions: [...conditions],
  };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as PowerCycleStatus;
}
