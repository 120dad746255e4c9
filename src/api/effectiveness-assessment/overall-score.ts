import type { AssessmentReason, EffectivenessAssessment } from './effectiveness-assessment.ts';

type Components = NonNullable<EffectivenessAssessment['status']>['components'];

/** How much each component counts. */
export const WEIGHTS = { healthScore: 0.4, alertScore: 0.35, metricsScore: 0.25 } as const;
const SCORES = ['healthScore', 'alertScore', 'metricsScore'] as const;
const NAMES = { healthScore: 'health', alertScore: 'alert', metricsScore: 'metrics' } as const;

/**
 * One number for how much the remediation helped. A score that is absent is unknown: its weight goes to the others in proportion, and when
 * nothing is known there is no number. A spec that drifted says nothing for the remediation: 0.
 * @example overallScore({ healthScore: 1, alertScore: 1, metricsScore: 0 }, 'Full') === 0.75
 */
export function overallScore(components: Components, reason?: AssessmentReason): number | undefined {
  if (reason === 'SpecDrift') return 0;
  const measured = measuredIn(components);
  const sum = measured.reduce((all, name) => all + WEIGHTS[name] * (components?.[name] ?? 0), 0);
  // Rounded, so that equal scores of several components give that score and not a trillionth less.
  return measured.length === 0 ? undefined : rounded(sum / weightOf(measured));
}

/**
 * The share of the weights that was measured, from 0 to 1: how much a score rests on.
 * @example measuredShare({ healthScore: 1 }) === 0.4
 */
export const measuredShare = (components: Components): number => rounded(weightOf(measuredIn(components)));

/**
 * The score with what it rests on, for people; undefined without a score.
 * @example scoreText({ healthScore: 1 }, 'Full') === '1.00 from health only'
 */
export function scoreText(components: Components, reason?: AssessmentReason): string | undefined {
  const score = overallScore(components, reason);
  if (score === undefined) return undefined;
  return `${score.toFixed(2)} ${reason === 'SpecDrift' ? 'since the spec drifted' : `from ${basisText(components)}`}`;
}

/** Which components were measured, for people. */
export function basisText(components: Components): string {
  const names = measuredIn(components).map((name) => NAMES[name]);
  const last = names.at(-1);
  if (last === undefined) return 'nothing';
  return names.length === 1 ? `${last} only` : `${names.slice(0, -1).join(', ')} and ${last}`;
}

const measuredIn = (components: Components) => SCORES.filter((name) => components?.[name] !== undefined);

const weightOf = (names: readonly (keyof typeof WEIGHTS)[]): number => names.reduce((all, name) => all + WEIGHTS[name], 0);

const rounded = (number: number): number => Number(number.toFixed(9));
