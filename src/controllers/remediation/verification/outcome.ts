import { ALERTMANAGER_ANSWERS, type EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { measuredShare } from '../../../api/effectiveness-assessment/overall-score.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';

type Assessed = NonNullable<EffectivenessAssessment['status']>;

/** What an assessment means for its remediation; `why` is the reason against Remediated. */
export type VerificationOutcome = { readonly outcome: 'Remediated' } | { readonly outcome: 'Inconclusive'; readonly why: string };

interface OutcomeRule {
  holds(assessed: Assessed): boolean;
  readonly decide: (assessed: Assessed) => VerificationOutcome;
}

const REMEDIATED: VerificationOutcome = { outcome: 'Remediated' };
const inconclusive = (why: string): VerificationOutcome => ({ outcome: 'Inconclusive', why });

/**
 * The first that holds decides. The alert decides, in the order of the seed document, but for two things that were seen and count whatever the
 * alert does: the spec drifted, or health is exactly 0. Anything that is missing never speaks against Remediated by itself; only an alert that was
 * never asked about, although Alertmanager is configured and was not found down, is no verdict at all.
 */
const OUTCOME_RULES: readonly OutcomeRule[] = [
  {
    holds: ({ assessmentReason }) => assessmentReason === 'SpecDrift',
    decide: () => inconclusive('another client changed the target in the meantime'),
  },
  { holds: ({ components }) => components?.alertScore === 0, decide: () => inconclusive('the alert still fires') },
  {
    holds: ({ components }) => components?.healthScore === 0,
    decide: ({ phase }) => inconclusive(phase === 'Failed' ? 'the target no longer exists' : 'the target is unhealthy'),
  },
  // Resolved, or scored without a number: Alertmanager is disabled, or the signal was no alert.
  { holds: ({ components }) => components?.alertAssessed === true, decide: () => REMEDIATED },
  { holds: wasAlertmanagerDown, decide: () => REMEDIATED },
  {
    holds: () => true,
    decide: ({ phase }) => inconclusive(phase === 'Completed' ? 'the alert was not checked in time' : 'the assessment could not be made'),
  },
];

/** Whether Alertmanager was queried when it was due and did not answer when it was last asked. */
function wasAlertmanagerDown({ conditions }: Assessed): boolean {
  return getCondition(conditions, ALERTMANAGER_ANSWERS)?.status === 'False';
}

/** Whether the remediation helped, according to the ended assessment. */
export function outcomeOf(assessed: Assessed): VerificationOutcome {
  const rule = OUTCOME_RULES.find(({ holds }) => holds(assessed));
  return rule ? rule.decide(assessed) : REMEDIATED;
}

/** Whether the assessment measured nothing at all: neither health, nor the alert, nor a metric has a score. Drift is something that was seen. */
export const isNothingMeasured = ({ components, assessmentReason }: Assessed): boolean =>
  assessmentReason !== 'SpecDrift' && measuredShare(components) === 0;
