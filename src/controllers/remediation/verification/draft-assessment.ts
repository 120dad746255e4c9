import { targetOf } from '../request-target.ts';
import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Draft } from '../../../api/meta.ts';
import { after, clip, MINUTE, parseTime, type Instant } from '../../../base/index.ts';
import { fingerprint } from '../../target/index.ts';
import { assessmentFor, type AssessmentOptions } from '../children/draft-children.ts';
import type { RemediationSeen } from '../observe.ts';
import { assessmentConfig } from './assessment-delays.ts';

/** How long to wait until the target's ConfigMaps can be read; without them drift is measured from the assessment's first read. */
const SEEN_WHOLE_WITHIN_MS = 2 * MINUTE;

/** The draft of a run's assessment; undefined while the state of the target after the run may still become readable. */
export function assessmentDraft(
  seen: RemediationSeen,
  phase: AssessmentOptions['phase'],
  now: Instant,
): Draft<EffectivenessAssessment> | undefined {
  const { object, settings } = seen;
  const analysis = seen.analysis.kind === 'value' ? seen.analysis.value : undefined;
  const execution = seen.execution.kind === 'value' ? seen.execution.value : undefined;
  const left = stateLeft(seen, now);
  return (
    left &&
    assessmentFor(object, {
      phase,
      config: assessmentConfig(
        targetOf(object),
        { analysis, object: seen.target.kind === 'value' ? seen.target.value : undefined },
        settings,
      ),
      cause: causeText(analysis),
      executionStartedAt: execution?.status?.startTime,
      ...left,
    })
  );
}

const LONGEST_CAUSE = 512;

/** Kind of fault and cause, by which the metrics that the fault is about are chosen. */
function causeText(analysis: AIAnalysis | undefined): string | undefined {
  const found = analysis?.status?.rootCauseAnalysis;
  return found && clip(`${found.signalType}: ${found.summary}`, LONGEST_CAUSE);
}

/**
 * The state that drift is measured from. If it cannot be read now, the assessment is created later; without a target there is nothing
 * to measure.
 */
function stateLeft({ object, target, execution }: RemediationSeen, now: Instant): Pick<AssessmentOptions, 'appliedSpecHash'> | undefined {
  if (target.kind === 'unreadable' || target.kind === 'not-read') return undefined;
  if (target.kind === 'absent' || target.value.metadata.uid !== object.status?.remediationTarget?.uid) return {};
  const left = fingerprint(target.value);
  if (left.isComplete) return { appliedSpecHash: left.specHash };
  return now < wholeBy(execution, now) ? undefined : {};
}

/** Without a known end of the run there is no wait. */
function wholeBy(execution: RemediationSeen['execution'], now: Instant): Instant {
  const endedAt = execution.kind === 'value' ? parseTime(execution.value.status?.completionTime) : undefined;
  return endedAt === undefined ? now : after(endedAt, SEEN_WHOLE_WITHIN_MS);
}
