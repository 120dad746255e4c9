import { isTerminal } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import type { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { given, toTime, type Instant } from '../../base/index.ts';
import type { ExplainedGate, Explanation } from '../../controllers/remediation/explain/index.ts';
import type { Remediation } from '../contract/index.ts';
import { analysisView, planView } from './analysis-view.ts';
import { approvalView } from './approval-view.ts';
import { assessmentView } from './assessment-view.ts';
import { executionView } from './execution-view.ts';
import { summaryOf } from './remediation-summary.ts';
import { timelineOf, type RemediationFamily } from './timeline.ts';

/** What the page of a remediation is made of. */
export interface RemediationSeen extends RemediationFamily {
  readonly explanation: Explanation;
  /** When the time limit of its phase passes. */
  readonly deadline?: Instant | undefined;
  /** The remediation that rolls this one's change back. */
  readonly undoneBy?: string | undefined;
}

/** One remediation whole. */
export function remediationView(seen: RemediationSeen): Remediation {
  const { request, analysis, approval, execution, assessment, notifications, explanation, deadline, undoneBy } = seen;
  const { overallPhase, duplicateOf, duplicateRefs = [], refusal } = request.status ?? {};
  return {
    summary: summaryOf(seen),
    signal: signalView(request),
    gates: explanation.gates.map(gateView),
    next: nextView(explanation),
    timeline: timelineOf(seen),
    notifications: notifications.map(notificationView),
    limits: given({ deadline: timeOf(deadline) }),
    related: { duplicates: duplicateRefs, ...given({ duplicateOf, undoOf: request.spec.undoOf?.name, undoneBy }) },
    mayCancel: !isTerminal(remediationPhases, overallPhase),
    ...given({
      blocker: explanation.blocker,
      analysis: analysis && analysisView(analysis),
      plan: analysis && planView(analysis),
      approval: approval && approvalView(approval, request),
      execution: execution && executionView(execution),
      assessment: assessment && assessmentView(assessment),
      refusal: refusal && { by: refusal.by, until: refusal.until },
    }),
  };
}

const timeOf = (moment: Instant | undefined): string | undefined => (moment === undefined ? undefined : toTime(moment));

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

const gateView = ({ name, state, inputs, message, until }: ExplainedGate): Remediation['gates'][number] => ({
  name,
  state,
  inputs,
  ...given({ message, until: timeOf(until) }),
});

const nextView = ({ next: { what, at, lookAgainAt, commands = [] } }: Explanation): Remediation['next'] => ({
  what,
  commands,
  ...given({ at: timeOf(at), checkAgainAt: timeOf(lookAgainAt) }),
});

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
