import { ALERTMANAGER_ANSWERS, type EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';

type Assessed = NonNullable<EffectivenessAssessment['status']>;

/** What an assessment means for its remediation; `why` is the reason against Remediated. */
export type VerificationOutcome = { readonly outcome: 'Remediated' } | { readonly outcome: 'Inconclusive'; readonly why: string };

interface Objection {
  readonly why: string;
  holds(assessed: Assessed): boolean;
}

/**
 * The reasons against the outcome Remediated: the first that holds counts. No finding may be negative, and at least one must be
 * positive; missing data is no success. An alert that could not be read (Alertmanager disabled, or recorded as not answering) is no
 * objection by itself; an alert that was not checked is.
 */
const OBJECTIONS: readonly Objection[] = [
  { why: 'the assessment could not be made', holds: ({ phase }) => phase !== 'Completed' },
  { why: 'another client changed the target in the meantime', holds: ({ assessmentReason }) => assessmentReason === 'SpecDrift' },
  { why: 'the alert still fires', holds: ({ components }) => components?.alertScore === 0 },
  {
    why: 'the alert was not checked in time',
    holds: (assessed) => assessed.components?.alertAssessed !== true && !wasNobodyThere(assessed),
  },
  { why: 'the target is unhealthy', holds: ({ components }) => components?.healthScore === 0 },
  {
    why: 'nothing shows that it helped',
    holds: ({ components }) => (components?.healthScore ?? 0) === 0 && (components?.alertScore ?? 0) === 0,
  },
];

/** Whether Alertmanager was queried when it was due and did not answer until the assessment ended. */
const wasNobodyThere = ({ assessmentReason, conditions }: Assessed): boolean =>
  assessmentReason === 'Partial' && getCondition(conditions, ALERTMANAGER_ANSWERS)?.status === 'False';

/** Whether the remediation helped, according to the ended assessment. */
export function outcomeOf(assessed: Assessed): VerificationOutcome {
  const objection = OBJECTIONS.find(({ holds }) => holds(assessed));
  return objection ? { outcome: 'Inconclusive', why: objection.why } : { outcome: 'Remediated' };
}
