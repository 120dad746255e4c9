import type { AssessmentReason, EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { overallScore, scoreText } from '../../../api/effectiveness-assessment/overall-score.ts';
import { parseTime } from '../../../base/index.ts';
import type { EventNote } from '../../../kube/objects/events.ts';
import { normalNote, warningNote } from '../../kubernetes-events.ts';

type Components = NonNullable<NonNullable<EffectivenessAssessment['status']>['components']>;

/** The components, each with the status field that marks it as assessed. */
export const COMPONENTS = [
  { name: 'hash', flag: 'hashComputed' },
  { name: 'health', flag: 'healthAssessed', score: 'healthScore' },
  { name: 'alert', flag: 'alertAssessed', score: 'alertScore' },
  { name: 'metrics', flag: 'metricsAssessed', score: 'metricsScore' },
] as const satisfies readonly { readonly name: string; readonly flag: keyof Components; readonly score?: keyof Components }[];

/** Whether the component was assessed between the two states. */
export const isNewlyDone = (
  { flag }: (typeof COMPONENTS)[number],
  before: EffectivenessAssessment | undefined,
  after: EffectivenessAssessment,
): boolean => after.status?.components?.[flag] === true && before?.status?.components?.[flag] !== true;

/** The reasons of an assessment that ran out of time. */
const TIMEOUT_REASONS: readonly (string | undefined)[] = ['Expired', 'Partial', 'MetricsTimedOut', 'AlertDecayTimeout'];

/** Whether the assessment ended at its deadline. One whose missing component can never be known ends before, and did not run out of time. */
export function ranOutOfTime({ assessmentReason, completedAt, validityDeadline }: NonNullable<EffectivenessAssessment['status']>): boolean {
  const [ended, deadline] = [parseTime(completedAt), parseTime(validityDeadline)];
  return TIMEOUT_REASONS.includes(assessmentReason) && (ended === undefined || deadline === undefined || ended >= deadline);
}

/** The Events of a change of an assessment: its end, with every score. */
export function assessmentNotesOf(before: EffectivenessAssessment | undefined, after: EffectivenessAssessment): readonly EventNote[] {
  const note = endNote(before, after);
  return note ? [note] : [];
}

function endNote(before: EffectivenessAssessment | undefined, { status = {} }: EffectivenessAssessment): EventNote | undefined {
  const { phase, assessmentReason: reason, message = '' } = status;
  if (before?.status?.phase === phase) return undefined;
  if (phase === 'Failed') return warningNote('AssessmentFailed', message);
  if (phase !== 'Completed') return undefined;
  return reason === 'SpecDrift' ? warningNote('SpecDriftDetected', message) : scoreNote(status);
}

function scoreNote(status: NonNullable<EffectivenessAssessment['status']>): EventNote {
  const { assessmentReason: reason, message = '', components } = status;
  const score = scoresText(components, reason);
  const result = `${score === undefined ? 'without a score' : `score ${score}`}: ${message}`;
  return reason === undefined || ranOutOfTime(status)
    ? warningNote('AssessmentExpired', `${reason ?? 'Expired'}, ${result}`)
    : normalNote('EffectivenessAssessed', result);
}

/** The score; where it rests on several, with each of them: `0.75 (health 1.00, alert 1.00, metrics 0.00)`. */
function scoresText(components: Components | undefined, reason: AssessmentReason | undefined): string | undefined {
  const parts = COMPONENTS.flatMap((component) => {
    const score = 'score' in component ? components?.[component.score] : undefined;
    return score === undefined ? [] : [`${component.name} ${score.toFixed(2)}`];
  });
  const overall = overallScore(components, reason);
  return overall === undefined || parts.length < 2 ? scoreText(components, reason) : `${overall.toFixed(2)} (${parts.join(', ')})`;
}
