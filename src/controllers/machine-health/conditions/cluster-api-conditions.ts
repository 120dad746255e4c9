import type { Machine } from '../../../api/machine/machine.ts';
import type { Condition } from '../../../api/meta.ts';
import { clip, toTime, type Instant } from '../../../base/index.ts';
import { setCondition } from '../../../kube/objects/conditions.ts';
import type { UnhealthyReason } from '../verdict/health-rules.ts';

/** The part of a status that holds conditions, of Machines and of their checks alike. */
type Conditions = Pick<NonNullable<Machine['status']>, 'conditions' | 'deprecated'>;
type OldCondition = NonNullable<NonNullable<NonNullable<Conditions['deprecated']>['v1beta1']>['conditions']>[number];

export type MachineConditionType =
  | 'HealthCheckSucceeded'
  | 'OwnerRemediated'
  | 'ExternallyRemediated'
  | 'HasRemediatingOwner'
  | 'RemediationAllowed'
  | 'Paused'
  | 'Overlapping'
  | 'ConfigurationValid'
  | 'GivenUp'
  | 'NodesReachable'
  | 'MachinesEvaluated'
  | 'TemplateAvailable'
  | 'InfrastructureReady'
  | 'Deleting'
  | 'Draining'
  | 'Remediating';

/** A condition to set in both styles of Cluster API: v1beta2, and v1beta1 with a severity where it is False. */
export interface DesiredCondition {
  readonly type: MachineConditionType;
  readonly holds: boolean;
  readonly reason: string;
  readonly message: string;
  /** The reason and message of the v1beta1 style; undefined where it has no such condition. */
  readonly old?: { readonly reason?: string; readonly message: string; /** Where the styles disagree. */ readonly holds?: boolean };
}

/** Reasons of the v1beta1 style that differ from those of v1beta2. */
const OLD_REASON: Partial<Record<UnhealthyReason, string>> = {
  HasRemediateAnnotation: 'HasRemediateMachineAnnotation',
  NodeDeleted: 'NodeNotFound',
};

export const healthyCondition: DesiredCondition = {
  type: 'HealthCheckSucceeded',
  holds: true,
  reason: 'HealthCheckSucceeded',
  message: '',
  old: { message: '' },
};

export const unhealthyCondition = (fault: UnhealthyReason, messages: readonly string[]): DesiredCondition => ({
  type: 'HealthCheckSucceeded',
  holds: false,
  reason: fault,
  message: messages.join('\n'),
  old: { reason: OLD_REASON[fault] ?? fault, message: messages.join('; ') },
});

/** The reason of `OwnerRemediated` once the owner has started to replace the Machine. */
export const MACHINE_DELETING = 'MachineDeleting';

interface Seen {
  readonly generation: number;
  readonly now: Instant;
}

/** The status with the conditions set; the same object when nothing changes. */
export const withConditions = <S extends Conditions>(status: S, statements: readonly DesiredCondition[], seen: Seen): S =>
  statements.reduce((stated, statement) => withCondition(stated, statement, seen), status);

function withCondition<S extends Conditions>(
  status: S,
  { type, holds, reason, message, old }: DesiredCondition,
  { generation, now }: Seen,
): S {
  const wanted = { type, status: holds ? ('True' as const) : ('False' as const), reason, message, observedGeneration: generation };
  const before = status.conditions as readonly Condition[] | undefined;
  const conditions = setCondition(before, wanted, now);
  const oldBefore = status.deprecated?.v1beta1?.conditions;
  const oldOnes = old ? setOld(oldBefore, { type, holds, ...old }, now) : oldBefore;
  if (conditions === before && oldOnes === oldBefore) return status;
  return { ...status, conditions, ...(oldOnes && { deprecated: { ...status.deprecated, v1beta1: { conditions: oldOnes } } }) };
}

/** The status without a condition, in either style; the same object when it has none. */
export function withoutCondition<S extends Conditions>(status: S, type: MachineConditionType): S {
  const isOther = (condition: { readonly type: string }): boolean => condition.type !== type;
  const { conditions = [], deprecated } = status;
  const old = deprecated?.v1beta1?.conditions ?? [];
  if (conditions.every(isOther) && old.every(isOther)) return status;
  const oldStyle = old.every(isOther) ? {} : { deprecated: { ...deprecated, v1beta1: { conditions: old.filter(isOther) } } };
  return { ...status, conditions: conditions.filter(isOther), ...oldStyle };
}

/** The v1beta2 condition; undefined when there is none. */
export const conditionOf = ({ conditions }: Conditions, type: MachineConditionType) =>
  conditions?.find((condition) => condition.type === type);

interface OldStatement {
  readonly type: string;
  readonly holds: boolean;
  readonly reason?: string;
  readonly message: string;
}

function setOld(conditions: readonly OldCondition[] = [], wanted: OldStatement, now: Instant): readonly OldCondition[] {
  const { type } = wanted;
  const before = conditions.find((condition) => condition.type === type);
  const status = wanted.holds ? 'True' : 'False';
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : toTime(now);
  const next: OldCondition = { type, status, ...(!wanted.holds && severityReasonMessage(wanted)), lastTransitionTime };
  if (before && sameOld(before, next)) return conditions;
  return [...conditions.filter((condition) => condition.type !== type), next].toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

/** The maximum length in Cluster API's schema: the server would refuse a longer message on every retry. */
const LONGEST_OLD_MESSAGE = 10_240;

/** In the v1beta1 style a True condition has neither reason nor message. */
const severityReasonMessage = ({ reason, message }: OldStatement) => ({
  severity: 'Warning' as const,
  ...(reason !== undefined && { reason }),
  ...(message !== '' && { message: clip(message, LONGEST_OLD_MESSAGE) }),
});

const sameOld = (a: OldCondition, b: OldCondition): boolean =>
  a.status === b.status && a.severity === b.severity && a.reason === b.reason && a.message === b.message;
