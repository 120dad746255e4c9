import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { measuredShare, overallScore, WEIGHTS } from '../../api/effectiveness-assessment/overall-score.ts';
import { given } from '../../base/index.ts';
import type { Remediation } from '../contract/index.ts';

/** Whether it helped, with the arithmetic of the score. */
export function assessmentView({ metadata, spec, status = {} }: EffectivenessAssessment): NonNullable<Remediation['assessment']> {
  const { phase = 'Pending', components: found = {}, assessmentReason, message, completedAt, validityDeadline } = status;
  const { preRemediationSpecHash = spec.preRemediationSpecHash, postRemediationSpecHash: after, currentSpecHash: now } = found;
  return {
    name: metadata.name,
    phase,
    measured: measuredShare(found),
    components: [
      { name: 'health', weight: WEIGHTS.healthScore, assessed: found.healthAssessed ?? false, ...given({ score: found.healthScore }) },
      { name: 'alert', weight: WEIGHTS.alertScore, assessed: found.alertAssessed ?? false, ...given({ score: found.alertScore }) },
      { name: 'metrics', weight: WEIGHTS.metricsScore, assessed: found.metricsAssessed ?? false, ...given({ score: found.metricsScore }) },
    ],
    spec: given({ before: preRemediationSpecHash, after, now, drifted: driftOf(after, now) }),
    ...given({ reason: assessmentReason, message, score: overallScore(found, assessmentReason), deadline: validityDeadline, completedAt }),
  };
}

const driftOf = (after: string | undefined, now: string | undefined): boolean | undefined =>
  after === undefined || now === undefined ? undefined : after !== now;
