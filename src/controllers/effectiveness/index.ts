/**
 * EffectivenessAssessment: did it help? Some minutes after a workflow ran, the target is looked at once more.
 *
 * - `timing.ts` says from when and until when it may be looked at.
 * - `observe.ts` reads the target and its pods from the server, and asks Alertmanager and Prometheus where they are configured.
 * - `for-the-record.ts` reads what later investigations look the result up by.
 * - `decide.ts` leads from phase to phase; `assess.ts` is one look and what follows from it, `look.ts` goes through the components,
 *   `expire.ts` is the end of the time, with `last-look.ts` at the target.
 * - `scorers/` judge one component each, from plain data; what cannot be read is unknown, never well and never ill.
 * - `library.ts` is what other programs may use of all this: hashes and scores.
 *
 * What follows from an assessment is the orchestrator's to say. Start with decide.ts.
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

export type { AssessmentSeen } from './observe.ts';

/**
 * Verifies remediations. Without `monitoring` neither alerts nor metrics are judged; without `history` nobody is asked for the hash from
 * before where the order does not say it.
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
