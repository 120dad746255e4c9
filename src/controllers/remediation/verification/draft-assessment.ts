import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Draft } from '../../../api/meta.ts';
import { after, MINUTE, parseTime, type Instant } from '../../../base/index.ts';
import { fingerprint } from '../../target/index.ts';
import { assessmentFor, type AssessmentOptions } from '../children/draft-children.ts';
import type { RemediationSeen } from '../observe.ts';
import { assessmentConfig } from './assessment-delays.ts';

/** How long the ConfigMaps of a target may take to be read; without them drift is measured from the first look of the assessment. */
const SEEN_WHOLE_WITHIN_MS = 2 * MINUTE;

/** The assessment of a run; undefined where the state in which it left the target may yet become known. */
export function assessmentDraft(
  seen: RemediationSeen,
  phase: AssessmentOptions['phase'],
  now: Instant,
): Draft<EffectivenessAssessment> | undefined {
  const { object, analysis, settings } = seen;
  const target = object.status?.remediationTarget ?? object.spec.targetResource;
  const left = stateLeft(seen, now);
  return (
    left &&
    assessmentFor(object, {
      phase,
      config: assessmentConfig(target, analysis.kind === 'value' ? analysis.value : undefined, settings),
      ...left,
    })
  );
}

/**
 * What drift is measured from. Where it cannot be read now, it is read again before anything is ordered; without a target there is nothing
 * to measure.
 */
function stateLeft({ object, target, execution }: RemediationSeen, now: Instant): Pick<AssessmentOptions, 'appliedSpecHash'> | undefined {
  if (target.kind === 'unreadable') return undefined;
  if (target.kind === 'absent' || target.value.metadata.uid !== object.status?.remediationTarget?.uid) return {};
  const left = fingerprint(target.value);
  if (left.isComplete) return { appliedSpecHash: left.specHash };
  return now < wholeBy(execution, now) ? undefined : {};
}

/** A run whose end is not known is not waited for. */
function wholeBy(execution: RemediationSeen['execution'], now: Instant): Instant {
  const endedAt = execution.kind === 'value' ? parseTime(execution.value.status?.completionTime) : undefined;
  return endedAt === undefined ? now : after(endedAt, SEEN_WHOLE_WITHIN_MS);
}
