/**
 * EffectivenessAssessment: did the remediation help? Some minutes after a workflow ran, its target is checked and scored.
 *
 * In reading order:
 * - `decide.ts` leads an assessment from phase to phase; `timing.ts` says from when and until when components may be checked.
 * - `observe.ts` reads the target and its pods from the API server, and queries Alertmanager and Prometheus where they are configured;
 *   `read-history-keys.ts` reads the hashes that later analyses look results up by.
 * - `assess.ts` is one pass over the components and what follows from it; `check-components.ts` checks spec, health, alert and metrics.
 * - `expire.ts` ends an assessment at its deadline, `drift-at-deadline.ts` compares the target with its recorded state then.
 * - `scorers/` score one component each, from plain data; what cannot be read is unknown, neither healthy nor unhealthy.
 * - `status.ts` writes phases and conditions.
 * - `measured-metrics.ts` reads for people what the score compares.
 * - `library.ts` is what other programs may import: hashes and scores.
 *
 * What the orchestrator does with a verdict is decided in remediation/.
 */
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { keyOf, type ObjectKey } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Monitoring } from '../../monitoring/index.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import type { RemediationHistory } from '../../store/index.ts';
import { childNames } from '../child-names.ts';
import type { SettingsSource } from '../settings.ts';
import { decide } from './decide.ts';
import { observe, type AssessmentSeen } from './observe.ts';

export { readMeasuredMetrics, type MeasuredMetrics } from './measured-metrics.ts';
export type { AssessmentSeen } from './observe.ts';

/**
 * Verifies remediations. Without `monitoring` neither alerts nor metrics are judged; without `history` the hash from before the
 * run stays unknown where the spec does not give it.
 */
export const createEffectivenessController = (
  settings: SettingsSource,
  monitoring: Monitoring = {},
  history?: RemediationHistory,
): Controller<AssessmentSeen> => {
  const { namespace } = settings();
  return {
    name: 'effectiveness',
    primary: EffectivenessAssessment,
    watches: [
      { resource: EffectivenessAssessment, namespace, keys: (object) => [keyOf(object)] },
      { resource: RemediationRequest, namespace, keys: (object) => assessmentToWake(object as RemediationRequest) },
    ],
    observe: (key, reader, now) => observe(key, reader, { now, settings: settings(), monitoring, history }),
    decide,
  };
};

/** An alert that is reported resolved is a reason to look at once; whether anything may be judged yet is another matter. */
function assessmentToWake({ metadata, status }: RemediationRequest): readonly ObjectKey[] {
  const isNews = status?.overallPhase === 'Verifying' && status.deduplication?.alerts?.some(({ resolvedAt }) => resolvedAt !== undefined);
  return isNews === true ? [{ namespace: metadata.namespace ?? '', name: childNames(metadata.name).assessment }] : [];
}
