import type { AssessmentReason, EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { AssessmentPhase } from '../../api/effectiveness-assessment/phases.ts';
import { after, SECOND, toTime, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/objects/conditions.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';

export type AssessmentStatus = NonNullable<EffectivenessAssessment['status']>;
export type Components = NonNullable<AssessmentStatus['components']>;

/** When to retry a failed read, and when to check again after our own status write. */
export const READ_RETRY_MS = 15 * SECOND;

/** How an assessment ends. */
export interface AssessmentVerdict {
  readonly phase: 'Completed' | 'Failed';
  readonly reason: AssessmentReason;
  readonly message: string;
  readonly components: Components;
}

/** Leaves the phase as it is. */
export const stay = (assessment: EffectivenessAssessment, wakeAt: Instant, components?: Components): Decision => ({
  status: { ...assessment.status, ...(components && { components }) },
  effects: [],
  wakeAt,
});

/** Enters a phase that is not terminal. */
export const enter = (
  assessment: EffectivenessAssessment,
  phase: AssessmentPhase,
  now: Instant,
  also: Partial<AssessmentStatus> = {},
): Decision => ({
  status: { ...assessment.status, ...also, phase, ...generationOf(assessment) },
  effects: [],
  wakeAt: after(now, READ_RETRY_MS),
});

/** Enters a terminal phase. */
export function end(assessment: EffectivenessAssessment, verdict: AssessmentVerdict, now: Instant): Decision {
  const { phase, reason, message, components } = verdict;
  const holds = phase === 'Completed' ? 'True' : 'False';
  const generation = generationOf(assessment);
  let conditions = assessment.status?.conditions;
  for (const type of ['Ready', 'AssessmentComplete'])
    conditions = setCondition(conditions, { type, status: holds, reason, message, ...generation }, now);
  if (components.hashComputed === true) conditions = setCondition(conditions, { ...integrity(reason), ...generation }, now);
  const status: AssessmentStatus = {
    ...assessment.status,
    phase,
    assessmentReason: reason,
    message,
    components,
    completedAt: toTime(now),
    conditions: conditions ?? [],
    ...generation,
  };
  return { status, effects: [] };
}

const integrity = (reason: AssessmentReason) =>
  reason === 'SpecDrift'
    ? ({ type: 'SpecIntegrity', status: 'False', reason: 'SpecDrifted', message: 'the spec changed after the workflow ran' } as const)
    : ({
        type: 'SpecIntegrity',
        status: 'True',
        reason: 'SpecUnchanged',
        message: 'the spec has not changed since the workflow ran',
      } as const);

const generationOf = ({ metadata }: EffectivenessAssessment): { readonly observedGeneration?: number } =>
  metadata.generation === undefined ? {} : { observedGeneration: metadata.generation };
