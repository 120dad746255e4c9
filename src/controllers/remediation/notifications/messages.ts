import { describeTargetOf } from '../request-target.ts';
import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import type { Draft } from '../../../api/meta.ts';
import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { clip, toTime } from '../../../base/index.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';
import { draftChild } from '../children/draft-children.ts';
import { NOTHING_MEASURED, VERIFIED } from '../verification/verified-condition.ts';
import { causeOf, notificationContext } from './context.ts';
import type { RequiredNotification } from './required-notifications.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { endOfWait, isLeftOpen } from '../resume/resume.ts';
import { severityText, signalsOf } from '../urgency.ts';
import { referenceTo, type RemediationStatus } from '../status.ts';

type Spec = NotificationRequest['spec'];

const LONGEST_SUBJECT = 500;
const MOST_FINDINGS = 3;
const LONGEST_FINDING = 300;

/** The draft of a notification: what happened, to what, and what to do. */
export function draftNotification(
  notice: RequiredNotification,
  request: RemediationRequest,
  analysis: AIAnalysis | undefined,
  asksAlertmanager = false,
): Draft<NotificationRequest> {
  const { spec, status } = request;
  const { name, type, priority, reviewSource } = notice;
  const message: Spec = {
    type,
    priority,
    subject: clip(`${headline(notice, request)}: ${subjectOf(request)} on ${describeTargetOf(request)}`, LONGEST_SUBJECT),
    body: bodyOf(notice, request, { analysis, asksAlertmanager }),
    severity: severityText(request),
    remediationRequestRef: referenceTo(request),
    context: notificationContext(request, analysis),
    phase: status?.overallPhase ?? '',
    ...(reviewSource && { reviewSource }),
    ...(spec.clusterID !== undefined && { clusterID: spec.clusterID }),
  };
  return draftChild(NotificationRequest, request, { name, spec: message });
}

const subjectOf = ({ spec }: RemediationRequest): string => (spec.undoOf ? `undo of ${spec.undoOf.name}` : spec.signalName);

/** The message in a word or two. */
function headline({ about }: RequiredNotification, { status = {} }: RemediationRequest): string {
  switch (about) {
    case 'approval':
      return 'Approval needed';
    case 'block':
      return `Blocked (${status.blockReason ?? ''})`;
    case 'wait':
      return 'Waiting to run';
    case 'duplicates':
      return `${status.duplicateCount ?? 0} duplicates`;
    case 'end':
      return endOf(status);
  }
}

/** A failure that is Blocked for its cooldown is reported as Failed. */
function endOf({ outcome, overallPhase = 'Completed', conditions }: RemediationStatus): string {
  if (outcome === undefined) return overallPhase === 'Blocked' ? 'Failed' : overallPhase;
  return getCondition(conditions, VERIFIED)?.reason === NOTHING_MEASURED ? `${outcome}, not verified` : outcome;
}

interface Known {
  readonly analysis: AIAnalysis | undefined;
  readonly asksAlertmanager: boolean;
}

function bodyOf(notice: RequiredNotification, request: RemediationRequest, { analysis, asksAlertmanager }: Known): string {
  const { spec, metadata } = request;
  const signal = `Signal: ${spec.signalName} (${severityText(request)}), firing since ${spec.firingTime}`;
  const next = notice.about === 'end' && isLeftOpen(request) ? [nextLine(request, asksAlertmanager)] : [];
  const story = [...STORIES[notice.about](request, causeOf(analysis)), ...next];
  const evidence = notice.about === 'approval' || notice.about === 'end' ? evidenceLines(story.join('\n'), analysis) : [];
  const explain = `Explain: sickbay explain ${metadata.name} -n ${metadata.namespace ?? ''}`;
  return [...story, ...evidence, '', signal, ...joinedLine(request), `Request: ${metadata.name}`, explain].join('\n');
}

/** What the cause rests on, as far as the message does not say it already. */
function evidenceLines(said: string, analysis: AIAnalysis | undefined): readonly string[] {
  const findings = (analysis?.status?.rootCauseAnalysis?.contributingFactors ?? []).filter((finding) => !said.includes(finding));
  const more = findings.length - MOST_FINDINGS;
  return [
    ...findings.slice(0, MOST_FINDINGS).map((finding) => `Evidence: ${clip(finding, LONGEST_FINDING)}`),
    ...(more > 0 ? [`Evidence: ${more} more findings`] : []),
  ];
}

/** What follows the wait of a request, and when. */
function nextLine(request: RemediationRequest, asksAlertmanager: boolean): string {
  const end = endOfWait(request);
  const when = end > 0 ? `After ${toTime(end)}` : 'Next:';
  return asksAlertmanager
    ? `${when} Sickbay asks Alertmanager, and opens a new request if the alert still fires`
    : `${when} the next signal opens a new request; no Alertmanager is configured, so this waits until the alert is repeated`;
}

/** The other alerts that the request stands for, with their severities. */
function joinedLine(request: RemediationRequest): readonly string[] {
  const joined = signalsOf(request).filter(({ name }) => name !== request.spec.signalName);
  return joined.length === 0 ? [] : [`Joined: ${joined.map(({ name, severity }) => `${name} (${severity})`).join(', ')}`];
}

type Story = (request: RemediationRequest, cause: string | undefined) => readonly string[];

/** The body of each kind of notification. */
const STORIES: Readonly<Record<RequiredNotification['about'], Story>> = {
  approval: (request, cause) => [request.status?.message ?? '', ...causeLine(cause), '', ...howToDecide(request)],
  block: ({ status }) => [status?.blockMessage ?? status?.message ?? ''],
  wait: ({ status }) => [status?.message ?? ''],
  duplicates: tellDuplicates,
  end: tellEnd,
};

function tellEnd({ status = {} }: RemediationRequest, cause: string | undefined): readonly string[] {
  const said = status.failureReason ?? status.message ?? endOf(status);
  return [said, ...(cause !== undefined && said.includes(cause) ? [] : causeLine(cause))];
}

function tellDuplicates({ status = {}, metadata, spec }: RemediationRequest): readonly string[] {
  const { duplicateCount = 0, duplicateRefs = [], deduplication } = status;
  const waited = `${duplicateCount} other requests waited for ${metadata.name} to end: ${duplicateRefs.join(', ')}`;
  return [waited, `${deduplication?.occurrenceCount ?? 1} signals were received in total for ${describeTarget(spec.targetResource)}`];
}

const causeLine = (cause: string | undefined): readonly string[] => (cause === undefined ? [] : [`Cause: ${cause}`]);

function howToDecide({ status, metadata }: RemediationRequest): readonly string[] {
  const { name, namespace = '' } = metadata;
  return [
    `Approve: sickbay approve ${name} -n ${namespace}`,
    `Reject:  sickbay reject ${name} -n ${namespace} --reason "..."`,
    `Inspect: kubectl describe rar ${status?.approvalRequestRef?.name ?? ''} -n ${namespace}`,
  ];
}
