import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { overallScore } from '../../../api/effectiveness-assessment/overall-score.ts';
import { assessmentPhases } from '../../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../../api/phases.ts';
import { after, parseDuration, parseTime, toTime, type JsonObject } from '../../../base/index.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';
import { controllerOf } from '../../../kube/objects/owner-references.ts';
import type { AuditEvent, AuditType } from '../../../store/audit-log.ts';
import { targetText } from '../../target/target-text.ts';
import { compact, short } from './audit-event-data.ts';

interface Happening {
  readonly type: AuditType;
  readonly mark?: string;
  readonly at: string | undefined;
  readonly data: JsonObject;
}

/**
 * Every event that the state of an assessment implies. Results of components are recorded when the assessment has ended, since they no longer
 * change then; that it waits is recorded while it does.
 */
export function assessmentEventsOf(assessment: EffectivenessAssessment): readonly AuditEvent[] {
  const { metadata, spec, kind } = assessment;
  const subject = { kind, namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid };
  // Names are reused: the UID identifies the request.
  const request = controllerOf(assessment)?.uid;
  return [...scheduled(assessment), ...decayed(assessment), ...ended(assessment)].flatMap(({ type, mark, at, data }) =>
    at === undefined
      ? []
      : [
          {
            id: [metadata.uid, type, ...(mark === undefined ? [] : [mark])].join('/'),
            type,
            correlationId: spec.correlationID,
            subject,
            at,
            data: compact({ ...data, request }),
          },
        ],
  );
}

/** When the next step is expected: the end of the propagation, and after it the first look. */
function scheduled({ metadata, spec, status = {} }: EffectivenessAssessment): readonly Happening[] {
  const { phase, prometheusCheckAfter, alertManagerCheckAfter, validityDeadline } = status;
  if (phase !== 'WaitingForPropagation' && phase !== 'Stabilizing') return [];
  const created = parseTime(metadata.creationTimestamp);
  const arrives = created === undefined ? undefined : toTime(after(created, parseDuration(spec.config.hashComputeDelay ?? '') ?? 0));
  const isWaiting = phase === 'WaitingForPropagation';
  const data = {
    phase,
    next: isWaiting ? arrives : prometheusCheckAfter,
    healthAndMetricsAfter: prometheusCheckAfter,
    alertAfter: alertManagerCheckAfter,
    deadline: validityDeadline,
  };
  return [{ type: 'effectiveness.assessment.scheduled', mark: phase, at: isWaiting ? metadata.creationTimestamp : arrives, data }];
}

function decayed({ status }: EffectivenessAssessment): readonly Happening[] {
  const condition = getCondition(status?.conditions, 'AlertDecayDetected');
  if (condition?.status !== 'True') return [];
  return [{ type: 'effectiveness.alert_decay.detected', at: condition.lastTransitionTime, data: { message: short(condition.message) } }];
}

function ended(assessment: EffectivenessAssessment): readonly Happening[] {
  const { spec, status = {} } = assessment;
  const { phase, completedAt: at, assessmentReason: reason, components = {} } = status;
  if (!isTerminal(assessmentPhases, phase)) return [];
  const score = overallScore(components, reason);
  const data = { phase, reason, score, target: targetText(spec.remediationTarget), message: short(status.message) };
  return [...findings(assessment), { type: 'effectiveness.assessment.completed', at, data }];
}

function findings({ spec, status = {} }: EffectivenessAssessment): readonly Happening[] {
  const { completedAt: at, components: found = {} } = status;
  const pre = spec.preRemediationSpecHash ?? found.preRemediationSpecHash;
  const { rootOwner: root, rootSpecHash: rootPost } = found;
  const post = found.postRemediationSpecHash;
  const isMatch = pre === undefined || post === undefined ? undefined : pre === post;
  const rows: readonly (readonly [boolean | undefined, AuditType, JsonObject])[] = [
    [found.hashComputed, 'effectiveness.hash.computed', { pre, post, current: found.currentSpecHash, match: isMatch, root, rootPost }],
    [found.healthAssessed, 'effectiveness.health.assessed', { score: found.healthScore }],
    [found.alertAssessed, 'effectiveness.alert.assessed', { score: found.alertScore, decayRetries: found.alertDecayRetries }],
    [found.metricsAssessed, 'effectiveness.metrics.assessed', { score: found.metricsScore }],
  ];
  return rows.filter(([isDone]) => isDone === true).map(([, type, data]) => ({ type, at, data }));
}
