import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Draft } from '../../api/meta.ts';
import { specHash } from '../target/index.ts';
import { assessmentFor, type AssessmentOptions } from './children.ts';
import type { RemediationSeen } from './observe.ts';
import { assessmentConfig } from './propagation.ts';

/**
 * The assessment of a run. The spec as the workflow left it is what drift is measured from: where the target cannot be read now, it is read
 * again before anything is ordered; without a target there is nothing to measure.
 */
export function assessmentDraft(
  { object, target, analysis, settings }: RemediationSeen,
  phase: AssessmentOptions['phase'],
): Draft<EffectivenessAssessment> | undefined {
  if (target.kind === 'unreadable') return undefined;
  const { spec, status } = object;
  const isTheOne = target.kind === 'value' && target.value.metadata.uid === status?.remediationTarget?.uid;
  return assessmentFor(object, {
    phase,
    config: assessmentConfig(
      status?.remediationTarget ?? spec.targetResource,
      analysis.kind === 'value' ? analysis.value : undefined,
      settings,
    ),
    appliedSpecHash: isTheOne ? specHash(target.value) : undefined,
  });
}
