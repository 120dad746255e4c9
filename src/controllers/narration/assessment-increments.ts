import { ASSESSMENT_REASONS, type EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { assessmentPhases } from '../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import { COMPONENTS, isNewlyDone, ranOutOfTime } from './assessment-notes.ts';
import type { Increment } from './increments.ts';

/** What is counted when one state of an assessment follows another. */
export function assessmentMetricsOf(before: EffectivenessAssessment | undefined, after: EffectivenessAssessment): readonly Increment[] {
  const assessed = COMPONENTS.filter((component) => isNewlyDone(component, before, after)).map(({ name }): Increment => ({
    counter: 'component_assessments_total',
    labels: { component: name },
  }));
  const { phase, assessmentReason: reason } = after.status ?? {};
  if (!isTerminal(assessmentPhases, phase) || isTerminal(assessmentPhases, before?.status?.phase)) return assessed;
  const known = ASSESSMENT_REASONS.find((one) => one === reason) ?? 'other';
  return [
    ...assessed,
    { counter: 'assessments_completed_total', labels: { reason: known } },
    ...(ranOutOfTime(after.status ?? {}) ? [{ counter: 'validity_expirations_total', labels: {} } as const] : []),
  ];
}
