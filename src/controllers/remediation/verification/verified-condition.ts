import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { basisText } from '../../../api/effectiveness-assessment/overall-score.ts';
import type { WantedCondition } from '../../../kube/objects/conditions.ts';
import { isNothingMeasured, type VerificationOutcome } from './outcome.ts';

/** Condition of a request: whether its outcome Remediated rests on something that was measured. */
export const VERIFIED = 'Verified';

/** Its reason where neither health, nor the alert, nor a metric could be measured: such an end counts neither as success nor as failure. */
export const NOTHING_MEASURED = 'NothingMeasured';

/** What the condition Verified says about an ended assessment. */
export function verifiedCondition(
  assessed: NonNullable<EffectivenessAssessment['status']>,
  judgement: VerificationOutcome,
): WantedCondition {
  if (isNothingMeasured(assessed)) {
    const message = 'not verified: neither health, nor the alert, nor metrics could be measured';
    return { type: VERIFIED, status: 'False', reason: NOTHING_MEASURED, message };
  }
  if (judgement.outcome === 'Inconclusive') return { type: VERIFIED, status: 'False', reason: 'Inconclusive', message: judgement.why };
  return { type: VERIFIED, status: 'True', reason: 'Measured', message: `verified from ${basisText(assessed.components)}` };
}
