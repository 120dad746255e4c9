import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Condition } from '../../../api/meta.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';

/** Reason of the condition EffectivenessAssessed where the target was deleted after its remediation. */
export const TARGET_GONE = 'TargetGone';

/** Whether an assessment ended because the target no longer exists. One that could not be read has no health. */
export const endedWithoutTarget = ({ phase, components }: NonNullable<EffectivenessAssessment['status']>): boolean =>
  phase === 'Failed' && components?.healthScore === 0;

/** Whether a request ended because its target was deleted. */
export const isTargetGone = (conditions: readonly Condition[] | undefined): boolean =>
  getCondition(conditions, 'EffectivenessAssessed')?.reason === TARGET_GONE;
