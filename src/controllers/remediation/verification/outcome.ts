import { ALERTMANAGER_ANSWERS, type EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';

type Assessed = NonNullable<EffectivenessAssessment['status']>;

/** What an assessment means for its remediation; `why` says what speaks against it. */
export type Judgement = { readonly outcome: 'Remediated' } | { readonly outcome: 'Inconclusive'; readonly why: string };

interface Objection {
  readonly why: string;
  holds(assessed: Assessed): boolean;
}

/**
 * What keeps a remediation from being called Remediated: the first row that holds. Nothing may speak against it, and something must speak
 * for it; missing data is no success. An alert that nobody could be asked about (Alertmanager disabled, or on record as not answering) is no
 * objection by itself; one that merely nobody looked at is.
 */
const OBJECTIONS: readonly Objection[] = [
  { why: 'the assessment could not be made', holds: ({ phase }) => phase !== 'Completed' },
  { why: 'somebody else changed the target meanwhile', holds: ({ assessmentReason }) => assessmentReason === 'SpecDrift' },
  { why: 'the alert still fires', holds: ({ components }) => components?.alertScore === 0 },
  {
    why: 'the alert was not judged in time',
    holds: (assessed) => assessed.components?.alertAssessed !== true && !wasNobodyThere(assessed),
  },
  { why: 'the target is not well', holds: ({ components }) => components?.healthScore === 0 },
  {
    why: 'nothing shows that it helped',
    holds: ({ components }) => (components?.healthScore ?? 0) === 0 && (components?.alertScore ?? 0) === 0,
  },
];

/** Alertmanager was asked when it was time, and gave no answer to the end. */
const wasNobodyThere = ({ assessmentReason, conditions }: Assessed): boolean =>
  assessmentReason === 'Partial' && getCondition(conditions, ALERTMANAGER_ANSWERS)?.status === 'False';

/** Whether the remediation helped, as far as the ended assessment can tell. */
export function judge(assessed: Assessed): Judgement {
  const objection = OBJECTIONS.find(({ holds }) => holds(assessed));
  return objection ? { outcome: 'Inconclusive', why: objection.why } : { outcome: 'Remediated' };
}
