import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { scoreText } from '../../../api/effectiveness-assessment/overall-score.ts';
import { parseTime } from '../../../base/index.ts';
import type { EventNote } from '../../../kube/objects/events.ts';
import { normalNote, warningNote } from '../../kubernetes-events.ts';
import { targetText } from '../../target/target-text.ts';

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

/** The Events of a change of an assessment. */
export function assessmentNotesOf(before: EffectivenessAssessment | undefined, after: EffectivenessAssessment): readonly EventNote[] {
  const notes = [startNote(before, after), ...componentNotes(before, after), endNote(before, after)];
  return notes.filter((note) => note !== undefined);
}

function startNote(before: EffectivenessAssessment | undefined, { spec, status }: EffectivenessAssessment): EventNote | undefined {
  if (status?.phase !== 'Assessing' || before?.status?.phase === 'Assessing') return undefined;
  return normalNote('AssessmentStarted', `assessing the effect of the remediation on ${targetText(spec.remediationTarget)}`);
}

/** A component without a score was not applicable: no Event is recorded for it. */
function componentNotes(before: EffectivenessAssessment | undefined, after: EffectivenessAssessment): readonly EventNote[] {
  return COMPONENTS.flatMap((component) => {
    const score = 'score' in component ? after.status?.components?.[component.score] : undefined;
    if (!isNewlyDone(component, before, after) || score === undefined) return [];
    return [normalNote('ComponentAssessed', `${component.name} scored ${score}`)];
  });
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
  const score = scoreText(components, reason);
  const result = `${score === undefined ? 'without a score' : `score ${score}`}: ${message}`;
  return reason === undefined || ranOutOfTime(status)
    ? warningNote('AssessmentExpired', `${reason ?? 'Expired'}, ${result}`)
    : normalNote('EffectivenessAssessed', result);
}
