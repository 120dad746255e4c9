import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';

type Assessed = NonNullable<EffectivenessAssessment['status']>;

/** What an assessment means for its remediation; `why` says what speaks against it. */
export type Judgement = { readonly outcome: 'Remediated' } | { readonly outcome: 'Inconclusive'; readonly why: string };

interface Objection {
  readonly why: string;
  holds(assessed: Assessed): boolean;
}

/**
 * What keeps a remediation from being called Remediated: the first row that holds. Nothing may speak against it, and something must speak
 * for it; missing data is no success. An alert that nobody could be asked about (Alertmanager disabled, or not reachable to the end, which
 * makes the assessment Partial) is no objection by itself.
 */
const OBJECTIONS: readonly Objection[] = [
  { why: 'the assessment could not be made', holds: ({ phase }) => phase !== 'Completed' },
  { why: 'somebody else changed the target meanwhile', holds: ({ assessmentReason }) => assessmentReason === 'SpecDrift' },
  { why: 'the alert still fires', holds: ({ components }) => components?.alertScore === 0 },
  {
    why: 'the alert was not judged in time',
    holds: ({ components, assessmentReason }) => components?.alertAssessed !== true && assessmentReason !== 'Partial',
  },
  { why: 'the target is not well', holds: ({ components }) => components?.healthScore === 0 },
  {
    why: 'nothing shows that it helped',
    holds: ({ components }) => (components?.healthScore ?? 0) === 0 && (components?.alertScore ?? 0) === 0,
  },
];

/** Whether the remediation helped, as far as the ended assessment can tell. */
export function judge(assessed: Assessed): Judgement {
  const objection = OBJECTIONS.find(({ holds }) => holds(assessed));
  return objection ? { outcome: 'Inconclusive', why: objection.why } : { outcome: 'Remediated' };
}
