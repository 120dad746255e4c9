import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { overallScore } from '../../../api/effectiveness-assessment/overall-score.ts';
import { clip, parseTime } from '../../../base/index.ts';
import type { EventNote } from '../../../kube/objects/events.ts';
import { targetText } from '../../target/target-text.ts';

type Components = NonNullable<NonNullable<EffectivenessAssessment['status']>['components']>;

const LONGEST_MESSAGE = 1_000;

/** The components, by the flag that says that each is done. */
export const COMPONENTS = [
  { name: 'hash', flag: 'hashComputed' },
  { name: 'health', flag: 'healthAssessed', score: 'healthScore' },
  { name: 'alert', flag: 'alertAssessed', score: 'alertScore' },
  { name: 'metrics', flag: 'metricsAssessed', score: 'metricsScore' },
] as const satisfies readonly { readonly name: string; readonly flag: keyof Components; readonly score?: keyof Components }[];

/** Whether the component was done between the two. */
export const isNewlyDone = (
  { flag }: (typeof COMPONENTS)[number],
  before: EffectivenessAssessment | undefined,
  after: EffectivenessAssessment,
): boolean => after.status?.components?.[flag] === true && before?.status?.components?.[flag] !== true;

/** The ends that time brings about. */
const OF_TIME: readonly (string | undefined)[] = ['Expired', 'Partial', 'MetricsTimedOut', 'AlertDecayTimeout'];

/** Whether it ended because its time was up. What can never be known ends one early: then it did not run out of time. */
export function ranOutOfTime({ assessmentReason, completedAt, validityDeadline }: NonNullable<EffectivenessAssessment['status']>): boolean {
  const [ended, deadline] = [parseTime(completedAt), parseTime(validityDeadline)];
  return OF_TIME.includes(assessmentReason) && (ended === undefined || deadline === undefined || ended >= deadline);
}

/** What people are told when one state of an assessment follows another. */
export function assessmentNotesOf(before: EffectivenessAssessment | undefined, after: EffectivenessAssessment): readonly EventNote[] {
  const notes = [startNote(before, after), ...componentNotes(before, after), endNote(before, after)];
  return notes.filter((note) => note !== undefined).map((note) => ({ ...note, message: clip(note.message, LONGEST_MESSAGE) }));
}

function startNote(before: EffectivenessAssessment | undefined, { spec, status }: EffectivenessAssessment): EventNote | undefined {
  if (status?.phase !== 'Assessing' || before?.status?.phase === 'Assessing') return undefined;
  return { type: 'Normal', reason: 'AssessmentStarted', message: `${targetText(spec.remediationTarget)} is looked at` };
}

/** Nobody is there to be asked about what has no score and was never waited for: that is no news. */
function componentNotes(before: EffectivenessAssessment | undefined, after: EffectivenessAssessment): readonly EventNote[] {
  return COMPONENTS.flatMap((component) => {
    const score = 'score' in component ? after.status?.components?.[component.score] : undefined;
    if (!isNewlyDone(component, before, after) || score === undefined) return [];
    return [{ type: 'Normal', reason: 'ComponentAssessed', message: `${component.name} scored ${score}` } as const];
  });
}

function endNote(before: EffectivenessAssessment | undefined, { status = {} }: EffectivenessAssessment): EventNote | undefined {
  const { phase, assessmentReason: reason, message = '' } = status;
  if (before?.status?.phase === phase) return undefined;
  if (phase === 'Failed') return { type: 'Warning', reason: 'AssessmentFailed', message };
  if (phase !== 'Completed') return undefined;
  return reason === 'SpecDrift' ? { type: 'Warning', reason: 'SpecDriftDetected', message } : scoreNote(status);
}

function scoreNote(status: NonNullable<EffectivenessAssessment['status']>): EventNote {
  const { assessmentReason: reason, message = '', components } = status;
  const score = overallScore(components, reason);
  const told = `${score === undefined ? 'without a score' : `score ${score.toFixed(2)}`}: ${message}`;
  return reason === undefined || ranOutOfTime(status)
    ? { type: 'Warning', reason: 'AssessmentExpired', message: `${reason ?? 'Expired'}, ${told}` }
    : { type: 'Normal', reason: 'EffectivenessAssessed', message: told };
}
