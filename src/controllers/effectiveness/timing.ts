import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { after, instant, parseDuration, parseTime, toTime, type Instant } from '../../base/index.ts';
import type { Settings } from '../settings.ts';
import type { MetricSpan } from './scorers/metrics.ts';
import type { AssessmentStatus } from './status.ts';

/** When components may be checked, and when the assessment ends. */
export interface Timing {
  /** The change is applied and starts to stabilize; the creation time, unless GitOps or an operator has to apply it. */
  readonly settlesFrom: Instant;
  /** Health and metrics are checked from this time on. */
  readonly checkAfter: Instant;
  readonly alertCheckAfter: Instant;
  readonly deadline: Instant;
  /** How long a target without pods must have been healthy. */
  readonly stabilizationMs: number;
}

/**
 * The recorded times, or those that follow from creation time and configuration: never from the current time, so that a controller that was
 * down computes the same times. Checks due at or after the plain deadline extend it, and so does the time for GitOps or an operator to apply
 * the change.
 */
export function timingOf(assessment: EffectivenessAssessment, settings: Settings): Timing {
  const { status = {}, spec } = assessment;
  const created = parseTime(assessment.metadata.creationTimestamp) ?? instant(0);
  const propagationMs = propagationOf(assessment);
  const stabilizationMs = lengthOf(spec.config.stabilizationWindow, settings.stabilizationMs);
  const checkMs = propagationMs + stabilizationMs;
  const alertMs = checkMs + lengthOf(spec.config.alertCheckDelay, 0);
  const isPlain = propagationMs === 0 && alertMs < settings.validityMs;
  return {
    settlesFrom: after(created, propagationMs),
    checkAfter: parseTime(status.prometheusCheckAfter) ?? after(created, checkMs),
    alertCheckAfter: parseTime(status.alertManagerCheckAfter) ?? after(created, alertMs),
    deadline: parseTime(status.validityDeadline) ?? after(created, (isPlain ? 0 : alertMs) + settings.validityMs),
    stabilizationMs,
  };
}

/** Whether GitOps or an operator has to apply what the workflow changed. */
export const isAsync = (assessment: EffectivenessAssessment): boolean => propagationOf(assessment) > 0;

const propagationOf = ({ spec }: EffectivenessAssessment): number => lengthOf(spec.config.hashComputeDelay, 0);

/** The times as recorded in status, once: neither a restart nor a changed setting moves them afterwards. */
export const recordOf = ({ checkAfter, alertCheckAfter, deadline }: Timing): Partial<AssessmentStatus> => ({
  prometheusCheckAfter: toTime(checkAfter),
  alertManagerCheckAfter: toTime(alertCheckAfter),
  validityDeadline: toTime(deadline),
});

/**
 * When the fault was there for certain: from the start of its first signal to the start of the run. At least one scrape long, since an alert
 * begins only after the fault.
 */
export function faultSpan({ spec, metadata }: EffectivenessAssessment, scrapeIntervalMs: number): Omit<MetricSpan, 'from'> {
  const faultTo = parseTime(spec.executionStartedAt) ?? parseTime(metadata.creationTimestamp) ?? instant(0);
  const start = parseTime(spec.faultStartedAt) ?? parseTime(spec.remediationCreatedAt);
  return { faultTo, faultFrom: start && instant(Math.min(start, after(faultTo, -scrapeIntervalMs))) };
}

/** Milliseconds; the fallback for a missing or invalid duration. */
function lengthOf(duration: string | undefined, fallbackMs: number): number {
  const ms = parseDuration(duration ?? '');
  return ms === undefined || ms < 0 ? fallbackMs : ms;
}
