/**
 * EffectivenessAssessment: did it help? Some minutes after a workflow ran, the target is looked at once more.
 *
 * - `timing.ts` says from when and until when it may be looked at.
 * - `observe.ts` reads the target and its pods from the server, `decide.ts` leads from phase to phase.
 * - `scorers/` judge one component each, from plain data; what cannot be read is unknown, never well and never ill.
 * - `overall-score.ts` makes one number of the components, for people; nothing is decided by it.
 *
 * Alertmanager and Prometheus are not asked yet. What follows from an assessment is the orchestrator's to say. Start with decide.ts.
 */
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { keyOf } from '../../api/meta.ts';
import type { Controller } from '../../runtime/controller.ts';
import type { SettingsSource } from '../settings.ts';
import { decide } from './decide.ts';
import { observe, type AssessmentSeen } from './observe.ts';

export { overallScore } from './overall-score.ts';
export type { AssessmentSeen } from './observe.ts';

/** Verifies remediations. */
export const createEffectivenessController = (settings: SettingsSource): Controller<AssessmentSeen> => ({
  name: 'effectiveness',
  primary: EffectivenessAssessment,
  watches: [{ resource: EffectivenessAssessment, namespace: settings().namespace, keys: (object) => [keyOf(object)] }],
  observe: (key, reader, now) => observe(key, reader, { now, settings: settings() }),
  decide,
});
