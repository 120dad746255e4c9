import type { AssessmentReason, EffectivenessAssessment } from './effectiveness-assessment.ts';

type Components = NonNullable<EffectivenessAssessment['status']>['components'];

const WEIGHTS = { healthScore: 0.4, alertScore: 0.35, metricsScore: 0.25 } as const;

/**
 * One number for how much the remediation helped. A score that is absent is unknown: its weight goes to the others in proportion, and when
 * nothing is known there is no number. A spec that drifted says nothing for the remediation: 0.
 * @example overallScore({ healthScore: 1, alertScore: 1, metricsScore: 0 }, 'Full') === 0.75
 */
export function overallScore(components: Components, reason?: AssessmentReason): number | undefined {
  if (reason === 'SpecDrift') return 0;
  let sum = 0;
  let weights = 0;
  for (const name of ['healthScore', 'alertScore', 'metricsScore'] as const) {
    const score = components?.[name];
    if (score === undefined) continue;
    sum += WEIGHTS[name] * score;
    weights += WEIGHTS[name];
  }
  // Rounded, so that equal scores of several components give that score and not a trillionth less.
  return weights === 0 ? undefined : Number((sum / weights).toFixed(9));
}
