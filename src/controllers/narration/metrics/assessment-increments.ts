import { ASSESSMENT_REASONS, type EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { assessmentPhases } from '../../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../../api/phases.ts';
import { COMPONENTS, isNewlyDone, ranOutOfTime } from '../events/assessment-events.ts';
import type { Increment } from './counters.ts';

/** What one component came to. */
export interface ComponentScore {
  readonly component: 'health' | 'alert' | 'metrics';
  readonly score: number;
}

const isNewlyEnded = (before: EffectivenessAssessment | undefined, after: EffectivenessAssessment): boolean =>
  isTerminal(assessmentPhases, after.status?.phase) && !isTerminal(assessmentPhases, before?.status?.phase);

/** The scores that an assessment ended with, once; what has none is not among them. */
export function scoresOf(before: EffectivenessAssessment | undefined, after: EffectivenessAssessment): readonly ComponentScore[] {
  if (!isNewlyEnded(before, after)) return [];
  const { healthScore, alertScore, metricsScore } = after.status?.components ?? {};
  const scores = { health: healthScore, alert: alertScore, metrics: metricsScore };
  return (['health', 'alert', 'metrics'] as const).flatMap((component) => {
    const score = scores[component];
    return score === undefined ? [] : [{ component, score }];
  });
}

/** What is counted when one state of an assessment follows another. */
export function assessmentMetricsOf(before: EffectivenessAssessment | undefined, after: EffectivenessAssessment): readonly Increment[] {
  const assessed = COMPONENTS.filter((component) => isNewlyDone(component, before, after)).map(({ name }): Increment => ({
    counter: 'component_assessments_total',
    labels: { component: name },
  }));
  const { assessmentReason: reason } = after.status ?? {};
  if (!isNewlyEnded(before, after)) return assessed;
  const known = ASSESSMENT_REASONS.find((one) => one === reason) ?? 'other';
  return [
    ...assessed,
    { counter: 'assessments_completed_total', labels: { reason: known } },
    ...(ranOutOfTime(after.status ?? {}) ? [{ counter: 'validity_expirations_total', labels: {} } as const] : []),
  ];
}
