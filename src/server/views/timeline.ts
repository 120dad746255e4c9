import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { scoreText } from '../../api/effectiveness-assessment/overall-score.ts';
import type { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { given } from '../../base/index.ts';
import type { TimelineEvent } from '../contract/index.ts';
import { refOf } from './remediation-summary.ts';

/** A remediation with its children, as far as they exist. */
export interface RemediationFamily {
  readonly request: RemediationRequest;
  readonly processing?: SignalProcessing | undefined;
  readonly analysis?: AIAnalysis | undefined;
  readonly approval?: RemediationApprovalRequest | undefined;
  readonly execution?: WorkflowExecution | undefined;
  readonly assessment?: EffectivenessAssessment | undefined;
  readonly notifications: readonly NotificationRequest[];
}

type Happened = Omit<TimelineEvent, 'at' | 'object'>;
/** Without a time it has not happened. */
type Entry = readonly [at: string | undefined, event: Happened, object?: KubeObject | undefined];

/** Everything that happened to a remediation, the oldest first; what happened in one second stays in the order of the pipeline. */
export function timelineOf(family: RemediationFamily): readonly TimelineEvent[] {
  const entries = [
    ...signalEntries(family.request),
    ...analysisEntries(family),
    ...blockEntries(family.request),
    ...approvalEntries(family),
    ...executionEntries(family),
    ...assessmentEntries(family),
    ...family.notifications.flatMap(notificationEntries),
    ...endEntries(family.request),
  ];
  return entries
    .flatMap(([at, event, object]) => (at === undefined ? [] : [{ at, ...event, ...given({ object: object && refTo(object) }) }]))
    .toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

const refTo = ({ kind, metadata: { namespace, name } }: KubeObject) => refOf({ kind, namespace, name });

function signalEntries(request: RemediationRequest): readonly Entry[] {
  const { signalName, firingTime, receivedTime, signalSource } = request.spec;
  const { deduplication, startTime } = request.status ?? {};
  const alerts = deduplication?.alerts ?? [];
  const count = deduplication?.occurrenceCount ?? 1;
  const resolved = alerts.filter(({ resolvedAt }) => resolvedAt !== undefined);
  return [
    [firingTime, { kind: 'signal', look: 'warning', title: `${signalName} began to fire` }],
    [receivedTime, { kind: 'signal', look: 'info', title: `${signalName} was received`, ...given({ message: sourceText(signalSource) }) }],
    [startTime, { kind: 'phase', look: 'info', title: 'The orchestrator began to work on it' }, request],
    ...(count > 1
      ? [[deduplication?.lastSeenAt, { kind: 'signal', look: 'info', title: `Received for the ${ordinal(count)} time` }] as const]
      : []),
    ...resolved.map(({ name, resolvedAt }): Entry => [resolvedAt, { kind: 'signal', look: 'success', title: `${name} was resolved` }]),
  ];
}

const sourceText = (source: string | undefined): string | undefined => (source === undefined ? undefined : `from ${source}`);

/** @example ordinal(12) === '12th' */
function ordinal(count: number): string {
  const isTeen = count % 100 > 10 && count % 100 < 14;
  return `${count}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th')}`;
}

function analysisEntries({ processing, analysis }: RemediationFamily): readonly Entry[] {
  const { completionTime, severity, environmentClassification } = processing?.status ?? {};
  const classes = [severity, environmentClassification?.environment].filter((part) => part !== undefined).join(', ');
  const { startedAt, completedAt } = analysis?.status ?? {};
  return [
    [completionTime, { kind: 'evidence', look: 'info', title: 'The signal was classified', message: classes }, processing],
    [startedAt, { kind: 'evidence', look: 'info', title: 'The analysis began' }, analysis],
    [completedAt, { kind: 'evidence', ...findingOf(analysis) }, analysis],
  ];
}

function findingOf(analysis: AIAnalysis | undefined): Pick<Happened, 'look' | 'title' | 'message'> {
  const { phase, message, rootCause, selectedWorkflow } = analysis?.status ?? {};
  if (phase === 'Failed') return { look: 'failure', title: 'The analysis failed', ...given({ message }) };
  if (rootCause === undefined) return { look: 'warning', title: 'The analysis ended without a cause', ...given({ message }) };
  return { look: selectedWorkflow ? 'success' : 'warning', title: 'The analysis found a cause', message: rootCause };
}

function blockEntries(request: RemediationRequest): readonly Entry[] {
  const { blockedStartTime, blockReason, blockMessage } = request.status ?? {};
  const title = `Blocked${blockReason === undefined ? '' : `: ${blockReason}`}`;
  return [[blockedStartTime, { kind: 'check', look: 'warning', title, ...given({ message: blockMessage }) }, request]];
}

const DECIDED = { Approved: 'success', Rejected: 'failure', Expired: 'warning' } as const;

function approvalEntries({ approval }: RemediationFamily): readonly Entry[] {
  if (!approval) return [];
  const { decision, decidedAt, decidedBy, decisionMessage, decidedVia } = approval.status ?? {};
  const asked: Entry = [
    approval.metadata.creationTimestamp,
    { kind: 'approval', look: 'warning', title: 'Approval was requested', message: approval.spec.whyApprovalRequired },
    approval,
  ];
  if (!decision) return [asked];
  const by =
    decidedBy === undefined || decision === 'Expired' ? '' : ` by ${decidedBy}${decidedVia === undefined ? '' : ` (${decidedVia})`}`;
  const title = `${decision}${by}`;
  return [
    asked,
    [
      decidedAt ?? approval.spec.requiredBy,
      { kind: 'approval', look: DECIDED[decision], title, ...given({ message: decisionMessage }) },
      approval,
    ],
  ];
}

function executionEntries({ execution }: RemediationFamily): readonly Entry[] {
  if (!execution) return [];
  const { metadata, spec, status = {} } = execution;
  const { phase = 'ended', startTime, completionTime } = status;
  const name = spec.workflowRef.workflowName ?? spec.workflowRef.workflowId;
  const look = phase === 'Completed' ? 'success' : 'failure';
  return [
    [metadata.creationTimestamp, { kind: 'run', look: 'info', title: `${name} was scheduled on ${spec.targetResource}` }, execution],
    [startTime, { kind: 'run', look: 'info', title: `${name} started` }, execution],
    [completionTime, { kind: 'run', look, title: `${name}: ${phase}`, ...given({ message: failureText(status) }) }, execution],
    ...clearanceEntries(execution),
  ];
}

const failureText = ({ failureDetails, skipDetails }: NonNullable<WorkflowExecution['status']>): string | undefined =>
  failureDetails?.naturalLanguageSummary ?? skipDetails?.message;

function clearanceEntries(execution: WorkflowExecution): readonly Entry[] {
  const { blockClearance } = execution.status ?? {};
  if (!blockClearance) return [];
  const { clearedAt, clearedBy, clearReason } = blockClearance;
  return [[clearedAt, { kind: 'check', look: 'info', title: `${clearedBy} cleared the block`, message: clearReason }, execution]];
}

function assessmentEntries({ assessment }: RemediationFamily): readonly Entry[] {
  if (!assessment) return [];
  const { completedAt, message, components, assessmentReason } = assessment.status ?? {};
  const score = scoreText(components, assessmentReason);
  const title = score === undefined ? 'The verification ended without a score' : `Effectiveness: ${score}`;
  return [
    [assessment.metadata.creationTimestamp, { kind: 'verification', look: 'info', title: 'The verification began' }, assessment],
    [completedAt, { kind: 'verification', look: 'info', title, ...given({ message }) }, assessment],
  ];
}

/** An attempt without a result runs, or was interrupted: neither is a failure that is known. */
function deliveryTitle(channel: string, status: string): string {
  if (status === 'success') return `Notified through ${channel}`;
  return status === 'sending' ? `A notification is being sent through ${channel}` : `A notification through ${channel} failed`;
}

const notificationEntries = (notification: NotificationRequest): readonly Entry[] =>
  (notification.status?.deliveryAttempts ?? []).map(({ channel, timestamp, status, error }) => [
    timestamp,
    {
      kind: 'notification',
      look: status === 'success' || status === 'sending' ? 'info' : 'warning',
      title: deliveryTitle(channel, status),
      message: error ?? notification.spec.subject,
    },
    notification,
  ]);

const GOOD_ENDS: readonly (string | undefined)[] = ['Remediated', 'NoActionRequired', 'DryRun'];

function endEntries(request: RemediationRequest): readonly Entry[] {
  const { overallPhase, outcome, completedAt, message } = request.status ?? {};
  const look = GOOD_ENDS.includes(outcome)
    ? 'success'
    : overallPhase === 'Cancelled'
      ? 'info'
      : overallPhase === 'Completed'
        ? 'warning'
        : 'failure';
  const title = outcome === undefined ? (overallPhase ?? 'Ended') : `${overallPhase ?? 'Ended'}: ${outcome}`;
  return [[completedAt, { kind: 'end', look, title, ...given({ message }) }, request]];
}
