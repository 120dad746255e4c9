import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { after, instant, parseDuration, parseTime, toTime, type Instant } from '../../base/index.ts';
import type { Settings } from '../settings.ts';
import type { AssessmentStatus } from './status.ts';

/** When an assessment may look, and when it ends with what it has. */
export interface Timing {
  /** From here on the change has arrived, and has time to settle; the moment of creation where nobody else has to apply it. */
  readonly settlesFrom: Instant;
  /** Health and metrics are judged from here on. */
  readonly checkAfter: Instant;
  readonly alertCheckAfter: Instant;
  readonly deadline: Instant;
}

/**
 * What is on record, else what follows from the moment of creation and the configuration: never from the moment of the look, so that a
 * monitor that was down comes to the same times. Checks that would fall at or after the plain deadline extend it; so does a change that
 * others have to apply first.
 */
export function timingOf(assessment: EffectivenessAssessment, settings: Settings): Timing {
  const { status = {}, spec } = assessment;
  const created = parseTime(assessment.metadata.creationTimestamp) ?? instant(0);
  const propagationMs = propagationOf(assessment);
  const checkMs = propagationMs + lengthOf(spec.config.stabilizationWindow, settings.stabilizationMs);
  const alertMs = checkMs + lengthOf(spec.config.alertCheckDelay, 0);
  const isPlain = propagationMs === 0 && alertMs < settings.validityMs;
  return {
    settlesFrom: after(created, propagationMs),
    checkAfter: parseTime(status.prometheusCheckAfter) ?? after(created, checkMs),
    alertCheckAfter: parseTime(status.alertManagerCheckAfter) ?? after(created, alertMs),
    deadline: parseTime(status.validityDeadline) ?? after(created, (isPlain ? 0 : alertMs) + settings.validityMs),
  };
}

/** Whether others have to apply what the workflow changed. */
export const isAsync = (assessment: EffectivenessAssessment): boolean => propagationOf(assessment) > 0;

const propagationOf = ({ spec }: EffectivenessAssessment): number => lengthOf(spec.config.hashComputeDelay, 0);

/** The times as they are put on record, once: neither a restart nor a changed setting moves them afterwards. */
export const recordOf = ({ checkAfter, alertCheckAfter, deadline }: Timing): Partial<AssessmentStatus> => ({
  prometheusCheckAfter: toTime(checkAfter),
  alertManagerCheckAfter: toTime(alertCheckAfter),
  validityDeadline: toTime(deadline),
});

/** Milliseconds; the fallback when nothing, or nothing sensible, is said. */
function lengthOf(duration: string | undefined, fallbackMs: number): number {
  const ms = parseDuration(duration ?? '');
  return ms === undefined || ms < 0 ? fallbackMs : ms;
}
