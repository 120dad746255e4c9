import { isTerminal } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import type { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { given } from '../../base/index.ts';
import type { Remediation } from '../contract/index.ts';
import type { Explained } from '../handlers/people-actions.ts';
import { analysisView, planView } from './analysis-view.ts';
import { approvalView } from './approval-view.ts';
import { assessmentView } from './assessment-view.ts';
import { executionView } from './execution-view.ts';
import { summaryOf } from './remediation-summary.ts';
import { timelineOf, type RemediationFamily } from './timeline.ts';

/** What the page of a remediation is made of. */
export interface RemediationSeen extends RemediationFamily {
  readonly explained: Explained;
}

/** One remediation whole. */
export function remediationView(seen: RemediationSeen): Remediation {
  const { request, notifications, explained } = seen;
  return {
    ...explained,
    ...childViews(seen),
    summary: summaryOf(seen),
    signal: signalView(request),
    timeline: timelineOf(seen),
    notifications: notifications.map(notificationView),
    related: relatedIn(request),
    mayCancel: !isTerminal(remediationPhases, request.status?.overallPhase),
    ...refusalIn(request),
  };
}

function childViews({ request, analysis, approval, execution, assessment }: RemediationSeen) {
  const digest = approval?.spec.planDigest ?? request.status?.planDigest;
  return given({
    analysis: analysis && analysisView(analysis),
    plan: analysis && planView(analysis, digest),
    approval: approval && approvalView(approval, request),
    execution: execution && executionView(execution),
    assessment: assessment && assessmentView(assessment),
  });
}

function relatedIn({ spec, status = {} }: RemediationRequest): Remediation['related'] {
  const { duplicateOf, duplicateRefs = [], undo } = status;
  return { duplicates: duplicateRefs, ...given({ duplicateOf, undoOf: spec.undoOf?.name, undoneBy: undo?.requestRef?.name }) };
}

function refusalIn({ status = {} }: RemediationRequest): Pick<Remediation, 'refusal'> {
  const { refusal } = status;
  return refusal ? { refusal: { by: refusal.by, until: refusal.until } } : {};
}

function signalView({ spec, status, metadata }: RemediationRequest): Remediation['signal'] {
  const { alerts = [], lastSeenAt = metadata.creationTimestamp } = status?.deduplication ?? {};
  const received = { name: spec.signalName, severity: spec.severity, lastSeenAt };
  return {
    firingTime: spec.firingTime,
    receivedTime: spec.receivedTime,
    fingerprint: spec.signalFingerprint,
    labels: spec.signalLabels ?? {},
    annotations: spec.signalAnnotations ?? {},
    alerts: alerts.length === 0 ? [received] : alerts.map(({ instance: _instance, ...alert }) => alert),
  };
}

const notificationView = ({ metadata, spec, status = {} }: NotificationRequest): Remediation['notifications'][number] => ({
  name: metadata.name,
  type: spec.type,
  subject: spec.subject,
  phase: status.phase ?? 'Pending',
  createdAt: metadata.creationTimestamp,
  attempts: (status.deliveryAttempts ?? []).map(({ channel, timestamp, status: outcome, error }) => ({
    channel,
    at: timestamp,
    status: outcome,
    ...given({ error }),
  })),
  ...given({ completedAt: status.completionTime }),
});
