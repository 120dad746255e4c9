import type { PowerCyclePhase } from '../../../api/power-cycle-remediation/phases.ts';
import type { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { Condition } from '../../../api/meta.ts';
import { toMicroTime, type Instant } from '../../../base/index.ts';
import { getCondition, setCondition } from '../../../kube/objects/conditions.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import { conditionEvent } from '../../kubernetes-events.ts';

export type PowerCycleStatus = NonNullable<PowerCycleRemediation['status']>;

/** What people are told: the reason of the condition and of the Event, and a sentence. */
export interface Words {
  readonly reason: string;
  readonly message: string;
  /** Whether somebody should look. */
  readonly isWarning?: boolean;
}

/** Members of the status as they are to be; what is undefined is taken out. */
export type Change = { readonly [Member in keyof PowerCycleStatus]?: PowerCycleStatus[Member] | undefined };

export interface Saying {
  readonly words: Words;
  readonly set?: Change;
  readonly effects?: readonly Effect[];
  readonly wakeAt?: Instant;
}

export const phaseOf = ({ status }: PowerCycleRemediation): PowerCyclePhase => status?.phase ?? 'pending';

/** Whether something of an attempt has yet to be made good. */
export const isOwing = ({ status }: PowerCycleRemediation): boolean => status?.switchOnOwed === true || status?.taintedNode !== undefined;

/** Stays in its phase and says why. A reason that was not given before is told as an Event too. */
export function stay(object: PowerCycleRemediation, now: Instant, { words, set, effects = [], wakeAt }: Saying): Decision {
  const status = statusOf(object, now, words, set);
  return { status, effects: [...effects, ...eventOf(object, words)], ...(wakeAt !== undefined && { wakeAt }) };
}

/** What it says already, if that has this reason; else these words. */
export function stillSaying({ status }: PowerCycleRemediation, reason: string, otherwise: string): Words {
  const said = getCondition(status?.conditions as readonly Condition[] | undefined, 'Ready');
  return { reason, message: said?.reason === reason ? said.message : otherwise, isWarning: true };
}

/** Enters a phase. */
export const enter = (phase: PowerCyclePhase, object: PowerCycleRemediation, now: Instant, saying: Saying): Decision =>
  stay(object, now, { ...saying, set: { ...saying.set, phase, phaseStartTime: toMicroTime(now) } });

function statusOf(
  { metadata, status = {} }: PowerCycleRemediation,
  now: Instant,
  { reason, message }: Words,
  set: Change = {},
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

function eventOf({ status }: PowerCycleRemediation, { reason, message, isWarning = false }: Words): readonly Effect[] {
  const before = getCondition(status?.conditions as readonly Condition[] | undefined, 'Ready');
  if (before?.reason === reason) return [];
  return [conditionEvent({ type: isWarning ? 'Warning' : 'Normal', reason, message })];
}
